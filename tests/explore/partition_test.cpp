// Groups of actors between which the network is cut, and is whole again: for all of them at the same moments.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <harrier/core/states.hpp>
#include <harrier/harrier.hpp>
#include <harrier/native/test_body.hpp>
#include <harrier/replay/replay.hpp>

#include "with_faults.hpp"

namespace harrier::partitions {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;

struct hearer {
  int heard = 0;
  void hear() { ++heard; }
};

struct teller {
  ref<hearer> first;
  ref<hearer> second;
  void tell(self& me) {
    me.send<&hearer::hear>(first);
    me.send<&hearer::hear>(second);
  }
};

std::string heard_by(const final_states& end) {
  std::string text;
  for (const hearer& one : end.all<hearer>()) text += std::to_string(one.heard);
  return text;
}

template <class Driver>
std::set<std::string> ends(Driver driver, options how) {
  std::set<std::string> all;
  how.judging.finally = [&all](final_states& end) { all.insert(heard_by(end)); };
  const auto result = explore(make_program(driver), how);
  EXPECT_TRUE(result.exhausted);
  return all;
}

/// One tells two, as often as that: by one step each.
struct telling {
  int times = 1;
  bool is_named = true;
  cuts how = cuts::both_ways;
  void test(self& me) const {
    const auto a = me.create<hearer>();
    const auto b = me.create<hearer>();
    const auto t = me.create<teller>(a, b);
    if (is_named) me.partition(group("west", t), group("east", a, b), how);
    for (int i = 0; i < times; ++i) me.send<&teller::tell>(t);
  }
};

TEST(ACutBetweenGroups, IsThereForAllOfThemAtOnce) {
  for (const std::string& engine : searches) {
    // What is lost are some messages in a row, of both: not what the first is told alone, and the second later.
    EXPECT_THAT(ends(telling{2}, with({.partition = 1}, engine)), ElementsAre("00", "01", "10", "11", "12", "21", "22"))
        << engine;
    EXPECT_THAT(ends(telling{2, false}, with({.partition = 1}, engine)), IsSupersetOf({"02", "20"})) << engine;
    EXPECT_THAT(ends(telling{2}, with({.partition = 2}, engine)), IsSupersetOf({"02", "20"})) << engine;
  }
}

TEST(ACutBetweenGroups, IsFoundOncePerWay) {
  // None is lost, or 1 to 4 of 4 in a row: 1 + 4 + 3 + 2 + 1; in each what a hearer takes comes in one order or two.
  auto how = with({.partition = 1});
  how.search.delivery = delivery::fifo;
  const auto all = explore(make_program(telling{2}), how);
  EXPECT_EQ(all.executions, 11U);
  EXPECT_EQ(all.with_faults, 10U);
}

struct caller {
  ref<hearer> to;
  void call(self& me) { me.send<&hearer::hear>(to); }
};

/// A says something to B, then C (who has heard of A by then) to B, then A again: C's message is between those of A.
struct relay {
  ref<hearer> to;
  ref<relay> next;
  void pass(self& me, int left) {
    me.send<&hearer::hear>(to);
    if (left > 0) me.send<&relay::pass>(next, left - 1);
  }
  void meet(ref<relay> whom) { next = whom; }
};
struct relaying {
  void test(self& me) const {
    const auto x = me.create<hearer>();
    const auto y = me.create<hearer>();
    const auto one = me.create<relay>(x);
    const auto two = me.create<relay>(y, one);
    me.partition(group("west", one, two), group("east", x, y));
    me.send<&relay::meet>(one, two);
    me.send<&relay::pass>(one, 2);
  }
};

TEST(ACutBetweenGroups, IsOneForThoseWhoHeardOfEachOther) {
  for (const std::string& engine : searches) {
    auto how = with({.partition = 1}, engine);
    how.search.delivery = delivery::fifo;
    // x is told twice, and y once in between: that x hears nothing and y does would be two cuts.
    EXPECT_THAT(ends(relaying{}, how), testing::Not(Contains("01"))) << engine;
    how.search.faults.partition = 2;
    EXPECT_THAT(ends(relaying{}, how), Contains("01")) << engine;
  }
}

/// By definition: the steps of `order` in turn, the cut and its end anywhere between any two messages.
std::set<std::string> by_definition(const std::vector<int>& told, std::size_t most) {
  std::set<std::string> all;
  for (std::size_t lost = 0; lost < (std::size_t{1} << told.size()); ++lost) {
    std::size_t rows = 0;
    int heard[2] = {0, 0};
    for (std::size_t i = 0; i < told.size(); ++i) {
      const bool is_lost = (lost >> i & 1U) != 0;
      if (is_lost && (i == 0 || (lost >> (i - 1) & 1U) == 0)) ++rows;
      if (!is_lost) ++heard[told[i]];
    }
    if (rows <= most) all.insert(std::to_string(heard[0]) + std::to_string(heard[1]));
  }
  return all;
}

TEST(ACutBetweenGroups, LosesWhatItLosesByDefinition) {
  for (const std::uint64_t most : {1U, 2U}) {
    EXPECT_EQ(ends(telling{3}, with({.partition = most})), by_definition({0, 1, 0, 1, 0, 1}, most));
    auto how = with({.partition = most});
    how.search.delivery = delivery::fifo;
    EXPECT_EQ(ends(relaying{}, how), by_definition({0, 1, 0}, most));
  }
}

/// Two who do not know of each other: any two of their messages may be on either side of a cut.
struct apart {
  void test(self& me) const {
    const auto x = me.create<hearer>();
    const auto y = me.create<hearer>();
    const auto one = me.create<caller>(x);
    const auto two = me.create<caller>(y);
    me.partition(group("west", one, two), group("east", x, y));
    for (int i = 0; i < 2; ++i) {
      me.send<&caller::call>(one);
      me.send<&caller::call>(two);
    }
  }
};

TEST(ACutBetweenGroups, OfTwoThatAreConcurrentLosesAnyOfTheirs) {
  const std::set<std::string> all{"00", "01", "02", "10", "11", "12", "20", "21", "22"};
  for (const std::string& engine : searches) EXPECT_EQ(ends(apart{}, with({.partition = 1}, engine)), all) << engine;
}

/// What one is told last changes nothing, but he hears of a cut by it.
struct observing {
  struct speaker {
    ref<hearer> to;
    void listen() const {}
    void speak(self& me) const { me.send<&hearer::hear>(to); }
  };
  struct first {
    ref<hearer> to;
    ref<speaker> other;
    void go(self& me) const {
      me.send<&hearer::hear>(to);
      me.send<&speaker::listen>(other);
    }
  };
  void test(self& me) const {
    const auto x = me.create<hearer>();
    const auto y = me.create<hearer>();
    const auto s = me.create<speaker>(y);
    const auto f = me.create<first>(x, s);
    me.partition(group("west", f, s), group("east", x, y));
    me.send<&first::go>(f);
    me.send<&speaker::speak>(s);
    me.send<&speaker::speak>(s);
  }
};

TEST(ACutBetweenGroups, IsLearntOfByWhatChangesNothing) {
  for (const std::string& engine : searches)
    EXPECT_THAT(ends(observing{}, with({.partition = 1}, engine)), ElementsAre("00", "01", "02", "10", "11", "12"))
        << engine;
}

TEST(ACutBetweenGroups, MayBeOneWay) {
  struct asked {
    int heard = 0;
    void ask(self& me, ref<hearer> from) {
      ++heard;
      me.send<&hearer::hear>(from);
    }
  };
  struct asker {
    ref<asked> whom;
    ref<hearer> mine;
    void go(self& me) const { me.send<&asked::ask>(whom, mine); }
  };
  for (const auto how : {cuts::both_ways, cuts::one_way}) {
    const auto tested = make_program([how](self& me) {
      const auto mine = me.create<hearer>();
      const auto whom = me.create<asked>();
      const auto a = me.create<asker>(whom, mine);
      me.partition(group("here", a, mine), group("there", whom), how);
      me.send<&asker::go>(a);
    });
    for (const std::string& engine : searches) {
      std::set<std::string> all;
      auto search = with({.partition = 1}, engine);
      search.judging.finally = [&all](final_states& end) {
        all.insert(std::to_string(end.only<asked>().heard) + std::to_string(end.only<hearer>().heard));
      };
      static_cast<void>(explore(tested, search));
      if (how == cuts::one_way)
        EXPECT_THAT(all, ElementsAre("00", "11")) << engine;
      else
        EXPECT_THAT(all, ElementsAre("00", "10", "11")) << engine;
    }
  }
}

program agreeing(int times) {
  auto tested = make_program(telling{times});
  tested.finally = [](final_states& end) { end.check(heard_by(end) != "12", "the first hears as much as the second"); };
  return tested;
}

TEST(ACutBetweenGroups, IsToldAndRepeated) {
  for (const std::string& engine : searches) {
    const auto all = explore(agreeing(2), with({.partition = 1}, engine));
    ASSERT_EQ(all.findings.size(), 1U) << engine;
    std::vector<std::string> faults;
    for (const auto& step : all.findings[0].trace) faults.insert(faults.end(), step.faults.begin(), step.faults.end());
    EXPECT_THAT(faults, Contains("hear() to hearer_0 is lost: west and east are cut off from each other")) << engine;
    EXPECT_THAT(all.findings[0].trace[0].choices, IsEmpty()) << engine;
    replay_listener nobody;
    EXPECT_EQ(replay(agreeing(2), {.finding = all.findings[0], .faults = all.faults}, nobody).way,
              replay_end::how::found_again)
        << engine;
  }
}

TEST(ACutBetweenGroups, IsOverWhereItSaysSo) {
  auto tested = make_program(telling{2, true, cuts::one_way});
  tested.finally = [](final_states& end) { end.check(heard_by(end) != "11", "they hear all or nothing"); };
  auto how = with({.partition = 1});
  how.search.delivery = delivery::fifo;
  const auto all = explore(tested, how);
  ASSERT_EQ(all.findings.size(), 1U);
  std::vector<std::string> faults;
  for (const auto& step : all.findings[0].trace) faults.insert(faults.end(), step.faults.begin(), step.faults.end());
  EXPECT_THAT(faults, Contains(HasSubstr("is lost: west no longer reaches east")));
}

TEST(ACutBetweenGroups, GoesWithOtherFaults) {
  for (const std::string engine : {"exhaustive", "stateful", "source"}) {
    for (const auto may_happen : {faults{.lose = 1, .partition = 1}, faults{.duplicate = 1, .partition = 1},
                                  faults{.partition = 1, .crash = 1}})
      EXPECT_EQ(ends(telling{2}, with(may_happen, engine)), ends(telling{2}, with(may_happen))) << engine;
  }
}

TEST(ACutBetweenGroups, IsNotThereUnlessAskedFor) {
  EXPECT_THAT(ends(telling{2}, with({})), ElementsAre("22"));
  EXPECT_EQ(explore(make_program(telling{2}), with({.lose = 1})).executions,
            explore(make_program(telling{2, false}), with({.lose = 1})).executions);
}

TEST(ACutBetweenGroups, ComesToTheSameForSeveralJobs) {
  for (const std::string engine : {"optimal", "trust", "exhaustive"}) {
    auto how = with({.partition = 1}, engine);
    const auto one = explore(make_program(apart{}), how);
    how.search.jobs = 3;
    EXPECT_EQ(explore(make_program(apart{}), how).executions, one.executions) << engine;
  }
}

TEST(ACutBetweenGroups, IsThereInTheBodyOfATest) {
  std::set<std::string> heard;
  const auto tested = make_test_program({[](self& me, test_run& run) {
    const auto a = me.create<hearer>();
    const auto b = me.create<hearer>();
    const auto t = me.create<teller>(a, b);
    me.partition(group("west", t), group("east", a, b));
    me.send<&teller::tell>(t);
    run.handle_all();
    me.send<&teller::tell>(t);
    run.handle_all();
    me.note(std::to_string(run.state(a).heard) + std::to_string(run.state(b).heard));
  }});
  for (const std::string engine : {"optimal", "exhaustive", "stateful"})
    EXPECT_THAT(outcomes_of(explore(tested, with({.partition = 1}, engine))),
                ElementsAre("00", "01", "10", "11", "12", "21", "22"))
        << engine;
}

TEST(Groups, AreNamedByTheDriverAndApart) {
  const auto refuses = [](auto driver, const char* why) {
    const auto all = explore(make_program(driver), with({.partition = 1}));
    ASSERT_EQ(all.findings.size(), 1U);
    EXPECT_THAT(all.findings[0].message, HasSubstr(why));
  };
  struct namer {
    ref<hearer> one;
    void name(self& me) const { me.partition(group("left", one), group("right", one)); }
  };
  refuses([](self& me) { me.send<&namer::name>(me.create<namer>(me.create<hearer>())); },
          "groups are named by the driver, not by namer_1");
  EXPECT_THROW(explore(make_program([](self& me) {
                         const auto one = me.create<hearer>();
                         me.partition(group("left", one), group("right", one));
                       }),
                       with({.partition = 1})),
               untestable_program);
  EXPECT_THROW(explore(make_program([](self& me) { me.partition(group("left"), group("right", me.create<hearer>())); }),
                       with({.partition = 1})),
               untestable_program);
}

}  // namespace
}  // namespace harrier::partitions
