// Timers, crashes, cuts and healing, each by its smallest program.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <harrier/core/states.hpp>
#include <harrier/harrier.hpp>
#include <harrier/replay/replay.hpp>

#include "with_faults.hpp"

namespace harrier {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

std::vector<std::string> faults_of(const finding& f) {
  std::vector<std::string> all;
  for (const auto& step : f.trace) all.insert(all.end(), step.faults.begin(), step.faults.end());
  return all;
}

struct alarm_clock {
  int rung = 0;
  void set(self& me) { me.after<&alarm_clock::ring>(5s, 3); }
  void reset(self& me) {
    me.cancel<&alarm_clock::ring>();
    me.note("reset after " + std::to_string(rung));
  }
  void ring(int times) { rung += times; }
};

TEST(ATimer, FiresOnceAtAnyMoment) {
  const auto tested = make_program([](self& me) {
    const auto clock = me.create<alarm_clock>();
    me.send<&alarm_clock::set>(clock);
    me.send<&alarm_clock::reset>(clock);
  });
  for (const std::string& engine : searches) {
    const auto all = explore(tested, with({}, engine));
    EXPECT_TRUE(all.exhausted) << engine;
    EXPECT_EQ(all.executions, 3U) << engine << ": it fires before the reset, is reset, or is set after that";
    EXPECT_THAT(outcomes_of(all), ElementsAre("reset after 0", "reset after 3")) << engine;
  }
}

TEST(ATimer, ThatIsCancelledWhereItIsSetMultipliesNothing) {
  struct quick {
    void start(self& me) {
      me.after<&quick::late>(1s);
      me.cancel<&quick::late>();
    }
    void late() {}
  };
  for (const std::string& engine : searches) {
    const auto all = explore(make_program([](self& me) {
                               const auto q = me.create<quick>();
                               for (int i = 0; i < 3; ++i) me.send<&quick::start>(q);
                             }),
                             with({}, engine));
    if (engine != "stateful") {
      EXPECT_EQ(all.executions, 6U) << engine;
    }
    EXPECT_THAT(all.points, ElementsAre(Pair("timer quick.late fires", false))) << engine;
    EXPECT_THAT(all.notes, Contains(HasSubstr("never happened, in any execution: timer quick.late fires"))) << engine;
  }
}

TEST(ATimer, HasTwoStatesMoreThanTheProgramWithoutIt) {
  const auto armed = explore(make_program([](self& me) { me.send<&alarm_clock::set>(me.create<alarm_clock>()); }),
                             with({}, "stateful"));
  ASSERT_TRUE(armed.states.has_value());
  EXPECT_EQ(armed.states->states, 3U) << "before it is set, then set, then fired";
}

struct heart {
  int beats = 0;
  void beat(self& me) {
    ++beats;
    me.after<&heart::beat>(1s);
  }
};

TEST(ATimerThatFiresAgainAndAgain, HasABudgetThatTheResultNames) {
  const auto tested = make_program([](self& me) { me.send<&heart::beat>(me.create<heart>()); });
  for (const std::string& engine : searches) {
    const auto all = explore(tested, with({.timeouts = 5}, engine));
    EXPECT_TRUE(all.exhausted) << engine;
    EXPECT_EQ(all.out_of_timeouts, 1U) << engine;
    EXPECT_EQ(all.max_depth, 6U) << engine;
    EXPECT_THAT(all.notes, Contains(HasSubstr("no end was judged"))) << engine;
  }
}

struct server {
  int count = 0;
  int get() { return ++count; }
  void hold() {}
  task_of<int> forward(self& me, ref<server> to) { co_return co_await me.call<&server::get>(to); }
};
struct client {
  ref<server> whom;
  task ask(self& me) {
    const std::optional<int> got = co_await me.call<&server::get>(whom).within(100ms);
    me.note(got ? "got " + std::to_string(*got) : "nothing");
  }
  task ask_twice(self& me) {
    std::string heard;
    for (int i = 0; i < 2; ++i) {
      const auto got = co_await me.call<&server::get>(whom).within(100ms);
      heard += got ? std::to_string(*got) : "-";
    }
    me.note(heard);
  }
  task ask_for_nothing(self& me) {
    const bool was_held = co_await me.call<&server::hold>(whom).within(1ms);
    me.note(was_held ? "held" : "not held");
  }
};

template <auto Ask>
program asking() {
  return make_program([](self& me) { me.send<Ask>(me.create<client>(me.create<server>())); });
}

TEST(ACallWithALimit, EndsWithTheReplyOrWithoutIt) {
  for (const std::string& engine : searches) {
    EXPECT_THAT(outcomes_of(explore(asking<&client::ask>(), with({}, engine))), ElementsAre("got 1", "nothing"));
    EXPECT_THAT(outcomes_of(explore(asking<&client::ask_for_nothing>(), with({}, engine))),
                ElementsAre("held", "not held"));
    const auto twice = explore(asking<&client::ask_twice>(), with({}, engine));
    EXPECT_THAT(twice.findings, IsEmpty()) << engine;
    if (engine != "stateful") {
      EXPECT_THAT(outcomes_of(twice), UnorderedElementsAre("12", "1-", "-1", "-2", "--")) << engine;
    }
  }
}

TEST(ACallWithALimit, IsNoDeadlockWhereAMessageIsLost) {
  for (const std::string& engine : searches) {
    const auto all = explore(asking<&client::ask>(), with({.lose = 1}, engine));
    EXPECT_THAT(all.findings, IsEmpty()) << engine;
  }
}

struct pacer {
  void start(self& me, int due) { me.after<&pacer::ring>(std::chrono::milliseconds(due), due); }
  void ring(self& me, int due) {
    me.check(me.now() == std::chrono::milliseconds(due), "it is that late");
    if (due < 4) me.after<&pacer::ring>(2ms, due + 2);
  }
};

TEST(TimersInOrder, FireWhenNothingElseIsLeftAtTheirTime) {
  const auto tested = make_program([](self& me) {
    const auto one = me.create<pacer>();
    me.send<&pacer::start>(one, 3);
    me.send<&pacer::start>(one, 2);
    me.send<&pacer::start>(me.create<pacer>(), 1);
  });
  for (const std::string& engine : searches) {
    const auto all = explore(tested, with({.timeouts = 5, .earliest_first = 1}, engine));
    EXPECT_TRUE(all.exhausted) << engine;
    EXPECT_THAT(all.findings, IsEmpty()) << engine;
    if (engine != "exhaustive" && engine != "stateful") {
      EXPECT_EQ(all.executions, 8U) << engine << ": orders of starting, of two due after 3 ms, and of two after 5 ms";
    }
  }
}

TEST(TimersInOrder, AreWhatAClockNeeds) {
  EXPECT_THROW(explore(make_program([](self& me) {
                         const auto one = me.create<pacer>();
                         me.send<&pacer::start>(one, 3);
                       }),
                       with({})),
               untestable_program);
}

TEST(ATimer, IsRefusedWhereHandlersAreInterleaved) {
  auto how = with({});
  how.search.delivery = delivery::mailbox_interleaved;
  EXPECT_THROW(static_cast<void>(explore(asking<&client::ask>(), how)), untestable_program);
}

struct listener {
  int value = 0;
  void add() { ++value; }
};

struct keeper {
  persistent<int> written = 0;
  int seen = 0;
  ref<listener> to;
  void write(self& me) {
    written = 1;
    seen = 1;
    me.send<&listener::add>(to);
  }
  void write_safely(self& me) {
    written = 1;
    me.sync();
    me.send<&listener::add>(to);
  }
  void on_restart(self& me) { me.note(written == 1 ? "kept" : "forgotten"); }
};

template <auto Write>
program keeping(const char* judged) {
  auto tested = make_program([](self& me) {
    const auto counted = me.create<listener>();
    me.send<Write>(me.create<keeper>(0, 0, counted));
  });
  tested.finally = [judged](final_states& end) {
    const auto& k = end.only<keeper>();
    end.check(end.only<listener>().value == 0 || k.written == 1, judged);
  };
  return tested;
}

TEST(ACrash, MayForgetWhatWasSent) {
  for (const std::string& engine : searches) {
    const auto careless = explore(keeping<&keeper::write>("what was told is kept"), with({.crash = 1}, engine));
    ASSERT_EQ(careless.findings.size(), 1U) << engine;
    EXPECT_EQ(careless.findings[0].message, "what was told is kept");
    EXPECT_THAT(faults_of(careless.findings[0]),
                ElementsAre("keeper_1 crashes in this step, after 1 of its messages and restarts"))
        << engine;
    const auto careful = explore(keeping<&keeper::write_safely>("what was told is kept"), with({.crash = 1}, engine));
    EXPECT_THAT(careful.findings, IsEmpty()) << engine;
    EXPECT_THAT(outcomes_of(careful), ElementsAre("forgotten", "kept")) << engine;
    EXPECT_THAT(careful.points, Contains(Pair("keeper restarts", true)));
  }
}

TEST(ACrash, IsRepeatedByAReplay) {
  const auto tested = keeping<&keeper::write>("what was told is kept");
  const auto all = explore(tested, with({.crash = 1}));
  ASSERT_EQ(all.findings.size(), 1U);
  replay_listener nobody;
  EXPECT_EQ(replay(tested, {.finding = all.findings[0], .faults = all.faults}, nobody).way,
            replay_end::how::found_again);
}

TEST(AReplay, BeginsWithWhatTheDriverDrew) {
  struct judge {
    void hear(self& me, int drawn) { me.check(drawn != 1, "one was drawn"); }
  };
  const auto tested =
      make_program([](self& me) { me.send<&judge::hear>(me.create<judge>(), static_cast<int>(me.choose(2))); });
  const auto all = explore(tested, with({}));
  ASSERT_EQ(all.findings.size(), 1U);
  replay_listener nobody;
  EXPECT_EQ(replay(tested, {.finding = all.findings[0]}, nobody).way, replay_end::how::found_again);
}

TEST(ACrash, OfOneThatDoesNotRestartLeavesItsCallersWaiting) {
  const auto all = explore(make_program([](self& me) {
                             const auto s = me.create<server>();
                             me.send<&client::ask_for_nothing>(me.create<client>(s));
                             me.send<&server::forward>(me.create<server>(), s);
                           }),
                           with({.crash = 1}));
  ASSERT_FALSE(all.findings.empty());
  EXPECT_THAT(all.findings[0].details, Contains(HasSubstr("has crashed")));
}

struct idle {
  void nothing() {}
};

TEST(ACrash, OfOneOfThreeThatAreIdle) {
  const auto tested = make_program([](self& me) {
    for (int i = 0; i < 3; ++i) me.create<idle>();
  });
  EXPECT_EQ(explore(tested, with({.crash = 1})).executions, 8U);
  const auto one = explore(tested, with({.crash = 1, .in_all = 1}));
  EXPECT_EQ(one.executions, 4U);
  const auto states = explore(tested, with({.crash = 1, .in_all = 1}, "stateful"));
  ASSERT_TRUE(states.states.has_value());
  EXPECT_EQ(states.states->final_states, 4U);
}

// What the set-up does is not drawn, and not taken back, however often it is said what may happen.
struct prepared {
  std::vector<ref<idle>> all;
  void set_up(self& me) {
    for (int i = 0; i < 2; ++i) all.push_back(me.create<idle>());
  }
  void test(self& me) {
    const auto last = all[me.choose(2)];
    me.send<&idle::nothing>(last);
  }
};

TEST(ACrash, OfWhatTheSetUpCreatedIsDrawnByTheDriver) {
  // One of two is sent something, unless it is not there: it takes that, and crashes after it or not.
  constexpr std::uint64_t expected = 2 * (2 * (1 + 2));
  EXPECT_EQ(explore(make_program(prepared{}), with({.crash = 1})).executions, expected);
  EXPECT_EQ(explore(with_faults(make_program(prepared{}), {.crash = 1}), with({.crash = 1})).executions, expected);
}

struct sender {
  ref<listener> to;
  void go(self& me) { me.send<&listener::add>(to); }
};

TEST(ACut, LosesMessagesInARow) {
  const auto tested = make_program([](self& me) {
    const auto s = me.create<sender>(me.create<listener>());
    for (int i = 0; i < 4; ++i) me.send<&sender::go>(s);
  });
  auto how = with({.partition = 1});
  how.search.delivery = delivery::fifo;
  std::vector<std::uint64_t> left;
  how.judging.finally = [&left](final_states& end) {
    left.push_back(static_cast<std::uint64_t>(end.only<listener>().value));
  };
  const auto all = explore(tested, how);
  std::sort(left.begin(), left.end());
  // None of four is lost; or a row of 1 to 4 of them.
  const std::vector<std::uint64_t> expected{0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4};
  EXPECT_EQ(left, expected);
  EXPECT_EQ(all.with_faults, 10U);
}

// Sends again until it is answered.
struct persistent_asker {
  ref<server> whom;
  bool is_done = false;
  bool gives_up = false;
  task ask(self& me) {
    is_done = (co_await me.call<&server::get>(whom).within(100ms)).has_value();
    if (!is_done && !gives_up) me.after<&persistent_asker::ask>(1s);
  }
};

program retrying(bool gives_up) {
  return converges(make_program([gives_up](self& me) {
                     me.send<&persistent_asker::ask>(me.create<persistent_asker>(me.create<server>(), false, gives_up));
                   }),
                   "the request is answered", [](const states& all) { return all.only<persistent_asker>().is_done; });
}

TEST(Healing, IsReachedByOneWhoTriesAgain) {
  for (const std::string& engine : searches) {
    EXPECT_THAT(explore(retrying(false), with({.lose = 1}, engine)).findings, IsEmpty()) << engine;
    const auto given_up = explore(retrying(true), with({.lose = 1}, engine));
    ASSERT_EQ(given_up.findings.size(), 1U) << engine;
    EXPECT_LE(given_up.transitions, 100U) << engine << ": what only sees whether it heals is not counted";
    EXPECT_THAT(given_up.findings[0].message,
                HasSubstr("in the end it does not come about that the request is answered: nothing more can "
                          "be delivered"));
  }
}

TEST(Healing, FindsWhatGoesRoundInACircle) {
  const auto restless = converges(
      make_program([](self& me) {
        me.send<&alarm_clock::set>(me.create<alarm_clock>());
        me.send<&heart::beat>(me.create<heart>());
      }),
      "the clock has rung four times", [](const states& all) { return all.only<alarm_clock>().rung == 4; }, 50);
  const auto all = explore(restless, with({.timeouts = 2}));
  ASSERT_EQ(all.findings.size(), 1U);
  EXPECT_THAT(all.findings[0].message, HasSubstr("not within 50 fair deliveries without a fault"));
}

TEST(Healing, IsRepeatedByAReplay) {
  const auto all = explore(retrying(true), with({.lose = 1}));
  ASSERT_EQ(all.findings.size(), 1U);
  replay_listener nobody;
  EXPECT_EQ(replay(retrying(true), {.finding = all.findings[0], .faults = all.faults}, nobody).way,
            replay_end::how::found_again);
}

TEST(Healing, AsAnOptionAsksThatNobodyWaits) {
  const auto all =
      explore(make_program([](self& me) { me.send<&heart::beat>(me.create<heart>()); }), with({.heal = 100}));
  EXPECT_THAT(all.findings, IsEmpty()) << "a heart that beats waits for nothing";
}

TEST(PointsToCover, AreTold) {
  struct walker {
    void go(self& me, int where) {
      if (where == 1) me.cover("the left way");
      if (where == 2) me.cover("the right way");
    }
  };
  const auto tested = covers(make_program([](self& me) { me.send<&walker::go>(me.create<walker>(), 1); }),
                             {"the left way", "the right way"});
  for (const std::string& engine : searches)
    EXPECT_THAT(explore(tested, with({}, engine)).points,
                ElementsAre(Pair("the left way", true), Pair("the right way", false)))
        << engine;
}

TEST(TimersAndCrashes, ComeToTheSameForSeveralJobs) {
  const auto tested = make_program([](self& me) {
    const auto counted = me.create<listener>();
    me.send<&keeper::write>(me.create<keeper>(0, 0, counted));
    me.send<&client::ask>(me.create<client>(me.create<server>()));
  });
  for (const std::string engine : {"optimal", "trust", "source"}) {
    auto how = with({.crash = 1, .timeouts = 2}, engine);
    const auto one = explore(tested, how);
    how.search.jobs = 3;
    const auto several = explore(tested, how);
    EXPECT_EQ(several.executions, one.executions) << engine;
    EXPECT_EQ(several.points, one.points) << engine;
    EXPECT_EQ(several.out_of_timeouts, one.out_of_timeouts) << engine;
  }
}

}  // namespace
}  // namespace harrier
