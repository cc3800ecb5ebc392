// A budget: several engines share the time, and the result says who did what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include <harrier/harrier.hpp>

#include "clocks.hpp"
#include "never_ends.hpp"
#include "none_before_the_first.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

options within(double seconds) {
  options how;
  how.limits.budget = seconds;
  return how;
}

struct inbox {
  std::vector<int> letters;
  void put(int n) { letters.push_back(n); }
};
struct forwarder {
  ref<inbox> to;
  void tell(self& me, int n) { me.send<&inbox::put>(to, n); }
};
/// n! orders at one actor.
program many_letters(int n) {
  return make_program([=](self& me) {
    const auto to = me.create<inbox>();
    for (int i = 0; i < n; ++i) me.send<&forwarder::tell>(me.create<forwarder>(to), i);
  });
}

TEST(ABudget, IsNotSpentOnASmallProgram) {
  const auto result = explore(many_letters(4), within(60));

  EXPECT_TRUE(result.exhausted);
  EXPECT_EQ(result.executions, 24U);
  EXPECT_LT(result.seconds, 20);
  EXPECT_THAT(result.stopped_by, IsEmpty());
}

TEST(ABudget, EndsASearchThatProvesNothing) {
  const auto result = explore(many_letters(30), within(1));

  EXPECT_EQ(result.stopped_by, "the budget of 1 s");
  EXPECT_FALSE(result.exhausted);
  EXPECT_EQ(result.engine, "portfolio");
  EXPECT_THAT(result.notes, Contains(AllOf(HasSubstr("executions by engine: optimal "), HasSubstr("delay "),
                                           HasSubstr("pos "), HasSubstr("pct "), HasSubstr("random "))));
  EXPECT_THAT(result.statistics, Contains(testing::Field(&statistic::name, "pos executions")));
}

/// Waits for the last of many letters to come first. No two orders lead to one state.
struct impatient {
  int last;
  std::vector<int> letters;
  void put(self& me, int n) {
    me.check(!letters.empty() || n != last, "the last letter is not the first");
    letters.push_back(n);
  }
};
struct sender {
  ref<impatient> to;
  void tell(self& me, int n) { me.send<&impatient::put>(to, n); }
};
program first_is_last(int n) {
  return make_program([=](self& me) {
    const auto to = me.create<impatient>(n - 1);
    for (int i = 0; i < n; ++i) me.send<&sender::tell>(me.create<sender>(to), i);
  });
}

TEST(ABudget, EndsAtTheFirstFindingAndSaysWhoseItIs) {
  const auto result = explore(first_is_last(12), within(30));

  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.stopped_by, "the first finding");
  EXPECT_LT(result.seconds, 15);
  EXPECT_THAT(result.notes, Contains(AllOf(HasSubstr("engine "), HasSubstr(" found assertion 'the last letter"),
                                           AnyOf(HasSubstr("of seed 0"), HasSubstr("deviation")))));
}

// The number in the note, and the engine that it names, find it again.
TEST(ABudget, TellsOfAnExecutionThatTheEngineItNamesRunsAgain) {
  auto how = within(30);
  how.search.delays = 0;  // leaves it to those that draw
  how.search.seed = 11;
  const auto result = explore(first_is_last(12), how);
  ASSERT_THAT(result.notes, Contains(HasSubstr(" of those of seed 11")));
  std::string engine;
  std::uint64_t execution = 0;
  for (const auto& note : result.notes) {
    const auto at = note.find(" in execution ");
    if (at == std::string::npos) continue;
    engine = note.substr(7, note.find(' ', 7) - 7);
    execution = std::stoull(note.substr(at + 14));
  }

  options again;
  again.search.engine = engine;
  again.search.seed = 11;
  again.limits.max_executions = execution;
  const auto found = explore(first_is_last(12), again);
  ASSERT_THAT(found.findings, SizeIs(1));
  EXPECT_EQ(found.executions, execution - 1);
}

TEST(ABudget, GoesOnAfterAFindingIfAsked) {
  auto how = within(0.5);
  how.judging.keep_going = true;
  const auto result = explore(first_is_last(12), how);

  EXPECT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.stopped_by, "the budget of 0.5 s");
  EXPECT_GT(result.findings[0].occurrences, 1U);
}

