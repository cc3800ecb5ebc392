// Who holds whom back, on executions written by hand.
#include <gtest/gtest.h>

#include "small_scripts.hpp"

namespace harrier {
namespace {

TEST(Unordered, HoldsNothingBack) {
  scripted s(two_senders());
  s.take("ab");

  EXPECT_EQ(s.deliverable_names(), "xzyw");
}

TEST(Fifo, KeepsTheOrderOfOneSender) {
  scripted s(two_senders(), delivery::fifo);
  s.take("ab");

  EXPECT_EQ(s.deliverable_names(), "xy");
  s.take("x");
  EXPECT_EQ(s.deliverable_names(), "zy");
  s.take("z");
  EXPECT_EQ(s.deliverable_names(), "y");
}

TEST(Fifo, HoldsBackAgainWhatIsPutBack) {
  scripted s(two_senders(), delivery::fifo);
  s.take("abxz");

  s.undo();
  EXPECT_EQ(s.deliverable_names(), "zy");
  s.undo();
  EXPECT_EQ(s.deliverable_names(), "xy");
}

TEST(Fifo, LeavesSendsToTwoActorsUnordered) {
  scripted s({.starts = "ab", .letters = {{'a', '1'}, {'b', '2'}}}, delivery::fifo);

  EXPECT_EQ(s.deliverable_names(), "ab");
}

TEST(Fifo, OrdersWhatTheSetUpLeft) {
  scripted s({.starts = "abc", .letters = {{'a', '1'}, {'b', '1'}, {'c', '1'}}, .before = "a"}, delivery::fifo);

  EXPECT_EQ(s.deliverable_names(), "b");
  s.take("b");
  EXPECT_EQ(s.deliverable_names(), "c");
}

TEST(Fifo, LetsARefusedMessageBeOvertaken) {
  scripted s({.starts = "gb", .letters = {{.name = 'g', .to = '1', .accepted = after('b')}, {'b', '1'}}},
             delivery::fifo);

  EXPECT_EQ(s.deliverable_names(), "b");
}

TEST(Fifo, PutsARefusedMessageInFrontOnceItIsAccepted) {
  scripted s({.starts = "gbc", .letters = {{.name = 'g', .to = '1', .accepted = after('b')}, {'b', '1'}, {'c', '1'}}},
             delivery::fifo);
  s.take("b");

  EXPECT_EQ(s.deliverable_names(), "g");
}

// Looking at the message just before is not enough.
TEST(Fifo, IsHeldBackByAnAcceptedMessageBehindARefusedOne) {
  scripted s({.starts = "ghb",
              .letters = {{.name = 'g', .to = '1', .accepted = before('g')},
                          {.name = 'h', .to = '1', .accepted = after('b')},
                          {'b', '1'}}},
             delivery::fifo);

  EXPECT_EQ(s.deliverable_names(), "g");
  s.take("g");
  EXPECT_EQ(s.deliverable_names(), "b");
}

TEST(Fifo, IsHeldBackByAnAcceptedMessageInFrontOfATakenOne) {
  scripted s({.starts = "ghbc",
              .letters = {{.name = 'g', .to = '1', .accepted = after('h')},
                          {.name = 'h', .to = '1', .accepted = before('h')},
                          {'b', '1'},
                          {'c', '1'}}},
             delivery::fifo);
  s.take("h");  // over g, which it made acceptable

  EXPECT_EQ(s.deliverable_names(), "g");
  s.take("g");
  EXPECT_EQ(s.deliverable_names(), "b");
}

TEST(Fifo, IsHeldBackByAnAcceptedMessageInFrontOfTwoTakenOnes) {
  scripted s({.starts = "gbcd",
              .letters = {{.name = 'g', .to = '1', .accepted = after('c')}, {'b', '1'}, {'c', '1'}, {'d', '1'}}},
             delivery::fifo);
  s.take("bc");

  EXPECT_EQ(s.deliverable_names(), "g");
}

TEST(Fifo, IsHeldBackByOneOfTwoRefusedBefore) {
  scripted s({.starts = "ghkb",
              .letters = {{.name = 'g', .to = '1', .accepted = after('k')},
                          {.name = 'h', .to = '1', .accepted = after('b')},
                          {'k', '1'},
                          {'b', '1'}}},
             delivery::fifo);

  EXPECT_EQ(s.deliverable_names(), "k");
  s.take("k");
  EXPECT_EQ(s.deliverable_names(), "g");
  s.take("g");
  EXPECT_EQ(s.deliverable_names(), "b");
  s.take("b");
  EXPECT_EQ(s.deliverable_names(), "h");
}

TEST(Fifo, LetsAnAnswerOvertakeWhatCannotBeTakenNow) {
  scripted s(told_while_waiting(), delivery::fifo);
  s.take("cq");

  EXPECT_EQ(s.deliverable_names(), "pr");
}

TEST(Fifo, DoesNotForgetWhatAnAnswerHasOvertaken) {
  scripted s(told_while_waiting(), delivery::fifo);
  s.take("cqrp");

  EXPECT_EQ(s.deliverable_names(), "x");
  s.take("x");
  EXPECT_EQ(s.deliverable_names(), "y");
}

TEST(Fifo, DeliversNothingToAnActorThatIsGone) {
  scripted s({.starts = "abc", .letters = {{.name = 'a', .to = '1', .destroys = true}, {'b', '1'}, {'c', '2'}}},
             delivery::fifo);
  s.take("a");

  EXPECT_EQ(s.deliverable_names(), "c");
  EXPECT_EQ(s.pending_names(), "bc");
}

TEST(Causal, OrdersAChainThroughAThirdActor) {
  scripted s({.starts = "a", .letters = {{'a', '1', "xn"}, {'n', '2', "y"}, {'x', '3'}, {'y', '3'}}}, delivery::causal);
  s.take("an");

  EXPECT_EQ(s.deliverable_names(), "x");
  s.take("x");
  EXPECT_EQ(s.deliverable_names(), "y");
  s.undo();
  EXPECT_EQ(s.deliverable_names(), "x");
}

TEST(Causal, OrdersAChainThroughManyActors) {
  scripted s({.starts = "a",
              .letters = {{'a', '1', "xn"}, {'n', '2', "o"}, {'o', '4', "p"}, {'p', '5', "y"}, {'x', '3'}, {'y', '3'}}},
             delivery::causal);
  s.take("anop");

  EXPECT_EQ(s.deliverable_names(), "x");
}

TEST(Causal, LeavesUnorderedWhatWasSentBefore) {
  scripted s({.starts = "a", .letters = {{'a', '1', "nx"}, {'n', '2', "y"}, {'x', '3'}, {'y', '3'}}}, delivery::causal);
  s.take("an");  // n does not know of x

  EXPECT_EQ(s.deliverable_names(), "xy");
}

TEST(Causal, OrdersWhatALaterStepOfTheSenderLeadsTo) {
  scripted s({.starts = "ab", .letters = {{'a', '1', "x"}, {'b', '1', "n"}, {'n', '2', "y"}, {'x', '3'}, {'y', '3'}}},
             delivery::causal);
  s.take("abn");

  EXPECT_EQ(s.deliverable_names(), "x");
}

TEST(Causal, LeavesUnorderedWhatAnEarlierStepOfTheSenderLeadsTo) {
  scripted s({.starts = "bab", .letters = {{'a', '1', "x"}, {'b', '1', "n"}, {'n', '2', "y"}, {'x', '3'}, {'y', '3'}}},
             delivery::causal);
  s.take("ban");

  EXPECT_EQ(s.deliverable_names(), "bxy");
}

TEST(Causal, LeavesUnorderedSendersThatKnowNothingOfEachOther) {
  scripted s(two_senders(), delivery::causal);
  s.take("ab");

  EXPECT_EQ(s.deliverable_names(), "xy");
}

TEST(Causal, KnowsWhichOfTwoWasSentBefore) {
  scripted s({.starts = "ab",
              .letters = {{'a', '1', "xn"}, {'b', '1', "z"}, {'n', '2', "y"}, {'x', '3'}, {'y', '3'}, {'z', '3'}}},
             delivery::causal);
  s.take("anb");
  const auto a = s.first_of('a');
  const auto x = s.first_of('x');
  const auto n = s.first_of('n');
  const auto y = s.first_of('y');
  const auto z = s.first_of('z');

  EXPECT_TRUE(s.is_sent_before(a, x));
  EXPECT_FALSE(s.is_sent_before(x, a));
  EXPECT_TRUE(s.is_sent_before(x, n));  // by one step
  EXPECT_FALSE(s.is_sent_before(n, x));
  EXPECT_TRUE(s.is_sent_before(x, z));  // by one actor
  EXPECT_FALSE(s.is_sent_before(z, x));
  EXPECT_TRUE(s.is_sent_before(x, y));  // through another
  EXPECT_FALSE(s.is_sent_before(y, x));
  EXPECT_FALSE(s.is_sent_before(y, z));
  EXPECT_FALSE(s.is_sent_before(z, y));
}

TEST(Causal, KnowsWhatAnActorWillSendAfter) {
  scripted s({.starts = "a", .letters = {{'a', '1', "xn"}, {'n', '2'}, {'x', '3'}}}, delivery::causal);
  s.take("a");
  const auto x = s.first_of('x');

  EXPECT_TRUE(s.is_known_to(x, s.slot_of_actor('1')));
  EXPECT_FALSE(s.is_known_to(x, s.slot_of_actor('2')));
  s.take("n");
  EXPECT_TRUE(s.is_known_to(x, s.slot_of_actor('2')));
  EXPECT_FALSE(s.is_known_to(x, s.slot_of_actor('3')));
}

TEST(Causal, LetsARefusedMessageBeOvertaken) {
  scripted s({.starts = "a",
              .letters = {{'a', '1', "xn"},
                          {'n', '2', "yz"},
                          {.name = 'x', .to = '3', .accepted = after('y')},
                          {'y', '3'},
                          {'z', '3'}}},
             delivery::causal);
  s.take("an");

  EXPECT_EQ(s.deliverable_names(), "y");
  s.take("y");
  EXPECT_EQ(s.deliverable_names(), "x");
}

// Unlike one sender's queue, an unguarded message taken says nothing of what was in front: y knew nothing of x.
TEST(Causal, IsHeldBackByAMessageBehindOneThatWasTakenFirst) {
  scripted s({.starts = "ab",
              .letters = {{'a', '1', "xn"}, {'b', '2', "y"}, {'n', '2', "z"}, {'x', '3'}, {'y', '3'}, {'z', '3'}}},
             delivery::causal);
  s.take("abny");

  EXPECT_EQ(s.deliverable_names(), "x");
}

}  // namespace
}  // namespace harrier
