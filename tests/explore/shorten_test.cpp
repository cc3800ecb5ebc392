// Of a finding the shortest schedule is shown, if it can be found in a moment, whatever engine came upon it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include <harrier/harrier.hpp>
#include <harrier/property/ltl_monitor.hpp>

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// Fails when it is fired armed; what else it takes does not matter.
struct cannon {
  bool armed = false;
  int knocks = 0;
  void knock() { ++knocks; }
  void arm() { armed = true; }
  void fire(self& me) { me.check(!armed, "never armed"); }
};

program knocked(int knocks) {
  return make_program([=](self& me) {
    const auto it = me.create<cannon>();
    for (int i = 0; i < knocks; ++i) me.send<&cannon::knock>(it);
    me.send<&cannon::arm>(it);
    me.send<&cannon::fire>(it);
  });
}

std::vector<std::string> messages_of(const finding& f) {
  std::vector<std::string> all;
  for (const auto& step : f.trace) all.push_back(step.message);
  return all;
}

class AFindingOf : public testing::TestWithParam<const char*> {};

TEST_P(AFindingOf, IsShownWithAShortestSchedule) {
  options how;
  how.search.engine = GetParam();
  const auto result = explore(knocked(4), how);

  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_THAT(messages_of(result.findings[0]), ElementsAre("arm()", "fire()"));
  EXPECT_TRUE(result.findings[0].is_shortest);
}

INSTANTIATE_TEST_SUITE_P(Engines, AFindingOf,
                         testing::Values("auto", "optimal", "exhaustive", "random", "pos", "pct", "delay", "stateful",
                                         "trust", "dcute"),
                         [](const auto& of) { return std::string(of.param); });

/// Waits for an answer that comes unless it was told to be quiet.
struct quiet_one {
  bool quiet = false;
  int said = 0;
  int answer() const { return said; }
  bool accepts(handler<&quiet_one::answer>) const { return !quiet; }
  void hush() { quiet = true; }
  void say() { ++said; }
};
struct caller {
  ref<quiet_one> of;
  task ask(self& me) { co_await me.call<&quiet_one::answer>(of); }
};

TEST(ADeadlock, IsShownWithAShortestScheduleToAnEnd) {
  const auto tested = make_program([](self& me) {
    const auto whom = me.create<quiet_one>();
    me.send<&quiet_one::say>(whom);
    me.send<&caller::ask>(me.create<caller>(whom));
    me.send<&quiet_one::hush>(whom);
  });
  const auto result = explore(tested);

  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_THAT(result.findings[0].schedule, SizeIs(3));  // nothing may be left to deliver
  EXPECT_TRUE(result.findings[0].is_shortest);
}

TEST(SeveralFindings, AreShortenedTogether) {
  const auto tested = make_program([](self& me) {
    const auto one = me.create<cannon>();
    const auto other = me.create<cannon>();
    for (const auto it : {one, other}) {
      me.send<&cannon::knock>(it);
      me.send<&cannon::arm>(it);
      me.send<&cannon::fire>(it);
    }
    me.send<&quiet_one::hush>(me.create<quiet_one>());
  });
  options how;
  how.judging.keep_going = true;
  how.search.engine = "optimal";
  how.judging.finally = [](final_states& end) { end.check(!end.only<quiet_one>().quiet, "somebody is quiet"); };
  const auto result = explore(tested, how);

  ASSERT_THAT(result.findings, SizeIs(2));
  for (const auto& f : result.findings) EXPECT_TRUE(f.is_shortest) << f.message;
  EXPECT_EQ(result.executions, 36U);  // what is done to shorten is not counted
}

TEST(ALongWayToAFinding, IsNotSaidToBeShortest) {
  struct runner {
    int far = 0;
    void run(self& me) {
      me.check(++far < 101'000, "not so far");
      me.send<&runner::run>(me.me<runner>());
    }
  };
  options how;
  how.search.engine = "optimal";
  const auto result = explore([](self& me) { me.send<&runner::run>(me.create<runner>()); }, how);

  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_FALSE(result.findings[0].is_shortest);  // it is, but that takes longer than a moment to see
}

TEST(WhatAMonitorFinds, IsShownAsItCame) {
  ltl_monitor never(R"(G !"cannon_0 RECV fire")");
  options how;
  how.search.engine = "optimal";
  how.judging.by = &never;
  how.judging.keep_going = true;
  const auto result = explore(knocked(2), how);

  for (const auto& f : result.findings) EXPECT_EQ(f.is_shortest, f.kind == finding_kind::assertion) << f.message;
  EXPECT_THAT(result.findings, SizeIs(2));
}

}  // namespace
}  // namespace harrier
