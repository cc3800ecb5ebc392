#include <harrier/core/dependence.hpp>
#include <harrier/core/happens_before.hpp>

#include <gtest/gtest.h>

#include <bitset>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scripted.hpp"

namespace harrier {
namespace {

// The relation by its definition, and what happens_before says, asked in each of its ways.

constexpr std::size_t most = 256;
using pasts = std::vector<std::bitset<most>>;  // by explored step, which explored steps come before it

std::set<actor_slot> sent_to(const system& s, step_index i) {
  std::set<actor_slot> all;
  for (auto m = s.step_at(i).first_sent; m < s.sent_end(i); ++m)
    if (!s.message_at(m).dead) all.insert(s.message_at(m).receiver);
  return all;
}

bool meet(const std::set<actor_slot>& x, const std::set<actor_slot>& y) {
  for (const auto a : x)
    if (y.contains(a)) return true;
  return false;
}

bool is_ordered_directly(const system& s, step_index e, step_index f) {
  if (s.step_at(e).receiver == s.step_at(f).receiver) return true;
  if (s.message_at(s.step_at(f).message).sent_by == e) return true;
  return s.model() == delivery::mailbox && meet(sent_to(s, e), sent_to(s, f));
}

pasts by_definition(const system& s) {
  const auto base = static_cast<step_index>(s.setup_steps());
  pasts all(s.depth());
  for (step_index j = 0; j < all.size(); ++j) {
    all[j].set(j);
    for (step_index i = 0; i < j; ++i)
      if (is_ordered_directly(s, base + i, base + j)) all[j] |= all[i];
  }
  return all;
}

pasts asked(const system& s, const happens_before& order) {
  const auto base = static_cast<step_index>(s.setup_steps());
  pasts all(s.depth());
  for (step_index j = 0; j < all.size(); ++j)
    for (step_index i = 0; i < all.size(); ++i)
      if (order.before(base + i, base + j)) all[j].set(i);
  return all;
}

pasts asked_for_independent(const system& s, const happens_before& order) {
  const auto base = static_cast<step_index>(s.setup_steps());
  pasts all(s.depth());
  for (step_index i = 0; i < all.size(); ++i) {
    for (step_index j = i; j < all.size(); ++j) all[j].set(i);
    order.for_each_independent(base + i, [&](step_index f) { all[f - base].reset(i); });
  }
  return all;
}

/// The steps that happen before all from `from` on.
std::bitset<most> common(const pasts& all, std::size_t from) {
  std::bitset<most> result;
  for (std::size_t i = 0; i < all.size(); ++i) result.set(i);
  for (auto j = from; j < all.size(); ++j) result &= all[j];
  return result;
}

std::bitset<most> asked_for_common(const system& s, happens_before& order, std::size_t from) {
  const auto base = static_cast<step_index>(s.setup_steps());
  std::bitset<most> result;
  order.take_common_past(base + static_cast<step_index>(from));
  for (step_index i = 0; i < s.depth(); ++i)
    if (order.precedes_all(base + i)) result.set(i);
  return result;
}

/// The first pair of steps on which the two do not agree; empty if they do.
std::string difference(const pasts& x, const pasts& y) {
  for (std::size_t f = 0; f < x.size(); ++f)
    for (std::size_t e = 0; e < x.size(); ++e)
      if (x[f][e] != y[f][e]) return std::to_string(e) + (y[f][e] ? " is" : " is not") + " before " + std::to_string(f);
  return {};
}

void expect_as_defined(const system& s, happens_before& order) {
  const auto right = by_definition(s);
  ASSERT_EQ(difference(asked(s, order), right), "") << "after " << s.depth() << " steps";
  ASSERT_EQ(difference(asked_for_independent(s, order), right), "") << "after " << s.depth() << " steps";
  for (const auto from : {s.depth() / 2, s.depth() - 1}) {
    ASSERT_TRUE(asked_for_common(s, order, from) == common(right, from)) << "from " << from << " of " << s.depth();
  }
}

/// Two senders to one actor, one of which creates another, and one that fails. 840 executions.
script small_program() {
  return {.starts = "abf",
          .letters = {{.name = 'a', .to = '1', .sends = "c"},
                      {.name = 'b', .to = '2', .sends = "ce", .creates = "5"},
                      {.name = 'c', .to = '3', .sends = "d"},
                      {.name = 'd', .to = '2'},
                      {.name = 'e', .to = '5'},
                      {.name = 'f', .to = '4', .sends = "d", .fails = true}}};
}

/// Never ends: 1 and 2 play ping-pong, 3 talks to itself, 4 to itself and to 3.
script long_program() {
  return {.starts = "acd",
          .letters = {{.name = 'a', .to = '1', .sends = "b"},
                      {.name = 'b', .to = '2', .sends = "a"},
                      {.name = 'c', .to = '3', .sends = "c"},
                      {.name = 'd', .to = '4', .sends = "de"},
                      {.name = 'e', .to = '3'}},
          .before = "ab"};
}

/// Compares in every state of every execution, going back and forth.
void expect_as_defined_everywhere(system& s, happens_before& order) {
  for (auto m = s.first_deliverable(); m != no_message; m = s.next_deliverable(m)) {
    s.deliver(m);
    order.push(dependence(s));
    ASSERT_NO_FATAL_FAILURE(expect_as_defined(s, order));
    ASSERT_NO_FATAL_FAILURE(expect_as_defined_everywhere(s, order));
    s.undo();
    order.pop();
  }
}

void expect_as_defined_everywhere(delivery model, std::size_t rows) {
  scripted s(small_program(), model);
  s.go_on_after_abort(true);
  happens_before order(s, rows);
  expect_as_defined_everywhere(s, order);
}

void run(scripted& s, happens_before& order, std::string_view letters) {
  for (const auto name : letters) {
    s.take({&name, 1});
    order.push(dependence(s));
  }
}

/// Deliveries of long_program, so many.
std::string in_turns(std::size_t letters) {
  std::string result;
  while (result.size() < letters) result += "adbce";
  return result.substr(0, letters);
}

void expect_as_defined_at(delivery model, std::size_t rows, const std::vector<std::size_t>& lengths) {
  scripted s(long_program(), model);
  happens_before order(s, rows);
  const auto all = in_turns(lengths.back());
  for (const auto n : lengths) {
    run(s, order, std::string_view(all).substr(s.depth(), n - s.depth()));
    ASSERT_NO_FATAL_FAILURE(expect_as_defined(s, order)) << rows << " rows";
  }
  for (auto n = lengths.rbegin(); n != lengths.rend(); ++n) {
    for (; s.depth() > *n; order.pop()) s.undo();
    ASSERT_NO_FATAL_FAILURE(expect_as_defined(s, order)) << "back, " << rows << " rows";
  }
}

TEST(HappensBefore, IsTheClosureOfReceiversAndSends) { expect_as_defined_everywhere(delivery::unordered, 8192); }

TEST(HappensBefore, OrdersSendsToOneActorUnderMailbox) { expect_as_defined_everywhere(delivery::mailbox, 8192); }

TEST(HappensBefore, IsTheSameByClocks) {
  for (const std::size_t rows : {0, 1, 3}) {
    expect_as_defined_everywhere(delivery::unordered, rows);
    expect_as_defined_everywhere(delivery::mailbox, rows);
  }
}

TEST(HappensBefore, KeepsEveryRowWhenItWidens) {
  expect_as_defined_at(delivery::unordered, 8192, {1, 63, 64, 65, 66, 127, 128, 129, 130, 200});
  expect_as_defined_at(delivery::mailbox, 8192, {1, 63, 64, 65, 66, 127, 128, 129, 130, 200});
}

TEST(HappensBefore, GoesFromRowsToClocksAnywhere) {
  for (const std::size_t rows : {1, 63, 64, 65, 100, 128}) {
    expect_as_defined_at(delivery::unordered, rows, {1, 62, 64, 65, 66, 101, 129, 140});
    expect_as_defined_at(delivery::mailbox, rows, {1, 62, 64, 65, 66, 101, 129, 140});
  }
}

TEST(HappensBefore, StaysRightOnceBackAtTheStart) {
  scripted s(long_program());
  happens_before order(s, 4);
  run(s, order, in_turns(10));
  for (; s.depth() > 0; order.pop()) s.undo();

  run(s, order, "ccda");

  expect_as_defined(s, order);
  run(s, order, "bec");
  expect_as_defined(s, order);
}

TEST(HappensBefore, SeesNoSetUpStepAfterAnExploredOne) {
  scripted s(long_program());
  happens_before order(s);
  run(s, order, "ac");

  EXPECT_EQ(s.setup_steps(), 3U);
  EXPECT_FALSE(order.before(s.step_of('c'), 0));
  EXPECT_FALSE(order.before(s.step_of('c'), 2));
  EXPECT_FALSE(order.before(s.step_of('c'), no_step));
}

TEST(HappensBefore, KnowsWhatComesBeforeASending) {
  scripted s(small_program());
  happens_before order(s);
  run(s, order, "abc");  // c was sent by a

  EXPECT_TRUE(order.before_sending(s.step_of('a'), s.first_of('c')));
  EXPECT_FALSE(order.before_sending(s.step_of('b'), s.first_of('c')));
  EXPECT_TRUE(order.before_sending(s.step_of('b'), s.pending_of('c')));
  EXPECT_FALSE(order.before_sending(s.step_of('a'), s.pending_of('c')));
  EXPECT_FALSE(order.before_sending(s.step_of('a'), s.first_of('b')));
}

TEST(HappensBefore, OrdersAFailedStepAfterItsOwnActorOnly) {
  scripted s({.starts = "gfa",
              .letters = {{.name = 'g', .to = '4'},
                          {.name = 'f', .to = '4', .sends = "d", .fails = true},
                          {.name = 'a', .to = '1', .sends = "d"},
                          {.name = 'd', .to = '2'}}},
             delivery::mailbox);
  s.go_on_after_abort(true);
  happens_before order(s);
  run(s, order, "gfa");

  EXPECT_TRUE(order.before(s.step_of('g'), s.step_of('f')));
  EXPECT_FALSE(order.before(s.step_of('f'), s.step_of('a')));
}

TEST(HappensBefore, PrecedesNoStepAtAllInVain) {
  scripted s(long_program());
  happens_before order(s);
  run(s, order, "acd");

  order.take_common_past(static_cast<step_index>(s.step_count()));

  EXPECT_TRUE(order.precedes_all(s.step_of('a')));
  EXPECT_TRUE(order.precedes_all(s.step_of('d')));
}

}  // namespace
}  // namespace harrier
