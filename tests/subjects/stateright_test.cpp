// What Stateright (github.com/stateright/stateright) counts for its examples and tests of networks and time, and what
// harrier counts, where that differs: docs/faults.md explains the differences.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

#include <harrier/explore/explore.hpp>
#include <harrier/harrier.hpp>

#include "named.hpp"

namespace harrier::subjects {
namespace {

using namespace std::chrono_literals;

struct counted {
  std::uint64_t all = 0;
  std::uint64_t ends = 0;
};

counted states_of(const program& tested, const faults& may_happen = {}) {
  options how;
  how.search.engine = "stateful";
  how.judging.keep_going = true;
  how.search.faults = may_happen;
  const auto result = explore(tested, how);
  EXPECT_TRUE(result.exhausted);
  if (!result.states) return {};
  return {result.states->states, result.states->final_states};
}

program counted_pingpong(const char* most) { return named("pingpong-counted", {{"max", most}}); }

TEST(PingpongCounted, HasAsManyStatesAsInStateright) { EXPECT_EQ(states_of(counted_pingpong("5")).all, 11U); }

// The first ping is sent by the set-up, and arrives. Of each later one: before it is lost, or waits once or twice, each
// one before it has left a copy that nobody takes, or none: 1 + 3 (1 + 2 + ... + 512).
TEST(PingpongCounted, HasOtherStatesOnANetworkThatLosesAndDoubles) {
  EXPECT_EQ(states_of(counted_pingpong("5"), {.lose = 6, .duplicate = 6}).all, 3070U);
  EXPECT_EQ(states_of(counted_pingpong("5"), {.lose = 6}).all, 21U) << "one more for each that can be lost";
}

struct chooser {
  int chosen = 0;
  void start(self& me) { chosen = static_cast<int>(me.choose(3)) + 1; }
};

TEST(AChoiceOfThree, HasFourStates) {
  EXPECT_EQ(states_of(make_program([](self& me) { me.send<&chooser::start>(me.create<chooser>()); })).all, 4U);
}

struct sleeper {
  void start(self& me) { me.after<&sleeper::wake>(1s); }
  void wake() {}
};

struct sleeping {
  void start_up(self& me) { me.send<&sleeper::start>(me.create<sleeper>()); }
  void test(self&) {}
};

TEST(ATimerThatDoesNothing, HasTwoStates) { EXPECT_EQ(states_of(make_program(sleeping{})).all, 2U); }

struct idle {
  void nothing() {}
};

TEST(OneOfThreeThatAreIdle, CrashesOrNot) {
  const auto tested = make_program([](self& me) {
    for (int i = 0; i < 3; ++i) me.create<idle>();
  });
  const auto there = states_of(tested, {.crash = 1, .in_all = 1});
  EXPECT_EQ(there.ends, 4U) << "as in Stateright";
  EXPECT_EQ(there.all, 5U) << "and before the driver's step, at whose end it is decided who is there at all";
}

TEST(Registers, HaveAsManyStatesAsInStaterightAndAreLinearizable) {
  EXPECT_EQ(states_of(named("single-copy-register", {})).all, 93U);
  EXPECT_EQ(states_of(named("abd-register", {})).all, 544U);
  EXPECT_EQ(states_of(named("paxos-register", {})).all, 16'668U);
}

TEST(SingleCopies, OfTwoServersAreNotLinearizable) {
  for (const auto* engine : {"stateful", "optimal", "source", "persistent", "exhaustive"}) {
    options how;
    how.search.engine = engine;
    const auto result = explore(named("single-copy-register", {{"servers", "2"}}), how);
    ASSERT_EQ(result.findings.size(), 1U) << engine;
    EXPECT_THAT(result.findings[0].message, testing::StartsWith("'register' is not linearizable: read() of "))
        << engine;
  }
}

// Who asks the other server what it has not been told: four deliveries, as in Stateright.
TEST(SingleCopies, OfTwoServersAreBrokenByFourDeliveries) {
  options how;
  how.search.engine = "stateful";
  how.states.order = search_order::breadth_first;
  const auto result = explore(named("single-copy-register", {{"servers", "2"}}), how);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].schedule.size(), 4U);
  EXPECT_THAT(result.findings[0].details, testing::Contains(testing::HasSubstr(": read() = '\\0'")));
  EXPECT_EQ(result.states->states, 16U);
}

}  // namespace
}  // namespace harrier::subjects
