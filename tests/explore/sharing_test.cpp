// Explorations by several jobs, and such as are stopped, written to a checkpoint and gone on with: they end as one that
// nobody shared and nobody stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/harrier.hpp>
#include <harrier/native/world.hpp>
#include <harrier/property/ltl_monitor.hpp>

#include "sharing.hpp"

namespace somebody {
namespace {

int journal = 0;

struct writer {
  int n = 0;
  void write(int x) {
    n += x;
    ++journal;
  }
};

void two_writers(harrier::self& me) {
  const harrier::ref<writer> both[] = {me.create<writer>(), me.create<writer>()};
  for (const auto& a : both)
    for (int n = 1; n <= 3; ++n) me.send<&writer::write>(a, n);
}

}  // namespace
}  // namespace somebody

namespace harrier {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

class EngineThatIsShared : public testing::TestWithParam<const char*> {};

TEST_P(EngineThatIsShared, EndsAsItDoesByItself) {
  std::minstd_rand drawn(1);
  for_programs_that_end(by(GetParam()), [&](const program& tested, options how, const exploration& alone) {
    for (const std::uint64_t jobs : {2, 3, 8}) {
      how.search.jobs = jobs;
      EXPECT_EQ(seen(explore(tested, how)), seen(alone)) << "jobs " << jobs;
    }
    EXPECT_EQ(seen(with_interruptions(tested, how, drawn, 0)), seen(alone));
  });
}

INSTANTIATE_TEST_SUITE_P(Each, EngineThatIsShared,
                         testing::Values("optimal", "exhaustive", "trust", "delay", "source", "persistent", "transdpor",
                                         "dcute"));

TEST(TrustUnderMailbox, IsSharedAndCountsWhatItDoesByItself) {
  auto by_trust = by("trust");
  by_trust.search.delivery = delivery::mailbox;
  for_programs_that_end(by_trust, [&](const program& tested, options how, const exploration& alone) {
    for (const std::uint64_t jobs : {2, 3}) {
      how.search.jobs = jobs;
      const auto together = explore(tested, how);
      EXPECT_EQ(seen(together), seen(alone)) << "jobs " << jobs;
      EXPECT_EQ(together.transitions, alone.transitions) << "jobs " << jobs;
    }
  });
}

class EngineThatSamples : public testing::TestWithParam<const char*> {};

TEST_P(EngineThatSamples, RunsTheSameExecutions) {
  std::minstd_rand drawn(1);
  for (std::uint64_t seed = 3; seed <= 12; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    auto how = by(GetParam());
    how.limits.max_executions = 53;
    try {
      const auto alone = explore(tested, how);
      if (alone.executions < 53) continue;  // the only one there is
      how.search.jobs = 3;
      EXPECT_EQ(seen(explore(tested, how)), seen(alone)) << "seed " << seed;
      how.limits.max_executions = 0;
      EXPECT_EQ(seen(with_interruptions(tested, how, drawn, 53)), seen(alone)) << "seed " << seed;
    } catch (const untestable_program&) {
      continue;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, EngineThatSamples, testing::Values("random", "pos", "pct"));

/// All that a search counts, and all that it found. (Which execution is shown of a finding may be looked for for a
/// second.)
auto numbers_of(const exploration& e) {
  std::vector<std::tuple<std::string, std::string, std::uint64_t>> findings;
  for (const auto* list : {&e.findings, &e.warnings})
    for (const auto& f : *list) findings.emplace_back(to_string(f.kind), words_of(f), f.occurrences);
  std::sort(findings.begin(), findings.end());
  const auto states = e.states.value_or(exploration::state_counts{});
  return std::tuple(std::tuple(e.executions, e.truncated, e.assumed_away, e.blocked, e.transitions, e.max_depth,
                               e.actors, e.exhausted, e.stopped_by),
                    std::tuple(states.states, states.final_states, states.revisits, states.depth), e.outcomes,
                    findings);
}

std::uint64_t ends(const exploration& e) { return e.executions + e.truncated + e.assumed_away; }

struct chain {
  const char* engine;
  std::vector<delivery> models = {delivery::unordered};
  std::optional<bool> observers = {};
  bool is_endless = false;
  std::uint64_t programs = 2;
  std::uint64_t least_executions = 5;
  std::uint64_t most_executions = 400;
};
void PrintTo(const chain& c, std::ostream* out) { *out << c.engine; }

class ChainOfInterruptions : public testing::TestWithParam<chain> {};

/// Calls `leg(tested, how, alone, file)` for random programs: `alone` is what a search that nobody interrupts counts.
template <class Leg>
void for_random_programs(const chain& which, Leg leg) {
  auto programs = litmus::so_many(which.programs);
  for (std::uint64_t seed = 1; programs > 0 && seed < litmus::so_many(200); ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    auto how = by(which.engine);
    how.search.observers = which.observers;
    how.search.delivery = which.models[seed % which.models.size()];
    how.limits.max_executions = which.is_endless ? 40 : which.most_executions;
    std::optional<exploration> alone;
    try {
      alone = explore(tested, how);
    } catch (const untestable_program&) {
      continue;
    } catch (const error&) {  // of which observers cannot be told apart
      continue;
    }
    if (alone->executions < which.least_executions || (!which.is_endless && !alone->exhausted)) continue;
    --programs;
    SCOPED_TRACE("seed " + std::to_string(seed));
    leg(tested, how, *alone);
  }
  EXPECT_EQ(programs, 0U);
}

/// Explores in legs of `length()` executions, each going on from where the one before it was stopped, until the limit
/// of `how` is reached or nothing is left. @return the last leg
template <class Length, class Prepare>
exploration in_legs(const program& tested, options how, Length length, Prepare prepare) {
  const file_name file;
  const auto most = how.limits.max_executions;
  how.kept.checkpoint = file.text();
  how.limits.max_executions = 0;
  for (;;) {
    how.limits.max_executions = std::min(most, how.limits.max_executions + length());
    prepare(how);
    auto leg = explore(tested, how);
    if (leg.exhausted || how.limits.max_executions == most) return leg;
    EXPECT_EQ(ends(leg), how.limits.max_executions);
    how.kept.resume = file.text();
  }
}

TEST_P(ChainOfInterruptions, CountsWhatASearchCountsThatNobodyInterrupts) {
  std::minstd_rand drawn(1);
  for_random_programs(GetParam(), [&](const program& tested, const options& how, const exploration& alone) {
    const auto length = [&] { return 1 + drawn() % (1 + ends(alone) / 8); };
    EXPECT_EQ(numbers_of(in_legs(tested, how, length, [](options&) {})), numbers_of(alone));
  });
}

/// However short the legs are.
TEST_P(ChainOfInterruptions, OfAFewExecutionsEachCountsTheSame) {
  auto which = GetParam();
  which.most_executions = 30;
  for_random_programs(which, [&](const program& tested, const options& how, const exploration& alone) {
    for (const std::uint64_t length : {1, 2, 7})
      EXPECT_EQ(numbers_of(in_legs(
                    tested, how, [&] { return length; }, [](options&) {})),
                numbers_of(alone))
          << length;
  });
}

/// A finding stops a search wherever it is.
TEST_P(ChainOfInterruptions, InTheMiddleOfExecutionsCountsNothingTwice) {
  for_random_programs(GetParam(), [&](const program& tested, options how, const exploration& alone) {
    const file_name file;
    how.kept.checkpoint = file.text();
    for (int stops = 0; stops < 10; ++stops) {
      how.judging.keep_going = false;
      static_cast<void>(explore(tested, how));
      how.kept.resume = file.text();
    }
    how.judging.keep_going = true;
    EXPECT_EQ(numbers_of(explore(tested, how)), numbers_of(alone));
  });
}

TEST_P(ChainOfInterruptions, OfSeveralJobsEndsNoExecutionMoreThanAskedFor) {
  const auto sharing =
      std::string_view("optimal source persistent transdpor dcute exhaustive trust delay random pos pct");
  if (sharing.find(GetParam().engine) == std::string_view::npos) GTEST_SKIP() << "it works alone, or counts by state";
  std::minstd_rand drawn(1);
  for_random_programs(GetParam(), [&](const program& tested, const options& how, const exploration& alone) {
    const auto length = [&] { return 1 + drawn() % (1 + ends(alone) / 8); };
    EXPECT_EQ(seen(in_legs(tested, how, length, [&](options& leg) { leg.search.jobs = 1 + drawn() % 4; })),
              seen(alone));
  });
}

const std::vector<delivery> every_model = {delivery::unordered, delivery::fifo, delivery::causal,
                                           delivery::mailbox_interleaved};

INSTANTIATE_TEST_SUITE_P(
    Of, ChainOfInterruptions,
    testing::Values(chain{"optimal", every_model, false}, chain{"optimal", {delivery::unordered, delivery::fifo}, true},
                    chain{"exhaustive", every_model}, chain{"trust", every_model}, chain{"source", every_model},
                    chain{"dcute"}, chain{"persistent"}, chain{"transdpor"}, chain{"delay"},
                    chain{"stateful", {delivery::unordered}, {}, false, 1, 2}, chain{"random", every_model, {}, true},
                    chain{"pos", every_model, {}, true}, chain{"pct", every_model, {}, true}),
    [](const auto& test) {
      std::string name = test.param.engine;
      return name + (test.param.observers.value_or(false) ? "_with_observers" : "");
    });

std::vector<options> ways_through_states() {
  auto asleep = by("stateful");
  asleep.search.sleep_sets = true;
  auto awake = by("stateful");
  awake.search.sleep_sets = false;
  auto nearest = awake;
  nearest.states.order = search_order::breadth_first;
  auto renamed = awake;
  renamed.states.comparison = state_comparison::canonical;
  auto whole = nearest;
  whole.states.visited = visited_states::exact;
  return {asleep, awake, nearest, renamed, whole};
}

TEST(EngineStateful, FindsTheSameStatesHoweverOftenItIsStopped) {
  std::minstd_rand drawn(1);
  std::uint64_t programs = 0;
  for (std::uint64_t seed = 1; programs < 10; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    for (auto how : ways_through_states()) {
      how.limits.max_executions = 1000;
      std::optional<exploration> alone;
      try {
        alone = explore(tested, how);
      } catch (const untestable_program&) {
        continue;
      }
      if (!alone->exhausted || alone->executions < 2) continue;
      ++programs;
      how.limits.max_executions = 0;
      how.search.jobs = 3;
      const auto together = explore(tested, how);
      EXPECT_EQ(together.states->states, alone->states->states) << "seed " << seed;
      EXPECT_EQ(together.states->final_states, alone->states->final_states) << "seed " << seed;
      const auto sleeps = *how.search.sleep_sets;
      if (!sleeps) {
        EXPECT_EQ(together.transitions, alone->transitions) << "seed " << seed;
      }
      const auto stopped = with_interruptions(tested, how, drawn, 0);
      EXPECT_EQ(stopped.states->states, alone->states->states) << "seed " << seed;
      EXPECT_EQ(stopped.states->final_states, alone->states->final_states) << "seed " << seed;
      if (!sleeps) {
        EXPECT_EQ(stopped.executions, alone->executions) << "seed " << seed;
      }
    }
  }
}

struct counted_steps {
  int n = 0;
  void step(self& me, int left) {
    me.check(++n < 4, "the fourth step is one too many");
    if (left > 0) me.send<&counted_steps::step>(me.me<counted_steps>(), left - 1);
  }
};

/// A long way to the failure through one actor, which comes first, and a short one through the other.
void long_way_and_short_one(self& me) {
  me.send<&counted_steps::step>(me.create<counted_steps>(), 5);
  const auto near = me.create<counted_steps>();
  for (int i = 0; i < 4; ++i) me.send<&counted_steps::step>(near, 0);
}

TEST(EngineStateful, FindsAShortestScheduleByAnyNumberOfWorkersBreadthFirst) {
  for (const std::uint64_t jobs : {1, 2, 3, 4}) {
    auto how = by("stateful");
    how.states.order = search_order::breadth_first;
    how.search.jobs = jobs;
    const auto found = explore(make_program(long_way_and_short_one), how);
    ASSERT_THAT(found.findings, SizeIs(1)) << jobs;
    EXPECT_THAT(found.findings[0].trace, SizeIs(4)) << jobs;
  }
}

TEST(SeveralJobs, JudgeByAMonitorEach) {
  const auto tested = make_program(two_adders);
  const auto judged = [&](std::uint64_t jobs) {
    ltl_monitor judge(R"(F "adder_0 RECV add")");
    auto how = by("optimal");
    how.search.jobs = jobs;
    how.judging.by = &judge;
    return explore(tested, how);
  };
  const auto alone = judged(1);
  const auto together = judged(3);

  EXPECT_EQ(seen(together), seen(alone));
  EXPECT_EQ(together.notes, alone.notes);
  EXPECT_EQ(together.jobs, 3U);
}

TEST(SeveralJobs, AreAsManyAsThereAreCoresIfAskedForNone) {
  auto how = by("optimal");
  how.search.jobs = 0;

  EXPECT_GE(explore(make_program(two_adders), how).jobs, 1U);
}

TEST(SeveralJobs, ReportOneFirstFinding) {
  auto how = by("optimal");
  how.judging.keep_going = false;
  how.search.jobs = 4;
  const auto result = explore(make_program(two_adders), how);

  EXPECT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings.front().occurrences, 1U);
  EXPECT_EQ(result.stopped_by, "the first finding");
}

TEST(SeveralJobs, AreRefusedToEnginesThatWorkAlone) {
  auto how = by("round-robin");
  how.search.jobs = 2;

  EXPECT_THAT(error_of(make_program(two_adders), how), AllOf(HasSubstr("engine round-robin"), HasSubstr("optimal")));
}

TEST(SeveralJobs, AreRefusedToHandlersThatWriteToAGlobalVariable) {
  auto how = by("optimal");
  EXPECT_TRUE(explore(make_program(somebody::two_writers), how).exhausted);
  how.search.jobs = 2;

  EXPECT_THAT(error_of(make_program(somebody::two_writers), how),
              AllOf(HasSubstr("writer_"), HasSubstr(".write("), HasSubstr("journal"), HasSubstr("--jobs 1")));
}

}  // namespace
}  // namespace harrier