TEST(ABudget, IsEnoughForAProofWhereStatesAreFewAndNoExecutionEnds) {
  const auto result = explore(run_clocks, within(60));

  EXPECT_TRUE(result.exhausted);
  EXPECT_EQ(result.truncated, 0U);
}

TEST(ABudget, IsForShortSamplesWhereNoExecutionEnds) {
  const auto result = explore(counts_for_ever, within(1));

  EXPECT_FALSE(result.exhausted);
  EXPECT_GT(result.truncated, 1U);
  EXPECT_THAT(result.notes, Contains(HasSubstr("as far as they were not cut")));
}

TEST(ABudget, ProvesNothingIfTheDepthLimitCutWhatWasSearched) {
  auto how = within(0.5);
  how.limits.max_depth = 3;
  const auto result = explore(many_letters(3), how);

  EXPECT_FALSE(result.exhausted);
  EXPECT_GT(result.truncated, 0U);
}

struct brittle {
  int count = 0;
  void fall(self& me) { me.require(++count < 3, "it holds twice"); }
};

TEST(ABudget, FindsFailuresThatEndExecutions) {
  auto how = within(0.5);
  how.judging.keep_going = true;
  const auto result = explore(
      [](self& me) {
        const auto f = me.create<brittle>();
        for (int i = 0; i < 3; ++i) me.send<&brittle::fall>(f);
        const auto to = me.create<inbox>();
        for (int i = 0; i < 12; ++i) me.send<&inbox::put>(to, i);
      },
      how);

  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_THAT(result.findings[0].schedule, SizeIs(3));
}

TEST(ABudget, LetsAMonitorJudgeWithAnEngineThatItAllows) {
  for (const auto* dependence : {"", "it looks at several actors"}) {
    none_before_the_first judge(dependence);
    auto how = within(60);
    how.judging.by = &judge;
    how.judging.keep_going = true;
    const auto result = explore(many_letters(3), how);

    ASSERT_THAT(result.findings, SizeIs(1)) << dependence;
    EXPECT_TRUE(result.exhausted) << dependence;
    EXPECT_TRUE(judge.is_back()) << dependence;
    EXPECT_THAT(result.notes, Contains(HasSubstr(*dependence == '\0' ? "optimal 6" : "exhaustive "))) << dependence;
  }
}

TEST(ABudget, StopsWhenTheCallerSaysSo) {
  auto how = within(60);
  how.limits.should_stop = [] { return true; };

  EXPECT_EQ(explore(many_letters(30), how).stopped_by, "an interrupt");
}

struct forgetful {
  void go(self& me) const {
    static int times = 0;
    me.check(++times % 2 == 0, "every other time");
  }
};

TEST(ABudget, TellsOfAHandlerThatDoesNotRepeatItself) {
  const auto result = explore(make_program([](self& me) {
                                const auto f = me.create<forgetful>();
                                me.send<&forgetful::go>(f);
                                me.send<&forgetful::go>(f);
                              }),
                              within(1));

  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].kind, finding_kind::nondeterminism);
}

void expect_refused(const options& how, const std::string& why) {
  try {
    validate(how);
    FAIL() << "not refused: " << why;
  } catch (const error& e) {
    EXPECT_THAT(e.what(), HasSubstr(why));
  }
}

TEST(ABudget, IsRefusedBesideWhatContradictsIt) {
  auto how = within(5);
  how.search.engine = "pos";
  expect_refused(how, "so engine pos cannot be asked for; give it a time limit");
  how = within(5);
  how.limits.time_limit = 5;
  expect_refused(how, "give one of the two");
  expect_refused(within(-1), "a number of seconds above 0");
}

TEST(ABudget, IsNoEngineThatCanBeNamed) {
  try {
    options().search.engine = "portfolio";
    FAIL();
  } catch (const error& e) {
    EXPECT_THAT(e.what(), HasSubstr("unknown engine 'portfolio'; there are auto, optimal"));
  }
}

TEST(ABudget, TakesTheDepthOfABugForPct) {
  auto how = within(5);
  how.search.bug_depth = 2;

  EXPECT_NO_THROW(validate(how));
}

}  // namespace
}  // namespace harrier
