// The order of one mailbox, as sent at once and as arrived.
#include <gtest/gtest.h>

#include "small_scripts.hpp"

namespace harrier {
namespace {

TEST(Mailbox, KeepsTheOrderInWhichWasSentByAnyone) {
  scripted s(two_senders(), delivery::mailbox);
  s.take("ba");

  EXPECT_EQ(s.deliverable_names(), "y");
  s.take("yw");
  EXPECT_EQ(s.deliverable_names(), "x");
  s.undo_all();
  s.take("ab");
  EXPECT_EQ(s.deliverable_names(), "x");
}

TEST(Mailbox, IsHeldBackByAnAcceptedMessageBehindARefusedOne) {
  scripted s({.starts = "abc",
              .letters = {{'a', '1', "g"},
                          {'b', '2', "h"},
                          {'c', '4', "x"},
                          {.name = 'g', .to = '3', .accepted = before('g')},
                          {.name = 'h', .to = '3', .accepted = after('x')},
                          {'x', '3'}}},
             delivery::mailbox);
  s.take("abc");

  EXPECT_EQ(s.deliverable_names(), "g");
  s.take("g");
  EXPECT_EQ(s.deliverable_names(), "x");
}

TEST(Mailbox, IsNotHeldBackByWhatAFailedStepSent) {
  scripted s(
      {.starts = "fa",
       .letters = {{.name = 'f', .to = '1', .sends = "x", .fails = true}, {'a', '2', "y"}, {'x', '3'}, {'y', '3'}}},
      delivery::mailbox);
  s.go_on_after_abort(true);
  s.take("fa");

  EXPECT_EQ(s.deliverable_names(), "y");
  EXPECT_EQ(s.pending_names(), "xy");
}

TEST(InterleavedMailbox, HasStepsThatAreNobodys) {
  scripted s(two_senders(), delivery::mailbox_interleaved);
  s.take("a");
  const auto by = s.last_step();
  const auto sent = s.sent_by(by);
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_TRUE(is_visible(s.step_at(by).kind));
  EXPECT_EQ(s.created_count(), s.actor_count() / 2 - 1);

  s.take("X");
  EXPECT_FALSE(is_visible(s.step_at(s.last_step()).kind));
  EXPECT_TRUE(s.is_internal(s.step_at(s.last_step()).receiver));
  EXPECT_TRUE(s.sent_by(s.last_step()).empty());
}

TEST(InterleavedMailbox, KeepsTheOrderOfArrival) {
  scripted s(two_senders(), delivery::mailbox_interleaved);
  s.take("abYXWZ");

  EXPECT_EQ(s.pending_names(), "yxw.z.");
  EXPECT_EQ(s.deliverable_names(), "y..");
  s.take("y");
  EXPECT_EQ(s.deliverable_names(), "x..");
  s.take("x");
  EXPECT_EQ(s.deliverable_names(), "w..");
}

TEST(InterleavedMailbox, KnowsWhoSentWhatArrived) {
  scripted s(two_senders(), delivery::mailbox_interleaved);
  s.take("a");
  const auto by = s.last_step();
  const auto sent = s.first_of('x');
  EXPECT_FALSE(s.is_taken(sent));

  s.take("X");
  const auto here = s.pending_of('x');
  EXPECT_NE(here, sent);
  EXPECT_EQ(s.sender_of(here), by);
  EXPECT_EQ(s.sender_of(sent), by);
  EXPECT_FALSE(s.is_taken(sent));
  s.take("x");
  EXPECT_TRUE(s.is_taken(sent));
  EXPECT_TRUE(s.is_taken(here));
  s.undo();
  s.undo();
  EXPECT_FALSE(s.is_taken(sent));
}

TEST(InterleavedMailbox, GetsTheSendsOfOneStepInTheirOrder) {
  scripted s(two_senders(), delivery::mailbox_interleaved);
  s.take("ab");

  EXPECT_EQ(s.deliverable_names(), "XY");
  s.take("X");
  EXPECT_EQ(s.deliverable_names(), "YxZ");
  s.undo();
  EXPECT_EQ(s.deliverable_names(), "XY");
}

TEST(InterleavedMailbox, GivesASenderNothingBeforeAllHasArrived) {
  scripted s({.starts = "ac", .letters = {{'a', '1', "xy"}, {'c', '1'}, {'x', '2'}, {'y', '2'}}},
             delivery::mailbox_interleaved);
  s.take("a");

  EXPECT_EQ(s.deliverable_names(), "X");
  s.take("XY");
  EXPECT_EQ(s.deliverable_names(), "x.");
  s.take(".");
  EXPECT_EQ(s.deliverable_names(), "cx");
}

TEST(InterleavedMailbox, LetsARefusedMessageBeOvertaken) {
  scripted s({.starts = "a",
              .letters = {{'a', '1', "gxy"}, {.name = 'g', .to = '2', .accepted = after('x')}, {'x', '2'}, {'y', '2'}}},
             delivery::mailbox_interleaved);
  s.take("a");
  s.settle();

  EXPECT_EQ(s.deliverable_names(), "x");
  s.take("x");
  EXPECT_EQ(s.deliverable_names(), "g");
}

TEST(InterleavedMailbox, BringsAnAnswerToTheCaller) {
  scripted s(told_while_waiting(), delivery::mailbox_interleaved);
  s.take("cQ.");
  EXPECT_EQ(s.deliverable_names(), "q");
  s.take("q");
  EXPECT_EQ(s.deliverable_names(), "X");
  s.take("XPR");

  EXPECT_EQ(s.deliverable_names(), "r.");  // not x: 1 waits; not p: 2 has not heard that all arrived
  s.take("r");
  EXPECT_EQ(s.deliverable_names(), "x.");
}

TEST(InterleavedMailbox, LetsNothingArriveThatAFailedStepSent) {
  scripted s(
      {.starts = "fa", .letters = {{.name = 'f', .to = '1', .sends = "x", .fails = true}, {'a', '2'}, {'x', '3'}}},
      delivery::mailbox_interleaved);
  s.go_on_after_abort(true);
  s.take("f");

  EXPECT_EQ(s.pending_names(), "a");
}

}  // namespace
}  // namespace harrier
