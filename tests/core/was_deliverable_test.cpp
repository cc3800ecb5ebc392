// What could have been delivered in place of a step, on executions written by hand.
#include <gtest/gtest.h>

#include "small_scripts.hpp"

namespace harrier {
namespace {

/// Whether the message of letter `m` could have been delivered in place of that of letter `e`.
bool was(const scripted& s, char m, char e) { return s.was_deliverable(s.first_of(m), s.step_of(e)); }

TEST(WasDeliverable, InPlaceOfAnyEarlierStepWhenUnordered) {
  scripted s(two_senders());
  s.take("abxzy");

  EXPECT_TRUE(was(s, 'z', 'x'));
  EXPECT_TRUE(was(s, 'y', 'x'));
  EXPECT_TRUE(was(s, 'y', 'z'));
  EXPECT_TRUE(was(s, 'w', 'x'));
}

TEST(WasDeliverable, NotBeforeAnEarlierOneOfTheSameSenderUnderFifo) {
  scripted s(two_senders(), delivery::fifo);
  s.take("abxzy");

  EXPECT_FALSE(was(s, 'z', 'x'));
  EXPECT_TRUE(was(s, 'y', 'x'));
  EXPECT_TRUE(was(s, 'y', 'z'));
  EXPECT_FALSE(was(s, 'w', 'x'));
  EXPECT_FALSE(was(s, 'w', 'y'));
}

TEST(WasDeliverable, HadItBeenSentInTime) {
  scripted s(two_senders(), delivery::fifo);
  s.take("axzb");

  EXPECT_TRUE(was(s, 'y', 'x'));
  EXPECT_FALSE(was(s, 'w', 'x'));
}

TEST(WasDeliverable, NotBeforeWhatWasSentFirstUnderMailbox) {
  scripted s(two_senders(), delivery::mailbox);
  s.take("axzb");

  EXPECT_FALSE(was(s, 'y', 'x'));
  EXPECT_FALSE(was(s, 'y', 'z'));
}

TEST(WasDeliverable, NotBeforeWhatItsSendingKnewOfUnderCausal) {
  scripted s({.starts = "ab",
              .letters = {{'a', '1', "xn"}, {'n', '2', "y"}, {'b', '4', "z"}, {'x', '3'}, {'y', '3'}, {'z', '3'}}},
             delivery::causal);
  s.take("abnxyz");

  EXPECT_FALSE(was(s, 'y', 'x'));
  EXPECT_TRUE(was(s, 'z', 'x'));
  EXPECT_TRUE(was(s, 'z', 'y'));
}

TEST(WasDeliverable, AsItsReceiverWasThen) {
  scripted s({.starts = "kcgh",
              .letters = {{'k', '1'},
                          {'c', '1'},
                          {.name = 'g', .to = '1', .accepted = after('k')},
                          {.name = 'h', .to = '1', .accepted = before('k')}}});
  s.take("kc");

  EXPECT_FALSE(was(s, 'g', 'k'));
  EXPECT_TRUE(was(s, 'g', 'c'));
  EXPECT_TRUE(was(s, 'h', 'k'));
  EXPECT_FALSE(was(s, 'h', 'c'));
}

TEST(WasDeliverable, NotBeforeOneOfTwoRefusedInFront) {
  scripted s({.starts = "ghkb",
              .letters = {{.name = 'g', .to = '1', .accepted = after('k')},
                          {.name = 'h', .to = '1', .accepted = after('b')},
                          {'k', '1'},
                          {'b', '1'}}},
             delivery::fifo);
  s.take("kgbh");

  EXPECT_FALSE(was(s, 'b', 'k'));  // k was in front
  EXPECT_FALSE(was(s, 'b', 'g'));  // g was, though h right before was refused
  EXPECT_TRUE(was(s, 'b', 'b'));
  EXPECT_FALSE(was(s, 'h', 'g'));
}

TEST(WasDeliverable, OnlyTheAnswerToAnActorThatWaited) {
  scripted s(told_while_waiting());
  s.take("cqrpx");

  EXPECT_FALSE(was(s, 'x', 'r'));
  EXPECT_TRUE(was(s, 'x', 'c'));
  EXPECT_TRUE(was(s, 'r', 'r'));
  EXPECT_FALSE(was(s, 'y', 'r'));
}

TEST(WasDeliverable, NotInPlaceOfTheAnswerToAnotherCall) {
  scripted s({.starts = "cd",
              .letters = {{.name = 'c', .to = '1', .calls = 'q'},
                          {.name = 'd', .to = '1', .calls = 'p'},
                          {.name = 'q', .to = '2', .answers = 'r'},
                          {.name = 'p', .to = '2', .answers = 'o'},
                          {'r', '1'},
                          {'o', '1'}}});
  s.take("cqrdpo");

  EXPECT_FALSE(was(s, 'o', 'r'));
  EXPECT_FALSE(was(s, 'r', 'o'));
  EXPECT_TRUE(was(s, 'o', 'o'));
}

TEST(WasDeliverable, NeverWhatAFailedStepSent) {
  scripted s({.starts = "faz",
              .letters = {{.name = 'f', .to = '1', .sends = "x", .fails = true}, {'a', '3'}, {'z', '3'}, {'x', '3'}}});
  s.go_on_after_abort(true);
  s.take("fa");

  EXPECT_FALSE(was(s, 'x', 'a'));
  EXPECT_TRUE(was(s, 'z', 'a'));
}

TEST(WasDeliverable, NotToASenderWhoseSendsHadNotArrived) {
  scripted s({.starts = "ac", .letters = {{'a', '1', "x"}, {'c', '1'}, {'x', '2'}}}, delivery::mailbox_interleaved);
  s.take("aX.c");

  EXPECT_FALSE(was(s, 'c', '.'));
}

}  // namespace
}  // namespace harrier
