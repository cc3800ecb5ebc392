// Options that a program of the catalogue brings along.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

#include <harrier/cli/main.hpp>
#include <harrier/core/monitor.hpp>
#include <harrier/core/system.hpp>
#include <harrier/native/self.hpp>

#include "captured.hpp"

namespace harrier {
namespace {

using testing::HasSubstr;

struct inbox {
  int last = 0;
  void put(self& me, int value) {
    me.check(value > last, "values arrive in order");
    last = value;
  }
};

void two_values(self& me) {
  const auto to = me.create<inbox>();
  me.send<&inbox::put>(to, 1);
  me.send<&inbox::put>(to, 2);
}

outcome harrier_with(const std::vector<std::string>& words, const options& how) {
  const std::vector<catalogue_entry> programs = {{"two-values", two_values, how}};
  return captured(words, [&](int argc, char** argv) { return harrier::main(argc, argv, programs); });
}

options with_fifo() {
  options how;
  how.search.delivery = delivery::fifo;
  return how;
}

TEST(OwnOptions, HoldWhereTheCommandLineSaysNothing) {
  EXPECT_EQ(harrier_with({"explore", "two-values"}, {}).status, 1);
  EXPECT_EQ(harrier_with({"explore", "two-values"}, with_fifo()).status, 0);
  EXPECT_EQ(harrier_with({"explore", "--keep-going", "two-values"}, with_fifo()).status, 0);
}

TEST(OwnOptions, AreOverriddenByTheCommandLine) {
  EXPECT_EQ(harrier_with({"explore", "two-values", "--delivery", "unordered"}, with_fifo()).status, 1);
  EXPECT_EQ(harrier_with({"explore", "--delivery", "unordered", "two-values"}, with_fifo()).status, 1);
}

TEST(OwnOptions, AreReportedAsTheyAre) {
  EXPECT_THAT(harrier_with({"explore", "two-values"}, with_fifo()).out, HasSubstr("delivery fifo"));
}

TEST(OwnOptions, LeaveAloneWhoJudgesAndWatches) {
  options how;
  how.told.on_finding = [](const finding&) {};
  const auto result = harrier_with({"explore", "two-values"}, how);

  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err,
            "harrier: two-values: its options name who judges or watches, which is for the command line to say\n");
}

/// The inbox must have been destroyed in the end, which it never is.
options with_nobody_left() {
  options how = with_fifo();
  how.judging.may_be_left = [](const system& s, actor_slot actor) { return s.actor_name(actor) == "driver"; };
  return how;
}

TEST(OwnOptions, SayWhoMayBeLeftAndAReplayHeedsIt) {
  const auto trace = testing::TempDir() + "own_options_test." + std::to_string(getpid()) + ".json";
  const auto explored = harrier_with({"explore", "two-values", "--save-trace", trace}, with_nobody_left());
  const auto replayed = harrier_with({"replay", trace}, with_nobody_left());
  std::filesystem::remove(trace);

  EXPECT_EQ(explored.status, 1);
  EXPECT_THAT(explored.out, HasSubstr("deadlock"));
  EXPECT_EQ(replayed.status, 1) << replayed.out << replayed.err;
}

TEST(OwnOptions, GiveWayToAnEnvironmentOfTheCommandLine) {
  EXPECT_EQ(harrier_with({"explore", "two-values", "--environment", "total"}, with_nobody_left()).status, 0);
}

}  // namespace
}  // namespace harrier
