// Messages that are lost, or arrive twice: what is found, told and replayed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <harrier/harrier.hpp>
#include <harrier/native/test_body.hpp>
#include <harrier/replay/ends.hpp>
#include <harrier/replay/replay.hpp>

#include "with_faults.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct replica {
  int value = 0;
  void write(int v) { value = v; }
};

struct writer {
  ref<replica> first, second;
  void start(self& me) {
    me.send<&replica::write>(first, 5);
    me.send<&replica::write>(second, 5);
  }
};

/// A writer tells two replicas, and nobody looks whether they heard.
struct careless {
  void test(self& me) {
    const auto first = me.create<replica>();
    const auto second = me.create<replica>();
    me.send<&writer::start>(me.create<writer>(first, second));
  }
  void finally(final_states& end) const {
    const auto replicas = end.all<replica>();
    end.check(replicas[0].get().value == replicas[1].get().value, "the replicas agree");
  }
};

struct counter {
  int n = 0;
  void add(self& me) { me.note(std::to_string(++n)); }
  int count() const { return n; }
};

struct adder {
  ref<counter> to;
  int times = 1;
  void start(self& me) {
    for (int i = 0; i < times; ++i) me.send<&counter::add>(to);
  }
};

program adding(int times) {
  return make_program([times](self& me) { me.send<&adder::start>(me.create<adder>(me.create<counter>(), times)); });
}

struct asker {
  ref<counter> whom;
  task start(self& me) { me.note("heard " + std::to_string(co_await me.call<&counter::count>(whom))); }
};

const auto asking = make_program([](self& me) { me.send<&asker::start>(me.create<asker>(me.create<counter>())); });

TEST(ALostMessage, IsFoundAndTold) {
  const auto result = explore(make_program(careless{}), with({.lose = 1}));

  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].message, "the replicas agree");
  EXPECT_THAT(result.findings[0].trace.front().faults, ElementsAre(HasSubstr("write(5) to replica_")));
  EXPECT_THAT(result.findings[0].trace.front().choices, IsEmpty()) << "the handler drew nothing";
  EXPECT_EQ(result.executions, 4U);
  EXPECT_EQ(result.with_faults, 3U);
  EXPECT_EQ(result.faults, (faults{.lose = 1}));
}

TEST(ALostMessage, IsLostAgainInAReplay) {
  const auto tested = make_program(careless{});
  const auto result = explore(tested, with({.lose = 1}));
  ASSERT_EQ(result.findings.size(), 1U);

  replay_listener nobody;
  EXPECT_EQ(replay(tested, {.finding = result.findings[0], .faults = result.faults}, nobody).way,
            replay_end::how::found_again);
  EXPECT_EQ(replay(tested, {.finding = result.findings[0]}, nobody).way, replay_end::how::differs);
}

TEST(ALostMessage, IsNotThereUnlessAskedFor) {
  EXPECT_THAT(explore(make_program(careless{}), with({})).findings, IsEmpty());
}

TEST(ABudget, IsOneOfEachChannel) {
  EXPECT_EQ(explore(adding(3), with({.lose = 1})).executions, 3U * 2 + 6) << "one of three is lost, or none";
  EXPECT_THAT(outcomes_of(explore(adding(3), with({.lose = 2}))), ElementsAre("1", "2", "3"));
  EXPECT_THAT(outcomes_of(explore(adding(2), with({.duplicate = 2}))), ElementsAre("1", "2", "3", "4"));
}

TEST(AMessageThatArrivesTwice, IsTakenOnceMore) {
  const auto result = explore(adding(1), with({.duplicate = 1}));

  EXPECT_THAT(outcomes_of(result), ElementsAre("1", "2"));
  EXPECT_EQ(result.executions, 2U) << "nobody can tell which of the two comes first";
}

TEST(ARequestThatArrivesTwice, IsAnsweredOnce) {
  const auto result = explore(asking, with({.duplicate = 1}));

  EXPECT_TRUE(result.exhausted);
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(outcomes_of(result), ElementsAre("heard 0"));
}

TEST(ALostRequestOrReply, LeavesItsCallerWaiting) {
  const auto result = explore(asking, with({.lose = 1}));

  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].kind, finding_kind::deadlock);
  EXPECT_EQ(result.findings[0].occurrences, 2U) << "the request is lost, or the reply";
  EXPECT_THAT(result.findings[0].details, ElementsAre("asker_1 waits for the reply to counter_0.count(): it was lost"));

  const auto s = with_faults(asking, {.lose = 1}).start();
  constexpr std::uint64_t is_lost = 1;
  s->deliver(s->first_deliverable());
  s->deliver(s->first_deliverable(), is_lost);
  EXPECT_THAT(
      describe_deadlock(*s, {2}).details,
      ElementsAre("asker_1 waits for the reply to counter_0.count(): counter_0 took it, and its reply was lost"));
}

