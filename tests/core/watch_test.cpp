// What a system does besides delivering: who is told, what is repeated, what is noted.
#include <gmock/gmock.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "counting.hpp"
#include "scripted.hpp"

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Takes itself for ever.
script endless() { return {.starts = "a", .letters = {{'a', '1', "a"}}}; }

/// Delivers `a` so often, from the start, going back each time.
void take_often(scripted& s, int times) {
  for (int i = 0; i < times; ++i) {
    s.take("a");
    s.undo();
  }
}

TEST(Observer, IsPolledAtOnceAndAgain) {
  scripted s(endless());
  counting watcher;
  s.watch().observe(&watcher);
  take_often(s, 1);
  EXPECT_EQ(watcher.polls, 1);

  // The pause is doubled at most: 1, 2, 4, ... deliveries.
  take_often(s, 1023);
  EXPECT_GE(watcher.polls, 10);
  EXPECT_EQ(watcher.ends, 0);
}

TEST(Observer, IsPolledThoughItCameLate) {
  scripted s(endless());
  s.take("a");
  counting watcher;
  s.watch().observe(&watcher);
  take_often(s, 100);

  EXPECT_GT(watcher.polls, 0);
}

TEST(Observer, IsPolledAgainAfterItWasAway) {
  scripted s(endless());
  counting watcher;
  s.watch().observe(&watcher);
  take_often(s, 3);
  s.watch().observe(nullptr);
  take_often(s, 10);
  s.watch().observe(&watcher);
  const auto before = watcher.polls;
  take_often(s, 200'000);

  EXPECT_GT(watcher.polls, before);
}

TEST(Observer, IsToldOfEachFlaggedStepOnce) {
  scripted s({.starts = "abf",
              .letters = {{.name = 'a', .to = '1', .also = [](scripted& me) { me.complain("wrong"); }},
                          {'b', '1'},
                          {.name = 'f', .to = '2', .fails = true}}});
  s.watch().check_determinism(repetition::all);
  counting watcher;
  EXPECT_EQ(s.watch().observe(&watcher), nullptr);
  s.take("abf");

  EXPECT_THAT(watcher.flagged, ElementsAre("wrong", "f fails"));
  EXPECT_EQ(s.watch().observe(nullptr), &watcher);
}

std::string what_is_found_in(scripted& s) {
  try {
    s.take("a");
  } catch (const system::nondeterminism& e) {
    return e.what();
  }
  return {};
}

std::string what_is_found_if(std::function<void(scripted&)> handler, bool with_undo = false) {
  scripted s(
      {.starts = "a", .letters = {{.name = 'a', .to = '1', .also = std::move(handler)}, {'x', '2'}, {'y', '1'}}});
  s.watch().check_determinism(repetition::all);
  s.watch().check_undo(with_undo);
  return what_is_found_in(s);
}

/// A handler that does something every other time.
template <class Act>
auto every_other_time(Act act) {
  return [act, calls = 0](scripted& me) mutable {
    if (++calls % 2 == 0) act(me);
  };
}

TEST(Determinism, OfAHandlerThatRepeatsItselfIsNotDoubted) {
  EXPECT_EQ(what_is_found_if([](scripted& me) {
              me.send('x');
              me.draw(3);
              me.complain("always");
            }),
            "");
}

TEST(Determinism, NamesWhatWasSentTheSecondTime) {
  const auto found = what_is_found_if(every_other_time([](scripted& me) { me.send('x'); }));

  EXPECT_THAT(found, HasSubstr("actor_0.a behaves differently when repeated"));
  EXPECT_THAT(found, HasSubstr("sends x to actor_1"));
}

TEST(Determinism, SeesTheOrderOfSends) {
  const auto in_turns = [calls = 0](scripted& me) mutable {
    const bool is_odd = ++calls % 2 == 1;
    me.send(is_odd ? 'x' : 'y');
    me.send(is_odd ? 'y' : 'x');
  };

  EXPECT_THAT(what_is_found_if(in_turns),
              HasSubstr("the first time it sends x to actor_1, the second time it sends y to actor_0"));
}

TEST(Determinism, SeesDrawsAndComplaints) {
  EXPECT_THAT(what_is_found_if(every_other_time([](scripted& me) { me.draw(4); })), HasSubstr("chooses among 4"));
  EXPECT_THAT(what_is_found_if(every_other_time([](scripted& me) { me.complain("odd"); })), HasSubstr("reports 'odd'"));
}

TEST(Determinism, SeesWhatHappensOnlyTheFirstTime) {
  const auto first_time_only = [calls = 0](scripted& me) mutable {
    if (++calls == 1) me.send('x');
  };

  EXPECT_THAT(what_is_found_if(first_time_only), HasSubstr("it does the same when watched a third time"));
}

TEST(Determinism, IsNotLookedAtUnlessAsked) {
  scripted s({.starts = "a",
              .letters = {{.name = 'a', .to = '1', .also = every_other_time([](scripted& me) { me.send('x'); })},
                          {'x', '2'}}});
  s.watch().check_determinism(repetition::off);

  EXPECT_EQ(what_is_found_in(s), "");
}

/// How often a handler runs in that many deliveries.
int runs(repetition how_often, int deliveries) {
  int count = 0;
  scripted s({.starts = "a", .letters = {{.name = 'a', .to = '1', .also = [&count](scripted&) { ++count; }}}});
  s.watch().check_determinism(how_often);
  take_often(s, deliveries);
  EXPECT_EQ(s.watch().deliveries(), static_cast<unsigned>(deliveries));
  return count;
}

TEST(Determinism, CostsTwoMoreRunsOfADelivery) {
  EXPECT_EQ(runs(repetition::off, 3000), 3000);
  EXPECT_EQ(runs(repetition::all, 3000), 9000);
}

TEST(Determinism, IsSampledAfterTheFirstThousand) {
  EXPECT_EQ(runs(repetition::sample, 500), 1500);
  EXPECT_GT(runs(repetition::sample, 8000), 8000 + 2 * 1000);
  EXPECT_LT(runs(repetition::sample, 8000), 8000 + 2 * 1100);
}

TEST(UndoProof, FindsACopyThatIsNoCopy) {
  const auto scribbling = [](scripted& me) { me.scribble(); };

  EXPECT_THAT(what_is_found_if(scribbling, true), HasSubstr("going back over actor_0.a does not restore"));
}

TEST(UndoProof, IsContentWithRightCopies) {
  EXPECT_EQ(what_is_found_if([](scripted& me) { me.send('x'); }, true), "");
}

TEST(FlightRecord, HoldsTheWayToTheRunningHandler) {
  flight_record noted;
  std::vector<scheduled> path(5);
  std::uint64_t running = 0;
  scripted s({.starts = "ac",
              .letters = {{.name = 'a', .to = '1', .sends = "b", .draws = {3}},
                          {.name = 'b', .to = '2', .also = [&](scripted&) { running = noted.begun - noted.ended; }},
                          {'c', '1'}}});
  s.watch().note_deliveries(noted, path);
  s.take_drawing('a', 2);
  s.take("b");

  EXPECT_EQ(running, 1U);
  EXPECT_EQ(noted.begun, 2U);
  EXPECT_EQ(noted.ended, 2U);
  EXPECT_EQ(noted.depth, 2U);
  EXPECT_EQ(path[0], (scheduled{2, s.first_of('a')}));
  EXPECT_EQ(path[1], (scheduled{0, s.first_of('b')}));
  s.undo_all();
  s.take("c");
  EXPECT_EQ(noted.begun, 3U);
  EXPECT_EQ(noted.depth, 1U);
  EXPECT_EQ(path[0], (scheduled{0, s.first_of('c')}));
}

TEST(FlightRecord, HasRoomForTheDepthLimitAndNoMore) {
  flight_record noted;
  std::vector<scheduled> path(2);
  scripted s(endless());
  s.watch().note_deliveries(noted, path);
  s.take("aaa");  // the sanitizer looks

  EXPECT_EQ(noted.depth, 3U);
}

}  // namespace
}  // namespace harrier
