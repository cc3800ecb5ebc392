// What comes by the broker may be anybody's.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/report/json.hpp>

#include <src/distributed/bundle.hpp>
#include <src/distributed/ignored.hpp>
#include <src/distributed/result.hpp>
#include <src/distributed/run.hpp>
#include <src/distributed/unfinished.hpp>

namespace harrier::distributed {
namespace {

using testing::HasSubstr;

const std::string a_run(32, 'a');
const std::string an_item(32, 'b');
const std::string an_attempt(16, 'c');

part part_of(std::string_view bytes, std::size_t number = 0, std::size_t count = 1) {
  return {a_run, an_item, an_attempt, number, count, bytes};
}

run_description described() {
  run_description run;
  run.run = "mine";
  run.version = version_of_harrier();
  run.build = "one";
  run.program = "bank";
  run.parameters = {{"n", "3"}};
  return run;
}

TEST(Part, ComesAsItWasSent) {
  const auto text = to_bytes(part_of("a\nb", 2, 3));
  const auto p = part_from(text);
  EXPECT_EQ(p.run, a_run);
  EXPECT_EQ(p.item, an_item);
  EXPECT_EQ(p.attempt, an_attempt);
  EXPECT_EQ(p.number, 2U);
  EXPECT_EQ(p.count, 3U);
  EXPECT_EQ(p.bytes, "a\nb");
}

TEST(Part, OfWhichOneBitWasChangedIsRefused) {
  const auto text = to_bytes(part_of("some bytes"));
  for (std::size_t at = 0; at < text.size(); ++at)
    for (unsigned bit = 0; bit < 8; ++bit) {
      auto changed = text;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      try {
        const auto p = part_from(changed);  // another name than that of the bytes: of nobody
        EXPECT_EQ(p.bytes, "some bytes");
        EXPECT_TRUE(p.run != a_run || p.item != an_item || p.attempt != an_attempt) << changed;
      } catch (const error&) {}
    }
}

TEST(Part, ThatIsNoneIsRefused) {
  const auto good = to_bytes(part_of("x"));
  const auto with = [&](const std::string& old, const std::string& other) {
    auto text = good;
    return text.replace(text.find(old), old.size(), other);
  };
  for (const auto& text :
       {std::string(), std::string("garbage"), std::string(2'000'000, ' '), std::string(600, 'x') + "\n",
        good.substr(0, good.find('\n')), with(" 0 1 ", " 0 99999999999 "), with(" 0 1 ", " 0 99999999999999999999999 "),
        with(" 0 1 ", " -1 1 "), with(" 0 1 ", " 1 1 "), with(" 0 1 ", " 0 0 "), with(" 0 1 ", " 0x0 1 "),
        with(" 0 1 ", " 0 1 1 "), with("harrier/2", "harrier/1"), with(a_run, "a"), with(an_item, an_item + "b"),
        with(an_attempt, "../../etc/passwd")})
    EXPECT_THROW(static_cast<void>(part_from(text)), error) << text.substr(0, 200);
}

TEST(RunDescription, ComesAsItWasSent) {
  const auto run = described();
  const auto text = to_text(to_json(run));
  EXPECT_EQ(identity_of(run_from(text, "harrier.runs.mine")), identity_of(run));
}

TEST(RunDescription, HasTheIdentityOfWhatDecidesItsCounts) {
  auto patient = described();
  patient.worker_timeout = 7;
  EXPECT_EQ(identity_of(patient), identity_of(described()));
  auto larger = described();
  larger.parameters["n"] = "4";
  EXPECT_NE(identity_of(larger), identity_of(described()));
  auto lossy = described();
  lossy.how.search.faults.lose = 1;
  EXPECT_NE(identity_of(lossy), identity_of(described()));
  EXPECT_EQ(run_from(to_text(to_json(lossy)), "harrier.runs.mine").how.search.faults, lossy.how.search.faults);
}

TEST(RunDescription, ThatIsNoneIsRefused) {
  const auto good = to_json(described());
  std::vector<std::string> all = {"", "x", "5", "null", "[]", "{}", R"({"id":5})", std::string(1'000'000, '[')};
  for (const auto& [name, value] : good.items()) {
    for (const json_value& other :
         {json_value(nullptr), json_value::array({1}), json_value::object({{"a", 1}}), json_value(-1)}) {
      if ((name == "max_depth" || name == "max_memory") && other.is_number()) continue;  // a large number
      auto bad = good;
      bad[name] = other;
      all.push_back(bad.dump());
    }
    auto less = good;
    less.erase(name);
    all.push_back(less.dump());
  }
  for (const auto* field : {"environment", "undelivered", "check_determinism"}) {
    auto bad = good;
    bad[field] = 99;
    all.push_back(bad.dump());
  }
  for (const auto& text : all) EXPECT_THROW(run_from(text, "harrier.runs.mine"), error) << text.substr(0, 300);
}

TEST(RunDescription, IsOfTheRunInWhoseNameItWasSaid) {
  const auto text = to_text(to_json(described()));
  EXPECT_THROW(run_from(text, "harrier.runs.other"), error);
  auto bad = to_json(described());
  for (const auto* name : {"", "a.b", "*", ">", "a b"}) {
    bad["run"] = name;
    EXPECT_THROW(run_from(to_text(bad), "harrier.runs." + std::string(name)), error) << name;
  }
}

TEST(WhatIsHeard, IsOfTheRun) {
  EXPECT_EQ(heard(told(a_run, {{"id", "x"}}), a_run).at("id"), "x");
  for (const auto& text : {std::string(), std::string("hungry"), std::string(R"({"id":5})"), std::string(R"({"of":5})"),
                           told(an_item, {{"id", "x"}}), std::string("[1]"), std::string(1'000'000, '[')})
    EXPECT_THROW(heard(text, a_run), error) << text.substr(0, 100);
}

TEST(Cbor, ThatIsTooDeepOrSaysThatItIsHugeIsRefused) {
  const std::vector<std::string> all = {std::string(1'000'000, '\x81'), std::string(1'000'000, '\xbf'),
                                        std::string("\x9b\x7f\xff\xff\xff\xff\xff\xff\xff\x01", 10),
                                        std::string("\xbb\x7f\xff\xff\xff\xff\xff\xff\xff\x61", 10),
                                        std::string("\x5b\x7f\xff\xff\xff\xff\xff\xff\xff\x61", 10)};
  for (const auto& bytes : all) EXPECT_THROW(static_cast<void>(json_from(bytes)), error);
}

TEST(Result, WithAFieldOfAnotherTypeIsRefused) {
  item_result result;
  result.item = an_item;
  const auto good = json_from(bytes_of(result));
  ASSERT_NO_THROW(result_from(bytes_of(good)));
  for (const auto& [name, value] : good.items())
    for (const json_value& other : {json_value(nullptr), json_value::array({json_value("x")}), json_value("x"),
                                    json_value::object({{"a", json_value::array({1})}})}) {
      if (name == "item" || name == "ends_run" || name == "why") {
        if (other.is_string()) continue;
      }
      auto bad = good;
      bad[name] = other;
      EXPECT_THROW(result_from(bytes_of(bad)), error) << name << ' ' << other.dump();
    }
}

TEST(UnfinishedMessages, AreWholeWhenAllPartsHaveComeInAnyOrderAndMoreThanOnce) {
  unfinished_messages all;
  EXPECT_FALSE(all.add(part_of("c", 2, 3)));
  EXPECT_FALSE(all.add(part_of("a", 0, 3)));
  EXPECT_FALSE(all.add(part_of("a", 0, 3)));
  EXPECT_EQ(all.add(part_of("b", 1, 3)), "abc");
  EXPECT_EQ(all.bytes(), 0U);
}

TEST(UnfinishedMessages, TakeTheMemoryOfWhatDidComeAndForgetTheOldest) {
  unfinished_messages all(10);
  EXPECT_FALSE(all.add(part_of("1234", 0, 999'999)));
  EXPECT_EQ(all.bytes(), 4U);
  EXPECT_THROW(static_cast<void>(all.add(part_of("x", 1, 2))), error);
  auto later = part_of("12345678", 0, 2);
  later.attempt = "0";
  EXPECT_FALSE(all.add(later));
  EXPECT_EQ(all.bytes(), 8U);
  later.number = 1;
  EXPECT_EQ(all.add(later), "1234567812345678");
}

TEST(IgnoredMessages, AreCountedAndSaidOnceOfAKind) {
  std::vector<std::string> said;
  ignored_messages all([&](const std::string& line) { said.push_back(line); });
  for (int i = 0; i < 3; ++i) all.add("here", "it is garbage");
  EXPECT_EQ(all.count(), 3U);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_THAT(said[0], HasSubstr("on here: it is garbage"));
  for (int i = 0; i < 1000; ++i) all.add(std::string(100'000, 'x'), std::to_string(i));
  EXPECT_EQ(all.count(), 1003U);
  EXPECT_LE(said.size(), 12U);
  for (const auto& line : said) EXPECT_LT(line.size(), 1000U);
}

}  // namespace
}  // namespace harrier::distributed
