// Programs in stages, by several jobs, and stopped, written to a checkpoint and resumed: as by one worker that nobody
// stops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/harrier.hpp>
#include <harrier/native/test_body.hpp>

#include "sharing.hpp"

namespace harrier {
namespace {

using testing::HasSubstr;

/// Bodies that wait for nothing, for all messages, and for one, in turn.
program as_test(const litmus::random_program& tables, std::uint64_t seed) {
  std::vector<int> drawn;
  for (std::uint64_t i = 0; i < 6; ++i) drawn.push_back(static_cast<int>((seed / (i + 1) + i) % 3));
  return litmus::interpret_as_test(tables, drawn);
}

class StagesThatAreShared : public testing::TestWithParam<const char*> {};

TEST_P(StagesThatAreShared, EndAsTheyDoByOneWorker) {
  std::minstd_rand drawn(1);
  for_programs_that_end(by(GetParam()), as_test, [&](const program& tested, options how, const exploration& alone) {
    for (const std::uint64_t jobs : {2, 3, 8}) {
      how.search.jobs = jobs;
      const auto together = explore(tested, how);
      EXPECT_EQ(seen(together), seen(alone)) << "jobs " << jobs;
      EXPECT_EQ(together.notes, alone.notes) << "jobs " << jobs;
    }
    EXPECT_EQ(seen(with_interruptions(tested, how, drawn, 0)), seen(alone));
  });
}

INSTANTIATE_TEST_SUITE_P(Each, StagesThatAreShared,
                         testing::Values("optimal", "exhaustive", "trust", "source", "persistent", "transdpor",
                                         "dcute"));

struct listed {
  std::vector<int> seen;
  void take(int n) { seen.push_back(n); }
};

/// As many orders in each stage as there are of `n` messages.
program of_stages(std::vector<int> messages) {
  return make_test_program({.run = [messages](self& me, test_run& run) {
    const auto one = me.create<listed>();
    for (const auto n : messages) {
      for (int i = 0; i < n; ++i) me.send<&listed::take>(one, i);
      run.handle_all();
    }
  }});
}

TEST(SharedStages, AreRunOnceEachWhicheverIsLarge) {
  for (const auto& messages : std::vector<std::vector<int>>{{5, 2, 2}, {1, 5, 2}, {2, 1, 5}, {1, 1, 1}}) {
    auto how = by("optimal");
    const auto alone = explore(of_stages(messages), how);
    how.search.jobs = 4;
    const auto together = explore(of_stages(messages), how);

    EXPECT_TRUE(together.exhausted);
    EXPECT_EQ(together.executions, alone.executions);
    EXPECT_EQ(together.jobs, 4U);
  }
}

TEST(SharedStages, DrawEverythingTheyCan) {
  const auto tested = make_test_program({.run = [](self& me, test_run& run) {
    const auto one = me.create<listed>();
    for (int stage = 0; stage < 3; ++stage) {
      me.send<&listed::take>(one, static_cast<int>(me.choose(4)));
      run.handle_all();
    }
  }});
  std::minstd_rand drawn(1);
  auto how = by("optimal");
  EXPECT_EQ(with_interruptions(tested, how, drawn, 0).executions, 64U);
  how.search.jobs = 3;
  EXPECT_EQ(explore(tested, how).executions, 64U);
}

TEST(SharedStages, AreNotForStates) {
  auto how = by("stateful");
  how.search.jobs = 2;
  EXPECT_THAT(error_of(of_stages({2, 2}), how),
              AllOf(HasSubstr("engine stateful compares the states of each stage by themselves"),
                    HasSubstr("cannot be shared by several jobs; engine optimal can")));
}

TEST(SharedStages, EndWithTheFirstFinding) {
  const auto tested = make_test_program({.run = [](self& me, test_run& run) {
    const auto one = me.create<listed>();
    for (int i = 0; i < 4; ++i) me.send<&listed::take>(one, i);
    run.handle_all();
    me.check(run.state(one).seen.front() != 2, "two is not first");
    me.send<&listed::take>(one, 7);
    run.handle_all();
  }});
  auto how = by("optimal");
  how.judging.keep_going = false;
  how.search.jobs = 3;
  const auto result = explore(tested, how);

  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings.front().message, "two is not first");
  EXPECT_EQ(result.stopped_by, "the first finding");
}

}  // namespace
}  // namespace harrier
