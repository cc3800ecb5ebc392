#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "run.hpp"

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

nlohmann::json first_finding(std::vector<std::string> words) {
  words.insert(words.begin(), "explore");
  words.insert(words.end(), {"--json", "-"});
  return nlohmann::json::parse(e2e::programs(words).out)["findings"][0];
}

TEST(ExploreSaysWhy, InText) {
  const auto result = e2e::programs({"explore", "failing-check"});

  EXPECT_THAT(
      result.out,
      HasSubstr("Why: counter_0 took read() while add(1) was on its way, both from reader_1. With that one first "
                "it passes: counter_0 is {value=1} after read(), not {value=0}.\n"
                "     The order that passes goes on after delivery 1 with counter_0.add(1), counter_0.read(), "
                "reader_1.reply(1).\n"));
}

TEST(ExploreSaysWhy, InJsonWithTheOrderThatPasses) {
  const auto why = first_finding({"failing-check"})["why"];

  EXPECT_THAT(why["sentence"], HasSubstr("counter_0 took read() while add(1) was on its way"));
  EXPECT_EQ(why["alike"], 1);
  ASSERT_EQ(why["steps"].size(), 4);
  EXPECT_EQ(why["steps"][1]["message"], "add(1)");
}

TEST(ExploreSaysWhy, OfADeadlockWhoWaitsSinceWhen) {
  const auto why = first_finding({"deadlock"})["why"];

  EXPECT_THAT(why["sentence"], HasSubstr("They wait in a circle: peer_0 for peer_1 since delivery"));
}

TEST(ExploreSaysWhy, OfACrash) {
  EXPECT_THAT(first_finding({"harm", "how=segv"})["why"]["sentence"], HasSubstr("With that one first it passes"));
}

TEST(ExploreSaysWhy, AlsoWhereTheSearchIsInTheProcess) {
  EXPECT_EQ(first_finding({"failing-check", "--in-process"})["why"], first_finding({"failing-check"})["why"]);
}

TEST(ReplaySaysWhy, AsItWasSaved) {
  const e2e::folder here;
  const auto explored = e2e::programs({"explore", "failing-check", "--save-trace", here / "bug.json"});
  const auto begin = explored.out.find("Why: ");
  const auto why = explored.out.substr(begin, explored.out.find("\n\n", begin) - begin);

  EXPECT_THAT(e2e::programs({"replay", here / "bug.json"}).out, HasSubstr(why));
  EXPECT_THAT(e2e::programs({"replay", "--step", here / "bug.json"}).out, HasSubstr(why));
}

TEST(ReplaySaysWhy, NothingOfATraceThatDoesNotTell) {
  const e2e::folder here;
  e2e::programs({"explore", "failing-check", "--save-trace", here / "bug.json"});
  auto json = nlohmann::json::parse(e2e::content_of(here / "bug.json"));
  ASSERT_EQ(json.erase("why"), 1);
  std::ofstream(here / "older.json") << json;
  const auto result = e2e::programs({"replay", here / "older.json"});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("Found again"), Not(HasSubstr("Why:"))));
}

TEST(ReplaySaysWhy, NothingThatWasFalsified) {
  const e2e::folder here;
  e2e::programs({"explore", "failing-check", "--save-trace", here / "bug.json"});
  auto json = nlohmann::json::parse(e2e::content_of(here / "bug.json"));
  json["why"]["sentence"] = 7;
  std::ofstream(here / "wrong.json") << json;
  const auto result = e2e::programs({"replay", here / "wrong.json"});

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("the field 'why'"), HasSubstr("'sentence' is of the wrong type")));
}

}  // namespace
