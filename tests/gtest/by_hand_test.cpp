// An ETEST that a page goes through by hand: each job is done by a process of its executable file.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/report/json.hpp>

#include "../../src/by_hand/test_in_file.hpp"
#include "etest.hpp"

namespace {

using harrier::json_value;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<json_value> all_told(const std::string& test, const json_value& job) {
  std::vector<json_value> all;
  harrier::have_done_by(
      {GTEST_SAMPLES, test}, job, [&](const json_value& told) { all.push_back(told); }, [] { return true; });
  return all;
}

json_value visit(const std::string& test, const json_value& schedule) {
  const auto told = all_told(test, {{"do", "visit"}, {"schedule", schedule}});
  EXPECT_EQ(told.size(), 1);
  return told.at(0);
}

/// The schedule with the first message that can be delivered, as long as there is one.
json_value oldest_first(const std::string& test) {
  auto schedule = json_value::array();
  for (;;) {
    const auto seen = visit(test, schedule);
    const auto& pending = seen.at("state").at("pending");
    const auto next = std::find_if(pending.begin(), pending.end(), [](const auto& p) { return p.at("can") == true; });
    if (next == pending.end()) return schedule;
    schedule.push_back({{"id", next->at("id")}});
  }
}

std::vector<std::string> found(const json_value& seen) {
  std::vector<std::string> all;
  for (const auto& f : seen.at("state").at("findings")) all.push_back(f.at("message"));
  return all;
}

TEST(AnEtestByHand, SaysWhatItIs) {
  const auto about = all_told("Fails.WithALostUpdate", {{"do", "about"}}).at(0);
  EXPECT_EQ(about.at("program"), "Fails.WithALostUpdate");
  EXPECT_EQ(about.at("delivery"), "unordered");
  EXPECT_EQ(about.at("protocol"), false);
}

TEST(AnEtestByHand, IsWhereItsBodyWaitsForDeliveries) {
  const auto seen = visit("Fails.WithALostUpdate", json_value::array());
  std::vector<std::string> pending;
  for (const auto& p : seen.at("state").at("pending")) pending.push_back(p.at("message"));
  EXPECT_THAT(pending, testing::IsSupersetOf({"pay()", "pay()"}));
  EXPECT_THAT(found(seen), IsEmpty());
}

TEST(AnEtestByHand, GoesOnInItsBodyWhenAllIsHandledAndIsJudgedThere) {
  const auto fine = oldest_first("Passes.WithSafeTellers");
  EXPECT_THAT(found(visit("Passes.WithSafeTellers", fine)), IsEmpty());
  EXPECT_GE(fine.size(), 6) << "three tellers, and what they send";

  const auto lost = oldest_first("Fails.WithALostUpdate");
  EXPECT_THAT(found(visit("Fails.WithALostUpdate", lost)), Contains(HasSubstr("somebody's money is gone")));
}

TEST(AnEtestByHand, SaysWhereTheCodeOfItsHandlersIs) {
  const auto seen = visit("Fails.WithALostUpdate", json_value::array({{{"id", "0.0"}}}));
  EXPECT_THAT(seen.at("steps").at(0).at("handler").get<std::string>(), HasSubstr("gtest_samples+0x"));
}

TEST(AnEtestByHand, IsSearchedFromThere) {
  const auto told =
      all_told("Fails.WithALostUpdate",
               {{"do", "search"}, {"schedule", json_value::array()}, {"options", {{"engine", "optimal"}}}});
  const auto& found = told.back().at("found");
  ASSERT_EQ(found.at("findings").size(), 1);
  const auto at = found.at("findings")[0].at("at");
  EXPECT_THAT(::found(visit("Fails.WithALostUpdate", at)), Contains(HasSubstr("somebody's money is gone")));
}

TEST(AnEtestByHand, SurvivesACrashInAStep) {
  const auto seen = visit("Harms.ByACrash", json_value::array({{{"id", "0.0"}}}));
  ASSERT_TRUE(seen.contains("crashed")) << seen;
  EXPECT_THAT(seen.at("crashed").at("what").get<std::string>(), HasSubstr("SIGABRT"));
}

TEST_F(Etest, SavesATraceByHandThatReplays) {
  const std::string test = "Fails.WithALostUpdate";
  const auto told = all_told(test, {{"do", "trace"}, {"schedule", oldest_first(test)}}).at(0);
  const auto file = std::filesystem::path(testing::TempDir()) / ("by_hand." + std::to_string(getpid()) + ".json");
  std::ofstream(file) << told.at("trace").get<std::string>();
  const auto again = run(test, {"--harrier_replay=" + file.string()});
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.out, HasSubstr("somebody's money is gone"));

  const auto nothing = all_told(test, {{"do", "trace"}, {"schedule", json_value::array({{{"id", "0.0"}}})}}).at(0);
  std::ofstream(file) << nothing.at("trace").get<std::string>();
  const auto fine = run(test, {"--harrier_replay=" + file.string()});
  EXPECT_EQ(fine.status, 0) << "nothing was found when it was saved, either\n" << fine.out;
  std::filesystem::remove(file);
}

TEST(AnEtestByHand, OfThatNameMustBeThere) {
  for (const auto* nobody : {"Fails.Nowhere", "Plain.Test"}) {
    try {
      visit(nobody, json_value::array());
      ADD_FAILURE() << nobody;
    } catch (const harrier::error& e) {
      EXPECT_THAT(e.what(), HasSubstr(std::string("has not run ") + nobody + " as an ETEST of harrier's"));
    }
  }
  EXPECT_THROW(harrier::have_done_by(
                   {"/nowhere", "A.B"}, {}, [](const auto&) {}, [] { return true; }),
               harrier::error);
}

}  // namespace
