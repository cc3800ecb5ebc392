// A finding is shown with no more faults and firings of timers than it needs.
#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <vector>

#include <harrier/core/states.hpp>
#include <harrier/harrier.hpp>
#include <harrier/replay/replay.hpp>

#include "with_faults.hpp"

namespace harrier::fewer_faults {
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

}  // namespace
}  // namespace harrier::fewer_faults
