// What is deliverable, compared with the definition of each delivery model in every state of every execution.
#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "small_scripts.hpp"

namespace harrier {
namespace {

/// Whether step `e` leads to step `f`.
bool leads_to(const system& s, step_index e, step_index f) {
  for (auto g = e + 1; g <= f; ++g) {
    const bool is_next =
        s.step_at(g).receiver == s.step_at(e).receiver || s.message_at(s.step_at(g).message).sent_by == e;
    if (is_next && leads_to(s, g, f)) return true;
  }
  return e == f;
}

/// Whether sending `p` happens before sending `m`, which step `f` does: what p's step sends after p, and what p leads
/// to, comes after it, and so does what its actor does later; not what its step sent before it.
bool is_sent_causally_before(const system& s, message_slot p, message_slot m) {
  const auto e = s.message_at(p).sent_by;
  const auto f = s.message_at(m).sent_by;
  if (e == no_step || e == f) return p < m;
  if (f == no_step) return false;
  for (auto g = e + 1; g <= f; ++g) {
    const auto& by = s.message_at(s.step_at(g).message);
    const bool is_after_p =
        s.step_at(g).receiver == s.step_at(e).receiver || (by.sent_by == e && s.step_at(g).message >= p);
    if (is_after_p && leads_to(s, g, f)) return true;
  }
  return false;
}

actor_slot sender_of(const system& s, message_slot m) { return s.step_at(s.message_at(m).sent_by).receiver; }

bool comes_first(const system& s, message_slot p, message_slot m) {
  switch (s.model()) {
    case delivery::unordered: return false;
    case delivery::fifo: return sender_of(s, p) == sender_of(s, m) && p < m;
    case delivery::causal: return is_sent_causally_before(s, p, m);
    case delivery::mailbox:
    case delivery::mailbox_interleaved: return p < m;
  }
  return false;
}

bool is_news(const scripted& s, message_slot m) { return !is_visible(s.message_at(m).makes); }

bool by_definition(const scripted& s, message_slot m) {
  const auto& x = s.message_at(m);
  const auto& receiver = s.actor_at(x.receiver);
  if (is_news(s, m)) return true;
  if (x.dead || receiver.draining || receiver.state_of_life == actor::mode::gone) return false;
  if (receiver.state_of_life == actor::mode::waiting)
    return x.kind == message::role::reply && x.answers == receiver.awaited;
  if (!s.is_accepted(m)) return false;
  for (auto p = s.first_pending(); p != no_message; p = s.next_pending(p)) {
    const auto& y = s.message_at(p);
    if (p != m && y.receiver == x.receiver && !y.dead && !is_news(s, p) && s.is_accepted(p) && comes_first(s, p, m))
      return false;
  }
  return true;
}

class comparison {
public:
  comparison(script program, delivery model) : s_(std::move(program), model) { s_.go_on_after_abort(true); }

  void run() {
    ++states;
    compare();
    for (auto m = s_.first_deliverable(); m != no_message; m = s_.next_deliverable(m)) {
      note();
      s_.deliver(m);
      ASSERT_NO_FATAL_FAILURE(compare_in_place_of_last());
      ASSERT_NO_FATAL_FAILURE(run());
      s_.undo();
      before_.pop_back();
    }
  }

  int states = 0;

private:
  void note() {
    auto& now = before_.emplace_back();
    for (auto m = s_.first_pending(); m != no_message; m = s_.next_pending(m)) now[m] = s_.deliverable(m);
  }
  void compare() {
    for (auto m = s_.first_pending(); m != no_message; m = s_.next_pending(m))
      ASSERT_EQ(s_.deliverable(m), by_definition(s_, m)) << s_.name_of(m) << " in\n" << s_.dump();
  }
  /// For each step, what its receiver might have got instead.
  void compare_in_place_of_last() {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      const auto e = static_cast<step_index>(s_.setup_steps() + i);
      for (const auto& [m, was] : before_[i]) {
        if (s_.message_at(m).receiver != s_.step_at(e).receiver || s_.message_at(m).dead) continue;
        ASSERT_EQ(s_.was_deliverable(m, e), was) << s_.name_of(m) << " before step " << e << " of\n" << s_.dump();
      }
    }
  }

  scripted s_;
  std::vector<std::map<message_slot, bool>> before_;  // by explored step: what was pending, and whether deliverable
};

int states_compared(const script& program, delivery model) {
  comparison c(program, model);
  c.run();
  return c.states;
}

/// Two senders, with refused messages in front of others.
script guarded() {
  return {.starts = "ab",
          .letters = {{'a', '1', "ghx"},
                      {'b', '2', "kx"},
                      {.name = 'g', .to = '3', .accepted = after('k')},
                      {.name = 'h', .to = '3', .accepted = before('k')},
                      {'k', '3'},
                      {'x', '3'}}};
}

/// One sender, whose messages are refused and accepted by turns.
script guarded_by_turns() {
  return {.starts = "ghikx",
          .letters = {{.name = 'g', .to = '1', .accepted = after('h')},
                      {.name = 'h', .to = '1', .accepted = after('k')},
                      {.name = 'i', .to = '1', .accepted = before('x')},
                      {'k', '1'},
                      {'x', '1'}}};
}

/// Chains through third actors, with a guard at the end.
script chains() {
  return {.starts = "abc",
          .letters = {{'a', '1', "nxo"},
                      {'b', '1', "x"},
                      {'c', '2', "o"},
                      {'n', '2', "y"},
                      {'o', '4', "y"},
                      {.name = 'x', .to = '3', .accepted = after('y')},
                      {'y', '3'}}};
}

/// One fails and one goes while messages wait.
script ending() {
  return {.starts = "fadb",
          .letters = {{.name = 'f', .to = '1', .sends = "x", .fails = true},
                      {'a', '2', "yx"},
                      {'b', '1', "x"},
                      {'x', '3'},
                      {.name = 'y', .to = '3', .accepted = after('x')},
                      {.name = 'd', .to = '2', .destroys = true}}};
}

class QueuesOfEachModel : public testing::TestWithParam<delivery> {};

TEST_P(QueuesOfEachModel, OrderWhatGuardsLetPass) { EXPECT_GT(states_compared(guarded(), GetParam()), 30); }

TEST_P(QueuesOfEachModel, OrderWhatIsRefusedByTurns) { EXPECT_GT(states_compared(guarded_by_turns(), GetParam()), 5); }

TEST_P(QueuesOfEachModel, OrderWhatIsLeftByThoseWhoEnd) { EXPECT_GT(states_compared(ending(), GetParam()), 20); }

TEST_P(QueuesOfEachModel, OrderWhatCallersAreTold) { EXPECT_GT(states_compared(told_while_waiting(), GetParam()), 5); }

INSTANTIATE_TEST_SUITE_P(, QueuesOfEachModel, testing::ValuesIn(delivery_models()), name_of_model);

/// Where arrivals are no deliveries of their own, of which there would be too many here.
class QueuesWithoutArrivals : public testing::TestWithParam<delivery> {};

TEST_P(QueuesWithoutArrivals, OrderChains) { EXPECT_GT(states_compared(chains(), GetParam()), 100); }

INSTANTIATE_TEST_SUITE_P(, QueuesWithoutArrivals,
                         testing::Values(delivery::unordered, delivery::fifo, delivery::causal, delivery::mailbox),
                         name_of_model);

}  // namespace
}  // namespace harrier
