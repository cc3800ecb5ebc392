// What is found while a run heals, and how that is told and repeated.
#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <vector>

#include <harrier/core/states.hpp>
#include <harrier/harrier.hpp>
#include <harrier/property/ltl_monitor.hpp>
#include <harrier/replay/replay.hpp>

#include "with_faults.hpp"

namespace harrier::healings {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

replay_end::how again(const program& tested, const finding& f, const faults& in, monitor* judge = nullptr) {
  replay_listener nobody;
  return replay(tested, {.finding = f, .faults = in, .judge = judge}, nobody).way;
}

/// Wrong at its fourth beat, which the budget of timers does not let come.
struct tired {
  int beats = 0;
  void beat(self& me) {
    ++beats;
    me.check(beats < 4, "it beats three times");
    me.after<&tired::beat>(1s);
  }
};

program tiring() {
  return converges(make_program([](self& me) { me.send<&tired::beat>(me.create<tired>()); }), "it has beaten six times",
                   [](const states& all) { return all.only<tired>().beats == 6; });
}

TEST(Healing, IsJudgedByWhatTheProgramChecksItself) {
  for (const std::string& engine : searches) {
    const auto all = explore(tiring(), with({.timeouts = 2}, engine));
    ASSERT_EQ(all.findings.size(), 1U) << engine;
    const auto& f = all.findings[0];
    EXPECT_EQ(f.kind, finding_kind::assertion);
    EXPECT_EQ(f.message, "while it heals, in tired_0.beat(): it beats three times");
    EXPECT_THAT(f.file, HasSubstr("healing_test.cpp"));
    EXPECT_THAT(f.details, ElementsAre("what is delivered after the schedule, fairly and without a fault:",
                                       "  tired_0.beat(), by a timer"));
    EXPECT_EQ(all.max_depth, 3U) << engine << ": what was explored";
    EXPECT_EQ(again(tiring(), f, all.faults), replay_end::how::found_again) << engine;
  }
}

TEST(Healing, SaysNothingOfWhatFailedBefore) {
  const auto all = explore(tiring(), with({.timeouts = 4}));
  ASSERT_EQ(all.findings.size(), 1U);
  EXPECT_EQ(all.findings[0].message, "it beats three times");
}

TEST(Healing, EndsWhereSomethingIsThrownOrRequired) {
  struct fragile {
    int beats = 0;
    bool throws = false;
    void beat(self& me) {
      if (++beats == 4 && throws) throw std::runtime_error("broken");
      me.require(beats < 4, "it is whole");
      me.after<&fragile::beat>(1s);
    }
  };
  for (const bool throws : {false, true}) {
    const auto tested =
        converges(make_program([throws](self& me) { me.send<&fragile::beat>(me.create<fragile>(0, throws)); }),
                  "it has beaten six times", [](const states& all) { return all.only<fragile>().beats == 6; });
    const auto all = explore(tested, with({.timeouts = 2}));
    ASSERT_EQ(all.findings.size(), 1U);
    EXPECT_EQ(all.findings[0].kind, throws ? finding_kind::exception : finding_kind::assertion);
    EXPECT_THAT(all.findings[0].message, HasSubstr("while it heals, in fragile_0.beat(): "));
    EXPECT_EQ(again(tested, all.findings[0], all.faults), replay_end::how::found_again);
  }
}

struct beats_at_most final : monitor {
  std::optional<record> stepped(const system& s) override {
    for (const auto& one : states(s).all<tired>())
      if (one.get().beats > 2) return record{.message = "never more than two beats"};
    return std::nullopt;
  }
};

program beating() {
  return converges(make_program([](self& me) { me.send<&tired::beat>(me.create<tired>()); }), "it has beaten",
                   [](const states& all) { return all.only<tired>().beats == 3; });
}

TEST(Healing, IsJudgedByMonitors) {
  beats_at_most judge;
  auto how = with({.timeouts = 1}, "exhaustive");
  how.judging.by = &judge;
  const auto all = explore(beating(), how);
  ASSERT_EQ(all.findings.size(), 1U);
  EXPECT_EQ(all.findings[0].message, "while it heals, in tired_0.beat(): never more than two beats");
  beats_at_most another;
  EXPECT_EQ(again(beating(), all.findings[0], all.faults, &another), replay_end::how::found_again);
}

struct siren {
  int howled = 0;
  void howl() { ++howled; }
};
struct smoke_detector {
  ref<siren> loud;
  int looks = 0;
  void look(self& me) {
    if (++looks == 3) me.send<&siren::howl>(loud);
    me.after<&smoke_detector::look>(1s);
  }
};

TEST(Healing, IsJudgedByTemporalProperties) {
  const auto tested = converges(
      make_program([](self& me) { me.send<&smoke_detector::look>(me.create<smoke_detector>(me.create<siren>())); }),
      "it has howled", [](const states& all) { return all.only<siren>().howled == 1; });
  ltl_monitor judge(R"(G ! "siren_0 RECV howl")", run_ends::finite);
  auto how = with({.timeouts = 1}, "exhaustive");
  how.judging.by = &judge;
  const auto all = explore(tested, how);
  ASSERT_EQ(all.findings.size(), 1U);
  EXPECT_EQ(all.findings[0].message,
            "while it heals, in siren_0.howl(): "
            R"(G ! "siren_0 RECV howl" is violated)");
  ltl_monitor another(R"(G ! "siren_0 RECV howl")", run_ends::finite);
  EXPECT_EQ(again(tested, all.findings[0], all.faults, &another), replay_end::how::found_again);
}

TEST(Healing, ReachesNoPointsOfTheSearch) {
  struct late {
    int beats = 0;
    void beat(self& me) {
      if (++beats > 2) me.cover("the third beat");
      me.after<&late::beat>(1s);
    }
  };
  const auto tested = covers(converges(make_program([](self& me) { me.send<&late::beat>(me.create<late>()); }),
                                       "it has beaten", [](const states& all) { return all.only<late>().beats == 4; }),
                             {"the third beat"});
  EXPECT_THAT(explore(tested, with({.timeouts = 1})).points, Contains(Pair("the third beat", false)));
  EXPECT_THAT(explore(tested, with({.timeouts = 2})).points, Contains(Pair("the third beat", true)));
}

// Two that push each other aside for ever: only from a lost message on.
struct claimant {
  ref<claimant> other;
  bool holds = false;
  void meet(ref<claimant> whom) { other = whom; }
  void claim(self& me) {
    holds = true;
    me.send<&claimant::yield>(other);
  }
  void yield(self& me) {
    holds = false;
    me.after<&claimant::claim>(1s);
  }
};

struct claims {
  ref<claimant> one;
  void set_up(self& me) {
    one = me.create<claimant>();
    const auto two = me.create<claimant>();
    me.send<&claimant::meet>(one, two);
    me.send<&claimant::meet>(two, one);
  }
  void test(self& me) const { me.send<&claimant::claim>(one); }
};

program claiming() {
  return converges(make_program(claims{}), "nobody holds", [](const states& all) {
    const auto both = all.all<claimant>();
    return !both[0].get().holds && !both[1].get().holds;
  });
}

TEST(Healing, TellsTheCycleOfALivelock) {
  auto how = with({.timeouts = 1});
  how.search.delivery = delivery::fifo;
  const auto all = explore(claiming(), how);
  ASSERT_EQ(all.findings.size(), 1U);
  const auto& f = all.findings[0];
  EXPECT_EQ(f.message, "in the end it does not come about that nobody holds: the same comes again every 4 deliveries");
  EXPECT_THAT(f.details,
              ElementsAre("what is delivered after the schedule, again and again:", "  claimant_1.claim(), by a timer",
                          "  claimant_0.yield()", "  claimant_0.claim(), by a timer", "  claimant_1.yield()"));
  replay_listener nobody;
  EXPECT_EQ(replay(claiming(), {.finding = f, .delivery = delivery::fifo, .faults = all.faults}, nobody).way,
            replay_end::how::found_again);
}

// What a suspended handler has counted is no part of the actor's state: only that it goes on shows that it has.
TEST(Healing, TakesNoCounterOfASuspendedHandlerForACycle) {
  struct well {
    void draw() const {}
  };
  struct thirsty {
    ref<well> from;
    bool is_done = false;
    task drink(self& me) {
      for (int i = 0; i < 5; ++i) static_cast<void>(co_await me.call<&well::draw>(from).within(1s));
      is_done = true;
    }
  };
  const auto tested =
      converges(make_program([](self& me) { me.send<&thirsty::drink>(me.create<thirsty>(me.create<well>())); }),
                "it has drunk", [](const states& all) { return all.only<thirsty>().is_done; });
  for (const std::string& engine : searches) {
    const auto all = explore(tested, with({.lose = 1, .timeouts = 0}, engine));
    EXPECT_GT(all.out_of_timeouts, 0U) << engine << ": where the budget ends what goes on then";
    EXPECT_THAT(all.findings, IsEmpty()) << engine;
  }
}

}  // namespace
}  // namespace harrier::healings
