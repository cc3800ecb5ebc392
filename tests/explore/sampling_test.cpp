// The engines that sample, and the delay-bounded one, as options name them: limits, judges, and what is said of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include <harrier/harrier.hpp>

#include "clocks.hpp"
#include "none_before_the_first.hpp"

namespace harrier {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

options by(const std::string& engine) {
  options how;
  how.search.engine = engine;
  return how;
}

struct inbox {
  int count = 0;
  void put(int) { ++count; }
};
void three_letters(self& me) {
  const auto to = me.create<inbox>();
  for (int i = 0; i < 3; ++i) me.send<&inbox::put>(to, i);
}

class SamplingEngine : public testing::TestWithParam<std::string> {};

TEST_P(SamplingEngine, EndsWhereNothingCanBeDelivered) {
  auto how = by(GetParam());
  how.limits.time_limit = 60;
  const auto result = explore([](self& me) { me.create<inbox>(); }, how);

  EXPECT_EQ(result.executions, 1U);
  EXPECT_TRUE(result.exhausted);
  EXPECT_LT(result.seconds, 30);
}

TEST_P(SamplingEngine, CutsExecutionsAtTheDepthLimit) {
  auto how = by(GetParam());
  how.limits.max_depth = 20;
  how.limits.max_executions = 10;
  const auto result = explore(run_clocks, how);

  EXPECT_EQ(result.truncated, 10U);
  EXPECT_EQ(result.executions, 0U);
  EXPECT_EQ(result.max_depth, 20U);
  EXPECT_FALSE(result.exhausted);
}

TEST_P(SamplingEngine, ObeysTheTimeLimitInAnExecutionThatDoesNotEnd) {
  auto how = by(GetParam());
  how.limits.time_limit = 0.05;
  const auto result = explore(run_clocks, how);

  EXPECT_EQ(result.stopped_by, "the time limit of 0.05 s");
  EXPECT_LT(result.seconds, 10);
}

TEST_P(SamplingEngine, StopsWhenTheCallerSaysSo) {
  auto how = by(GetParam());
  how.limits.should_stop = [] { return true; };
  const auto result = explore(run_clocks, how);

  EXPECT_EQ(result.stopped_by, "an interrupt");
  EXPECT_FALSE(result.exhausted);
}

/// Fails unless it is greeted first.
struct guest {
  bool greeted = false;
  void greet() { greeted = true; }
  void enter(self& me) const { me.require(greeted, "it is greeted first"); }
};

TEST_P(SamplingEngine, GoesOnAfterExecutionsThatFail) {
  auto how = by(GetParam());
  how.judging.keep_going = true;
  how.limits.max_executions = 100;
  const auto result = explore(
      [](self& me) {
        const auto g = me.create<guest>();
        me.send<&guest::greet>(g);
        me.send<&guest::enter>(g);
        for (int i = 0; i < 4; ++i) me.send<&inbox::put>(me.create<inbox>(), i);
      },
      how);

  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.executions, 100U);
  EXPECT_GT(result.findings[0].occurrences, 1U);
  EXPECT_THAT(result.findings[0].schedule, SizeIs(1));
}

TEST_P(SamplingEngine, IsJudgedLikeAnyOther) {
  none_before_the_first judge;
  auto how = by(GetParam());
  how.judging.by = &judge;
  how.judging.keep_going = true;
  how.limits.max_executions = 100;
  const auto result = explore(three_letters, how);

  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].kind, finding_kind::invariant);
  EXPECT_THAT(result.findings[0].schedule, SizeIs(1));
  EXPECT_TRUE(judge.is_back());
}

INSTANTIATE_TEST_SUITE_P(Each, SamplingEngine, testing::Values("random", "pos", "pct", "delay"),
                         [](const auto& of) { return of.param; });

TEST(Advice, IsNoneForEnginesThatDoNotSearchAll) {
  for (const auto* engine : {"random", "pos", "pct", "round-robin"}) {
    auto how = by(engine);
    how.limits.max_executions = 1;
    EXPECT_THAT(explore(three_letters, how).advice, IsEmpty()) << engine;
  }
}

TEST(ALimitOfDelays, EndsTheSearchAndSaysWhatWasRun) {
  auto how = by("delay");
  how.search.delays = 1;
  const auto result = explore(three_letters, how);

  EXPECT_EQ(result.executions, 3U);
  EXPECT_FALSE(result.exhausted);
  EXPECT_THAT(result.stopped_by, HasSubstr("the bound of 1 deviation"));
  EXPECT_THAT(result.notes, Contains(HasSubstr("all executions with at most 1 deviation")));
}

TEST(ALimitOfDelays, LeavesASearchExhaustedThatNeedsNoMore) {
  auto how = by("delay");
  how.search.delays = 3;
  const auto result = explore(three_letters, how);

  EXPECT_EQ(result.executions, 6U);
  EXPECT_TRUE(result.exhausted);
  EXPECT_THAT(result.stopped_by, IsEmpty());
}

void expect_refused(const options& how, const std::string& why) {
  try {
    validate(how);
    FAIL() << "not refused: " << why;
  } catch (const error& e) {
    EXPECT_THAT(e.what(), HasSubstr(why));
  }
}

TEST(WhatOnlyOneEngineTakes, IsRefusedByTheOthers) {
  auto how = by("pos");
  how.search.bug_depth = 2;
  expect_refused(how, "engine pos has no use for a bug depth; engine pct has");
  how.search.engine = "auto";
  expect_refused(how, "engine auto has no use for a bug depth; engine pct has");
  how.search.engine = "pct";
  how.search.bug_depth = 1001;
  expect_refused(how, "a bug depth from 1 to 1000 is expected");
  how = by("optimal");
  how.search.delays = 0;
  expect_refused(how, "engine optimal has no use for a limit of delays; engine delay has");
}

}  // namespace
}  // namespace harrier
