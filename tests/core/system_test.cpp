// Limits, ends, draws, findings, schedules and paths of a system.
#include <harrier/core/system.hpp>

#include <gmock/gmock.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>

#include "small_scripts.hpp"

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// 1 and 2 play for ever.
script ping_pong() { return {.starts = "a", .letters = {{'a', '1', "b"}, {'b', '2', "a"}}}; }

TEST(DepthLimit, CutsAnExecution) {
  scripted s(ping_pong());
  s.limit_depth(3);
  s.take("ab");
  EXPECT_FALSE(s.truncated());
  s.take("a");

  EXPECT_EQ(s.first_deliverable(), no_message);
  EXPECT_TRUE(s.truncated());
  s.undo();
  EXPECT_FALSE(s.truncated());
  EXPECT_EQ(s.deliverable_names(), "a");
}

TEST(DepthLimit, CutsNothingThatEndsThere) {
  scripted s({.starts = "ab", .letters = {{'a', '1'}, {'b', '2'}}});
  s.limit_depth(2);
  s.take("ab");

  EXPECT_FALSE(s.truncated());
}

TEST(DepthLimit, CountsExploredDeliveriesOnly) {
  scripted s({.starts = "a", .letters = {{'a', '1', "b"}, {'b', '2', "a"}}, .before = "abab"});
  s.limit_depth(1);
  EXPECT_EQ(s.deliverable_names(), "a");
  s.take("a");

  EXPECT_EQ(s.depth(), 1U);
  EXPECT_TRUE(s.truncated());
}

script two_that_fail() {
  return {.starts = "fgab",
          .letters = {{.name = 'f', .to = '1', .sends = "x", .fails = true},
                      {.name = 'g', .to = '2', .fails = true},
                      {'a', '3'},
                      {'b', '1'},
                      {'x', '3'}}};
}

TEST(Abort, EndsTheExecution) {
  scripted s(two_that_fail());
  s.take("af");

  EXPECT_TRUE(s.aborted());
  EXPECT_EQ(s.first_deliverable(), no_message);
  EXPECT_FALSE(s.truncated());
  EXPECT_TRUE(s.step_at(s.step_of('f')).aborted);
  s.undo();
  EXPECT_FALSE(s.aborted());
  EXPECT_EQ(s.deliverable_names(), "fgb");
}

TEST(Abort, EndsItsActorAloneIfTheSearchGoesOn) {
  scripted s(two_that_fail());
  s.go_on_after_abort(true);
  s.take("f");

  EXPECT_TRUE(s.aborted());
  EXPECT_EQ(s.deliverable_names(), "ga");  // not b: 1 is gone; not x: a failed step sent it
  s.take("g");
  EXPECT_EQ(s.deliverable_names(), "a");
  s.undo();
  EXPECT_TRUE(s.aborted());
  EXPECT_TRUE(s.actor_at(s.slot_of_actor('1')).failed);
  EXPECT_FALSE(s.actor_at(s.slot_of_actor('2')).failed);
  s.undo();
  EXPECT_FALSE(s.aborted());
}

std::vector<std::string> drawn_by(const std::function<void(scripted&)>& handler) {
  scripted s({.starts = "a", .letters = {{.name = 'a', .to = '1', .also = handler}}});
  std::vector<std::string> all;
  std::uint64_t code = 0;
  do {
    s.take_drawing('a', code);
    all.push_back(s.taken_by('1').substr(1));
    code = s.next_code();
    s.undo();
  } while (code != 0);
  return all;
}

TEST(Draws, CountLikeAnOdometer) {
  const auto all = drawn_by([](scripted& me) {
    me.draw(2);
    me.draw(3);
  });

  EXPECT_THAT(all, ElementsAre("00", "01", "02", "10", "11", "12"));
}

TEST(Draws, MayDependOnEarlierOnes) {
  const auto all = drawn_by([](scripted& me) {
    const auto arity = me.draw(3) + 1;
    if (arity > 1) me.draw(arity);
  });

  EXPECT_THAT(all, ElementsAre("0", "10", "11", "20", "21", "22"));
}