// Steps are remembered unless they draw what befalls somebody, whoever allowed that.
TEST(Faults, OfTheProgramItselfAreDrawnEachTime) {
  for (const std::string engine : {"stateful", "exhaustive", "optimal"}) {
    auto how = with({}, engine);
    const auto own = explore(with_faults(adding(7), {.lose = 1}), how);
    how.search.faults.lose = 1;
    EXPECT_EQ(own.executions, explore(adding(7), how).executions) << engine;
    EXPECT_EQ(own.faults.lose, 1U) << engine << ": as the verdict says";
    EXPECT_THAT(own.findings, IsEmpty()) << engine;
  }
}

// What goes with what does not depend on who allowed it.
TEST(Faults, OfTheProgramItselfAreRefusedWhereThoseAskedForAre) {
  auto how = with({}, "source");
  how.search.independence = independence::semantic;
  try {
    static_cast<void>(explore(with_faults(adding(7), {.lose = 1}), how));
    FAIL();
  } catch (const error& e) {
    EXPECT_THAT(e.what(), HasSubstr("share a budget of faults"));
  }
}

TEST(WhatTheDriverSends, Arrives) {
  const auto result = explore(make_program([](self& me) { me.send<&counter::add>(me.create<counter>()); }),
                              with({.lose = 1, .duplicate = 1}));

  EXPECT_EQ(result.executions, 1U);
  EXPECT_THAT(result.notes, Contains(HasSubstr("no fault was possible")));
}

TEST(Faults, ComeToTheSameForSeveralJobsAndFromACheckpoint) {
  const auto alone = explore(adding(5), with({.lose = 2, .duplicate = 1}));
  for (const std::string engine : {"optimal", "trust", "exhaustive"}) {
    auto how = with({.lose = 2, .duplicate = 1}, engine);
    const auto one = explore(adding(5), how);
    how.search.jobs = 3;
    const auto several = explore(adding(5), how);
    EXPECT_EQ(several.executions, one.executions) << engine;
    EXPECT_EQ(several.with_faults, one.with_faults) << engine;
    EXPECT_EQ(outcomes_of(one), outcomes_of(alone)) << engine;
  }

  const auto file = std::filesystem::path(testing::TempDir()) / "faults.checkpoint";
  auto how = with({.lose = 2, .duplicate = 1});
  how.kept.checkpoint = file;
  how.limits.max_executions = alone.executions / 2;
  EXPECT_FALSE(explore(adding(5), how).exhausted);
  how.limits.max_executions = 0;
  how.kept.resume = file;
  const auto resumed = explore(adding(5), how);
  EXPECT_EQ(resumed.executions, alone.executions);
  EXPECT_EQ(resumed.with_faults, alone.with_faults);
  how.search.faults.lose = 1;
  EXPECT_THROW(static_cast<void>(explore(adding(5), how)), error) << "it is another search";
  std::filesystem::remove(file);
}

// What is left of a budget is part of a state: without it, states would be merged in which other messages can be lost.
TEST(Faults, AreAllTriedWhereStatesAreCompared) {
  struct passer {
    ref<counter> to;
    int passed = 0;
    void pass(self& me) {
      passed = 1;
      me.send<&counter::add>(to);
    }
  };
  const auto relayed = make_program([](self& me) {
    const auto r = me.create<passer>(me.create<counter>());
    for (int i = 0; i < 3; ++i) me.send<&passer::pass>(r);
  });
  for (const auto may_happen : {faults{.lose = 1}, faults{.lose = 2}, faults{.duplicate = 1}, faults{1, 1}}) {
    std::set<int> ends_of_stateful;
    std::set<int> ends_of_all;
    auto how = with(may_happen, "stateful");
    how.judging.finally = [&](final_states& end) { ends_of_stateful.insert(end.only<counter>().n); };
    static_cast<void>(explore(relayed, how));
    how = with(may_happen, "exhaustive");
    how.judging.finally = [&](final_states& end) { ends_of_all.insert(end.only<counter>().n); };
    static_cast<void>(explore(relayed, how));
    EXPECT_EQ(ends_of_stateful, ends_of_all) << may_happen.lose << " " << may_happen.duplicate;
  }
}

TEST(ABodyThatWaits, SeesWhatWasLost) {
  const auto tested = make_test_program({[](self& me, test_run& run) {
    const auto c = me.create<counter>();
    me.send<&adder::start>(me.create<adder>(c, 2));
    run.handle_all();
    me.note("seen " + std::to_string(run.state(c).n));
    me.send<&adder::start>(me.create<adder>(c, 1));
    run.handle_all();
    me.note("at last " + std::to_string(run.state(c).n));
  }});
  const auto result = explore(tested, with({.lose = 1}));

  EXPECT_TRUE(result.exhausted);
  EXPECT_THAT(outcomes_of(result), AllOf(Contains("seen 1"), Contains("seen 2"), Contains("at last 1"),
                                         Contains("at last 2"), Contains("at last 3")));
  EXPECT_EQ(explore(tested, with({.lose = 1}, "exhaustive")).outcomes.size(), result.outcomes.size());
}

}  // namespace
}  // namespace harrier
