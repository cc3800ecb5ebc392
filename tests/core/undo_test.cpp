// Going back restores everything, the order of the cloud included.
#include <gtest/gtest.h>

#include <string>

#include "small_scripts.hpp"

namespace harrier {
namespace {

/// A bit of everything.
script all_kinds() {
  return {.starts = "acfgn",
          .letters = {{.name = 'a', .to = '1', .sends = "xn", .draws = {2, 2}},
                      {.name = 'c', .to = '2', .calls = 'q'},
                      {.name = 'q', .to = '1', .sends = "x", .creates = "45", .answers = 'r'},
                      {.name = 'r', .to = '2', .is_heavy = true},
                      {.name = 'f', .to = '3', .sends = "n", .fails = true},
                      {.name = 'g', .to = '1', .accepted = after('q')},
                      {.name = 'n', .to = '2', .is_heavy = true},
                      {.name = 'x', .to = '3', .destroys = true}}};
}

/// Delivers all that can be, in every order and with every draw, and looks after each undo.
int expect_restored(scripted& s) {
  int states = 1;
  const auto here = s.dump();
  for (auto m = s.first_deliverable(); m != no_message; m = s.next_deliverable(m)) {
    std::uint64_t code = 0;
    do {
      s.deliver(m, code);
      EXPECT_NE(s.dump(), here);
      states += expect_restored(s);
      code = s.next_code();
      s.undo();
      EXPECT_EQ(s.dump(), here);
    } while (code != 0 && !testing::Test::HasFailure());
  }
  return states;
}

class UndoUnderEachModel : public testing::TestWithParam<delivery> {};

TEST_P(UndoUnderEachModel, RestoresEveryConfiguration) {
  scripted s(all_kinds(), GetParam());
  s.limit_depth(6);

  EXPECT_GT(expect_restored(s), 100);
}

TEST_P(UndoUnderEachModel, RestoresWhatComesAfterAFailureToo) {
  scripted s(all_kinds(), GetParam());
  s.go_on_after_abort(true);
  s.take("f");
  s.limit_depth(4);

  EXPECT_GT(expect_restored(s), 10);
}

INSTANTIATE_TEST_SUITE_P(, UndoUnderEachModel, testing::ValuesIn(delivery_models()), name_of_model);

TEST(Cloud, KeepsItsOrderWhateverIsTakenAndPutBack) {
  scripted s(
      {.starts = "abcdef",
       .letters = {
           {'a', '1'}, {'b', '1'}, {'c', '2'}, {'d', '3'}, {'e', '3'}, {'f', '1', "xy"}, {'x', '1'}, {'y', '2'}}});
  s.take("b");
  EXPECT_EQ(s.pending_names(), "acdef");
  s.take("fd");
  EXPECT_EQ(s.pending_names(), "acexy");
  s.take("ay");
  EXPECT_EQ(s.pending_names(), "cex");

  s.undo();
  EXPECT_EQ(s.pending_names(), "cexy");
  s.undo();
  s.undo();
  EXPECT_EQ(s.pending_names(), "acdexy");
  s.undo_all();
  EXPECT_EQ(s.pending_names(), "abcdef");
}

TEST(Cloud, MayBeWalkedThroughWhileDeliveringAndUndoing) {
  scripted s({.starts = "abc", .letters = {{'a', '1', "xy"}, {'b', '2', "x"}, {'c', '1'}, {'x', '3'}, {'y', '1'}}});
  std::string walked;
  for (auto m = s.first_deliverable(); m != no_message; m = s.next_deliverable(m)) {
    walked += s.name_of(m);
    s.deliver(m);
    s.undo();
  }

  EXPECT_EQ(walked, "abc");
}

TEST(Cloud, UsesSlotsAgain) {
  scripted s({.starts = "ab", .letters = {{'a', '1', "x", "4"}, {'b', '2', "yy", "56"}, {'x', '3'}, {'y', '3'}}});
  s.take("a");
  const auto slot = s.pending_of('x');
  const auto actor = s.slot_of_actor('4');
  s.undo();
  s.take("b");

  EXPECT_EQ(s.first_of('y'), slot);
  EXPECT_EQ(s.slot_of_actor('5'), actor);
  EXPECT_EQ(s.message_count(), slot + 1U);
  EXPECT_EQ(s.actor_count(), actor + 2U);
}

TEST(Cloud, TellsPendingFromDeliveredAndFromNotSent) {
  scripted s({.starts = "a", .letters = {{'a', '1', "x"}, {'x', '1'}}});
  const auto a = s.pending_of('a');

  EXPECT_TRUE(s.pending(a));
  EXPECT_FALSE(s.pending(a + 1));
  s.take("a");
  EXPECT_FALSE(s.pending(a));
  EXPECT_TRUE(s.pending(a + 1));
  s.undo();
  EXPECT_TRUE(s.pending(a));
}

TEST(Undo, DestroysEachPayloadOnce) {
  scripted s(
      {.starts = "ah", .letters = {{'a', '1', "hxh"}, {.name = 'h', .to = '2', .is_heavy = true}, {'x', '3', "h"}}});
  EXPECT_EQ(s.heavy_payloads(), 1);
  s.take("axhh");
  EXPECT_EQ(s.heavy_payloads(), 4);  // those of delivered messages stay, to be delivered again

  s.undo();
  s.undo();
  EXPECT_EQ(s.heavy_payloads(), 4);
  s.undo();
  EXPECT_EQ(s.heavy_payloads(), 3);
  s.undo();
  EXPECT_EQ(s.heavy_payloads(), 1);
}

TEST(Undo, OpensWhoWaitedAndWakesWhoWasGone) {
  scripted s({.starts = "cd",
              .letters = {{.name = 'c', .to = '1', .calls = 'q'},
                          {.name = 'q', .to = '2', .answers = 'r'},
                          {'r', '1'},
                          {.name = 'd', .to = '2', .destroys = true}}});
  s.take("cqr");
  EXPECT_EQ(s.waiting_count(), 0);
  s.undo();
  EXPECT_EQ(s.waiting_count(), 1);
  EXPECT_EQ(s.actor_at(s.slot_of_actor('1')).awaited, s.first_of('q'));
  s.undo();
  s.undo();
  EXPECT_EQ(s.waiting_count(), 0);

  s.take("dc");
  EXPECT_EQ(s.deliverable_names(), "");
  s.undo();
  s.undo();
  EXPECT_EQ(s.deliverable_names(), "cd");
}

TEST(Undo, ReachesTheSetUp) {
  scripted s({.starts = "ab", .letters = {{'a', '1', "x"}, {'b', '1'}, {'x', '2'}}, .before = "a"});

  EXPECT_EQ(s.setup_steps(), 2U);
  EXPECT_EQ(s.depth(), 0U);
  EXPECT_EQ(s.pending_names(), "bx");
  EXPECT_EQ(s.taken_by('1'), "a");
}

}  // namespace
}  // namespace harrier