TEST(Draws, AmongOneValueAreNoAlternatives) {
  const auto all = drawn_by([](scripted& me) {
    me.draw(1);
    me.draw(2);
    me.draw(1);
  });

  EXPECT_THAT(all, ElementsAre("000", "010"));
}

TEST(Draws, AreToldWithTheirWeights) {
  scripted s(
      {.starts = "ab", .letters = {{.name = 'a', .to = '1', .draws = {2, 3}}, {.name = 'b', .to = '1', .draws = {5}}}});
  s.take_drawing('a', 5);
  s.take_drawing('b', 4);

  EXPECT_EQ(s.taken_by('1'), "a12b4");
  const auto of_a = s.choices_of(s.step_of('a'));
  ASSERT_EQ(of_a.size(), 2U);
  EXPECT_EQ(of_a[0].scale, 1U);
  EXPECT_EQ(of_a[1].arity, 3U);
  EXPECT_EQ(of_a[1].scale, 2U);
  EXPECT_EQ(s.choices_of(s.step_of('b')).size(), 1U);
  EXPECT_EQ(with_draw(5, of_a[0], 0), 0U);
  EXPECT_EQ(with_draw(5, of_a[0], 1), 5U);
  EXPECT_EQ(with_draw(5, of_a[1], 1), 3U);
}

TEST(Draws, NameTheirAlternative) {
  scripted s({.starts = "a", .letters = {{.name = 'a', .to = '1', .draws = {3}}}});
  const auto message = s.message_at(s.first_of('a')).id;
  const auto label = s.names().alternative(message, 2);

  s.deliver_event(label);

  EXPECT_EQ(s.taken_by('1'), "a2");
  EXPECT_EQ(s.step_at(s.step_of('a')).label, label);
  s.undo();
  s.deliver_event(message);
  EXPECT_EQ(s.taken_by('1'), "a0");
}

TEST(Draws, AreAnErrorBeyond64Bits) {
  scripted s({.starts = "a", .letters = {{.name = 'a', .to = '1', .draws = {1ULL << 40, 1ULL << 40, 2}}}});

  EXPECT_THROW(s.take("a"), error);
}

std::vector<std::string> texts(std::span<const record> records) {
  std::vector<std::string> all;
  for (const auto& r : records) all.push_back(r.message);
  return all;
}

TEST(Records, BelongToTheirSteps) {
  const auto complain_twice = [](scripted& me) {
    me.complain("one");
    me.complain("two");
  };
  scripted s(
      {.starts = "abf",
       .letters = {
           {.name = 'a', .to = '1', .also = complain_twice}, {'b', '1'}, {.name = 'f', .to = '2', .fails = true}}});
  s.take("abf");

  EXPECT_THAT(texts(s.records_of_last_step()), ElementsAre("f fails"));
  EXPECT_THAT(texts(s.records_of_step(s.step_of('b'))), IsEmpty());
  EXPECT_THAT(texts(s.records_of_step(s.step_of('a'))), ElementsAre("one", "two"));
  EXPECT_TRUE(s.step_at(s.step_of('a')).flagged);
  EXPECT_FALSE(s.step_at(s.step_of('b')).flagged);
  const auto a = s.step_of('a');
  s.undo_all();
  s.take("b");
  EXPECT_THAT(texts(s.records_of_step(a)), IsEmpty());
}

TEST(Schedule, RepeatsAnExecutionOnAFreshSystem) {
  const script program{.starts = "ab",
                       .letters = {{.name = 'a', .to = '1', .sends = "xx", .draws = {4}}, {'b', '2', "x"}, {'x', '3'}},
                       .before = "b"};
  scripted first(program);
  first.take_drawing('a', 3);
  first.take("xx");
  scripted second(program);

  second.run(first.current_schedule());

  EXPECT_EQ(second.dump(), first.dump());
  EXPECT_EQ(second.current_schedule(), first.current_schedule());
}

