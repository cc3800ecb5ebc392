// A finding is shown with no more than it needs: faults, firings of timers, deliveries, overtaking, values drawn.
#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <harrier/core/states.hpp>
#include <harrier/harrier.hpp>
#include <harrier/replay/replay.hpp>

#include "../../src/explore/minimise.hpp"
#include "with_faults.hpp"

namespace harrier::minimising {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> faults_of(const finding& f) {
  std::vector<std::string> all;
  for (const auto& step : f.trace) all.insert(all.end(), step.faults.begin(), step.faults.end());
  return all;
}

struct copy {
  int value = 0;
  void write(int v) { value = v; }
};
struct source {
  ref<copy> first;
  ref<copy> second;
  void start(self& me) const {
    me.send<&copy::write>(first, 5);
    me.send<&copy::write>(second, 5);
  }
};

/// The nearest end is the one where both are lost.
program copying() {
  auto tested = make_program([](self& me) {
    const auto first = me.create<copy>();
    me.send<&source::start>(me.create<source>(first, me.create<copy>()));
  });
  tested.finally = [](final_states& end) {
    for (const copy& one : end.all<copy>()) end.check(one.value == 5, "all have it");
  };
  return tested;
}

TEST(AFinding, IsShownWithNoMoreLossesThanItNeeds) {
  for (const std::string& engine : searches) {
    const auto all = explore(copying(), with({.lose = 1}, engine));
    ASSERT_EQ(all.findings.size(), 1U) << engine;
    EXPECT_EQ(faults_of(all.findings[0]).size(), 1U) << engine;
    EXPECT_EQ(all.findings[0].trace.size(), 2U) << engine;
    EXPECT_FALSE(all.findings[0].is_shortest) << engine << ": with two losses it is one step shorter";
    replay_listener nobody;
    EXPECT_EQ(replay(copying(), {.finding = all.findings[0], .faults = all.faults}, nobody).way,
              replay_end::how::found_again)
        << engine;
  }
}

struct clerk {
  int served = 0;
  void serve(self& me) { me.check(++served < 2, "one is served once"); }
};
struct customer {
  ref<clerk> of;
  bool is_bored = false;
  void come(self& me) {
    me.send<&clerk::serve>(of);
    me.after<&customer::yawn>(1s);
    me.after<&customer::come_again>(2s);
  }
  void come_again(self& me) const { me.send<&clerk::serve>(of); }
  void yawn() { is_bored = true; }
};

TEST(AFinding, IsShownWithNoMoreTimersThanItNeeds) {
  for (const std::string& engine : searches) {
    const auto tested =
        make_program([](self& me) { me.send<&customer::come>(me.create<customer>(me.create<clerk>())); });
    const auto all = explore(tested, with({.lose = 1, .duplicate = 1}, engine));
    ASSERT_EQ(all.findings.size(), 1U) << engine;
    const auto& f = all.findings[0];
    // It is served twice by a message that comes twice, or by a timer that fires: by one of them.
    std::size_t extras = faults_of(f).size();
    for (const auto& step : f.trace) extras += step.message == "come_again()" || step.message == "yawn()" ? 1U : 0U;
    EXPECT_EQ(extras, 1U) << engine;
  }
}

TEST(AFinding, KeepsTheFaultsThatItNeeds) {
  struct patient {
    int tries = 0;
    ref<copy> of;
    task ask(self& me) {
      for (; tries < 2; ++tries) {
        const bool is_answered = co_await me.call<&copy::write>(of, 1).within(1s);
        if (is_answered) co_return;
      }
      me.check(false, "one of two is answered");
    }
  };
  const auto tested = make_program([](self& me) { me.send<&patient::ask>(me.create<patient>(0, me.create<copy>())); });
  for (const std::string& engine : searches) {
    const auto all = explore(tested, with({.lose = 1}, engine));
    ASSERT_EQ(all.findings.size(), 1U) << engine;
    EXPECT_THAT(faults_of(all.findings[0]), IsEmpty()) << engine << ": two that are late are enough";
  }
}

struct ledger {
  std::uint64_t last = 0;
  std::uint64_t overtaken = 0;
  void note(std::uint64_t i) {
    overtaken += i < last ? 1U : 0U;
    last = i;
  }
  void close(self& me) const { me.check(overtaken == 0 || last != 7, "nobody overtakes"); }
};

/// Too many states for all of them to be seen.
program keeping_ledger() {
  return make_program([](self& me) {
    const auto all = me.create<ledger>();
    for (std::uint64_t i = 0; i < 8; ++i) me.send<&ledger::note>(all, i);
    me.send<&ledger::close>(all);
  });
}

options by_chance(std::uint64_t seed, double minimise = 2) {
  options how;
  how.search.engine = "random";
  how.search.seed = seed;
  how.judging.minimise = minimise;
  return how;
}

TEST(AFinding, IsShownWithTheDeliveriesThatItNeedsAndInTheOrderOfSending) {
  const auto tested = keeping_ledger();
  const auto of = [&](const exploration& r) { return effort_of(r.findings[0].schedule, tested, {}); };
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto shown = explore(tested, by_chance(seed));
    ASSERT_EQ(shown.findings.size(), 1U) << seed;
    EXPECT_EQ(of(shown).deliveries, 4U) << seed << ": two in the wrong order, the last note, and the end";
    EXPECT_EQ(explore(tested, by_chance(seed)).findings[0].schedule, shown.findings[0].schedule) << seed;
    replay_listener nobody;
    EXPECT_EQ(replay(tested, {.finding = shown.findings[0]}, nobody).way, replay_end::how::found_again) << seed;
  }
}

TEST(AFinding, IsShownAsItWasMetIfThatIsAskedFor) {
  const auto tested = keeping_ledger();
  const auto of = [&](const exploration& r) { return effort_of(r.findings[0].schedule, tested, {}); };
  std::size_t more = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto met = of(explore(tested, by_chance(seed, 0)));
    EXPECT_GE(met, of(explore(tested, by_chance(seed)))) << seed;
    more += met.deliveries - 4;
  }
  EXPECT_GT(more, 0U) << "by chance more is delivered than is needed";
}

TEST(AFinding, IsShownWithTheLowestValuesDrawn) {
  struct dice {
    std::uint64_t thrown = 0;
    void cast(self& me) {
      thrown = me.choose(100);
      me.check(thrown < 10, "less than ten");
    }
  };
  const auto tested = make_program([](self& me) { me.send<&dice::cast>(me.create<dice>()); });
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto shown = explore(tested, by_chance(seed));
    ASSERT_EQ(shown.findings.size(), 1U) << seed;
    EXPECT_EQ(effort_of(shown.findings[0].schedule, tested, {}).drawn, 10U) << seed;
  }
}

}  // namespace
}  // namespace harrier::minimising
