// What has a time: messages that are withdrawn, and accidents that may happen so often.
#include <gtest/gtest.h>

#include "scripted.hpp"

namespace harrier {
namespace {

/// 1 arms timer t to itself; c cancels it; x is an ordinary message.
script timer() {
  return {.starts = "a",
          .letters = {{.name = 'a', .to = '1', .sends = "tcx"},
                      {.name = 't', .to = '1'},
                      {.name = 'c', .to = '1', .also = [](scripted& me) { me.cancel('t'); }},
                      {.name = 'x', .to = '1'}}};
}

TEST(WithdrawnMessage, IsNotDeliverableFromThenOn) {
  scripted s(timer());
  s.take("a");
  EXPECT_EQ(s.deliverable_names(), "tcx");
  const auto before = s.dump();

  s.take("c");
  EXPECT_EQ(s.deliverable_names(), "x");
  s.undo();
  EXPECT_EQ(s.dump(), before);
}

// The race of the timer is with what cancelled it: that is the step in place of which it could have been delivered.
TEST(WithdrawnMessage, WasDeliverableUntilThen) {
  scripted s(timer());
  s.take("axc");
  const auto t = s.pending_of('t');

  EXPECT_TRUE(s.was_deliverable(t, s.step_of('x')));
  EXPECT_TRUE(s.was_deliverable(t, s.step_of('c')));
  EXPECT_FALSE(s.deliverable(t));
}

TEST(WithdrawnMessage, WasNotDeliverableLater) {
  scripted s(timer());
  s.take("acx");

  EXPECT_FALSE(s.was_deliverable(s.pending_of('t'), s.step_of('x')));
}

TEST(WithdrawnMessage, HoldsNothingBack) {
  scripted s(timer(), delivery::fifo);
  s.take("a");
  EXPECT_EQ(s.deliverable_names(), "t");
  scripted cancelled({.starts = "a",
                      .letters = {{.name = 'a', .to = '1', .sends = "tx", .also = [](scripted& me) { me.cancel('t'); }},
                                  {.name = 't', .to = '1'},
                                  {.name = 'x', .to = '1'}}},
                     delivery::fifo);
  cancelled.take("a");

  EXPECT_EQ(cancelled.deliverable_names(), "x");
}

/// Accidents p, q and r may befall 1, two of them at most; x is an ordinary message.
script accidents() {
  return {.starts = "pqrx",
          .letters = {{.name = 'p', .to = '1', .budget = 2},
                      {.name = 'q', .to = '1', .budget = 2},
                      {.name = 'r', .to = '1', .budget = 2},
                      {.name = 'x', .to = '1'}}};
}

TEST(Environment, IsAKindOfItsOwnThatIsSeen) {
  scripted s(accidents());
  s.take("px");

  EXPECT_EQ(s.step_at(s.step_of('p')).kind, step_kind::environment);
  EXPECT_EQ(s.step_at(s.step_of('x')).kind, step_kind::delivery);
  EXPECT_TRUE(is_visible(step_kind::environment));
}

TEST(Environment, HasABudgetOfItsReceiver) {
  scripted s(accidents());
  s.take("pq");
  EXPECT_EQ(s.deliverable_names(), "x");
  s.undo();

  EXPECT_EQ(s.deliverable_names(), "qrx");
}

TEST(Environment, CouldHaveHappenedWhereTheBudgetWasNotSpent) {
  scripted s(accidents());
  s.take("pqx");
  const auto r = s.pending_of('r');

  EXPECT_TRUE(s.was_deliverable(r, s.step_of('p')));
  EXPECT_TRUE(s.was_deliverable(r, s.step_of('q')));
  EXPECT_FALSE(s.was_deliverable(r, s.step_of('x')));
}

}  // namespace
}  // namespace harrier