std::string what_is_wrong_with(system& s, const schedule& planned) {
  try {
    s.run(planned);
  } catch (const error& e) {
    return e.what();
  }
  return {};
}

TEST(Schedule, StopsWhereItCannotGoOn) {
  scripted s({.starts = "ag", .letters = {{'a', '1'}, {.name = 'g', .to = '1', .accepted = after('g')}}});
  const auto a = s.first_of('a');
  const auto g = s.first_of('g');

  EXPECT_EQ(what_is_wrong_with(s, {{0, a}, {0, g + 1}}), "delivery 2 of the schedule: the message was not sent");
  EXPECT_EQ(s.depth(), 1U);
  EXPECT_EQ(what_is_wrong_with(s, {{0, a}}), "delivery 1 of the schedule: actor_0.a cannot be delivered");
  EXPECT_EQ(what_is_wrong_with(s, {{0, g}}), "delivery 1 of the schedule: actor_0.g cannot be delivered");
  EXPECT_THAT(what_is_wrong_with(s, {{0, no_message}}), HasSubstr("was not sent"));
  EXPECT_EQ(s.depth(), 1U);
}

TEST(Schedule, StopsAtTheDepthLimit) {
  scripted s(ping_pong());
  s.limit_depth(1);
  const auto a = s.first_of('a');

  EXPECT_THAT(what_is_wrong_with(s, {{0, a}, {0, a + 1}}), HasSubstr("delivery 2"));
}

script with_set_up() {
  return {.starts = "ab", .letters = {{'a', '1', "xy"}, {'b', '2', "y"}, {'x', '3', "y"}, {'y', '3'}}, .before = "a"};
}

TEST(MessagePath, CountsDeliveriesAndTheirSends) {
  scripted s(with_set_up());
  s.take("bx");

  EXPECT_EQ(s.message_path(1), "start");
  EXPECT_EQ(s.message_path(s.first_of('a')), "-1.0");
  EXPECT_EQ(s.message_path(s.first_of('b')), "-1.1");
  EXPECT_EQ(s.message_path(s.first_of('x')), "0.0");
  EXPECT_EQ(s.message_path(s.first_of('y')), "0.1");
  EXPECT_EQ(s.message_path(s.first_of('y') + 1), "1.0");
  EXPECT_EQ(s.message_path(s.first_of('y') + 2), "2.0");
}

TEST(MessagePath, LeadsBackToItsMessage) {
  scripted s(with_set_up());
  s.take("bx");

  EXPECT_EQ(s.message_count(), 7U);
  for (message_slot m = 1; m <= s.message_count(); ++m) EXPECT_EQ(s.message_at_path(s.message_path(m)), m);
}

TEST(MessagePath, LeadsNowhereIfItIsNone) {
  scripted s(with_set_up());
  s.take("yb");  // leaves something behind where the next step would be
  s.undo_all();
  s.take("b");
  for (const auto* path : {"", "1", "1.", ".0", "x.0", "1.x", "1.0 ", "1.-1", "1.1", "2.0", "-2.0", "-3.0", "1.0.0",
                           "99999999999999999999.0"})
    EXPECT_EQ(s.message_at_path(path), no_message) << path;
}

TEST(Names, CountActorsInTheOrderOfTheirCreation) {
  scripted s({.starts = "ab", .letters = {{'a', '1', "x"}, {.name = 'b', .to = '2', .creates = "3"}, {'x', '3'}}});
  s.take("b");

  EXPECT_EQ(s.actor_name(0), "driver");
  EXPECT_EQ(s.actor_name(s.slot_of_actor('1')), "actor_0");
  EXPECT_EQ(s.actor_name(s.slot_of_actor('3')), "actor_2");
  EXPECT_EQ(s.created_count(), 3U);
  EXPECT_EQ(s.state_text(s.slot_of_actor('2')), "{b}");
  EXPECT_EQ(s.message_text(s.first_of('a')), "a");
}

}  // namespace
}  // namespace harrier
