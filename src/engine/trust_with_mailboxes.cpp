// trust for delivery::mailbox, in which it is not the receiver alone that
// decides what it can take.
//
// It searches the same program under mailbox_interleaved, where it is: each
// sending is an event of its own there. Of the classes found that way, those are
// executions under `mailbox` in which each macro-step's sendings can be made at
// once: contract a step, the arrivals of what it sent and the word that they
// have arrived to one node; the execution is one iff no node comes before
// itself. (Must too filters what is not consistent with its mailboxes.) Its
// nodes in an order that agrees with the arrows are then delivered under
// `mailbox`, where the queue leaves each actor one message to take.
//
// Two classes differ in the order of arrivals at some mailbox, so they are
// different executions here: each class is run once. The others are wasted,
// and counted as given up.
#include <harrier/engine/trust.hpp>

#include <functional>
#include <queue>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/invariant.hpp>

#include "depth_first.hpp"

namespace harrier {
namespace {

/// What must come before what in an execution under mailbox_interleaved.
class contraction {
public:
  explicit contraction(const system& s) : system_(s) {
    const auto count = static_cast<step_index>(s.step_count());
    nodes_.resize(count);
    for (step_index i = 0; i < count; ++i) nodes_[i] = node_of(i);
    after_.resize(count);
    before_.assign(count, 0);
    for (step_index i = 0; i < count; ++i) {
      const auto& step = s.step_at(i);
      if (step.previous != no_step) arrow(step.previous, i);
      if (const auto by = s.message_at(step.message).sent_by; by != no_step) arrow(by, i);
    }
  }

  /// The macro-steps of the exploration in an order that agrees with the arrows, the earliest first that can be;
  /// `possible` is false if there is none.
  std::vector<step_index> in_order(bool& possible) {
    std::vector<step_index> order;
    std::priority_queue<step_index, std::vector<step_index>, std::greater<>> ready;
    std::size_t nodes = 0;
    for (step_index i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i] != i) continue;
      ++nodes;
      if (before_[i] == 0) ready.push(i);
    }
    std::size_t done = 0;
    while (!ready.empty()) {
      const auto i = ready.top();
      ready.pop();
      ++done;
      if (i >= system_.setup_steps()) order.push_back(i);
      for (const auto next : after_[i])
        if (--before_[next] == 0) ready.push(next);
    }
    possible = done == nodes && beginning_is_in_order();
    return order;
  }

private:
  /// The macro-step to which step `i` belongs; 0, the first, for all of the set-up.
  [[nodiscard]] step_index node_of(step_index i) const {
    const auto& step = system_.step_at(i);
    auto node = i;
    switch (system_.message_at(step.message).kind) {
      case message::role::arrival: node = system_.message_at(system_.as_sent(step.first_sent)).sent_by; break;
      case message::role::all_arrived: node = step.previous; break;  // the actor took nothing since it sent that
      default: break;
    }
    return node < system_.setup_steps() ? 0 : node;
  }

  /// What the set-up sent is in the queues in the order sent.
  [[nodiscard]] bool beginning_is_in_order() const {
    std::vector<message_slot> newest(system_.actor_count(), no_message);  // by mailbox
    for (auto i = static_cast<step_index>(system_.setup_steps()); i < nodes_.size(); ++i) {
      const auto& step = system_.step_at(i);
      if (nodes_[i] != 0 || system_.message_at(step.message).kind != message::role::arrival) continue;
      const auto sent = system_.as_sent(step.first_sent);
      if (sent < newest[step.receiver]) return false;
      newest[step.receiver] = sent;
    }
    return true;
  }

  void arrow(step_index from, step_index to) {
    const auto a = nodes_[from];
    const auto b = nodes_[to];
    if (a == b) return;
    after_[a].push_back(b);
    ++before_[b];
  }

  const system& system_;
  std::vector<step_index> nodes_;  // by step
  std::vector<std::vector<step_index>> after_;
  std::vector<std::uint32_t> before_;
};

/// Watches the search under mailbox_interleaved, and runs each execution that is one under `mailbox` there.
class atomic_executions final : public observer {
public:
  atomic_executions(system& s, observer& watcher) : system_(s), watcher_(watcher) {}

  void step_flagged(system&) override {}  // it is found again when the execution is run
  void poll(system&) override {
    watcher_.poll(system_);
    stopping_ = watcher_.stopping();
  }
  void execution_ended(system& found) override {
    bool possible = false;
    const auto steps = contraction(found).in_order(possible);
    if (possible)
      run(found, steps);
    else
      watcher_.execution_blocked(system_);
    stopping_ = watcher_.stopping();
  }
  void execution_blocked(system&) override {}

  void go_back() {
    while (system_.depth() > 0) system_.undo();
  }

private:
  void run(const system& found, const std::vector<step_index>& steps) {
    std::vector<actor_slot> slots(found.actor_count());  // here, by the slot there
    go_back();
    for (actor_slot a = 0; a < system_.actor_count(); ++a) slots[2 * a] = a;
    for (const auto i : steps) {
      const auto& step = found.step_at(i);
      system_.deliver(only_message_to(slots[step.receiver]), step.code);
      if (watcher_.stopping()) return;
      auto here = system_.step_at(system_.step_count() - 1).first_created;
      for (auto there = step.first_created; there < found.created_end(i); there += 2) slots[there] = here++;
    }
    while (found.truncated() && !watcher_.stopping() && system_.first_deliverable() != no_message)
      system_.deliver(system_.first_deliverable());  // until it is cut here too
    if (!watcher_.stopping()) watcher_.execution_ended(system_);
  }

  [[nodiscard]] message_slot only_message_to(actor_slot receiver) const {
    auto m = system_.first_deliverable();
    while (m != no_message && system_.message_at(m).receiver != receiver) m = system_.next_deliverable(m);
    HARRIER_INVARIANT(m != no_message, "an actor takes under mailbox what it took when sendings came one by one");
    return m;
  }

  system& system_;
  observer& watcher_;
};

/// The local state of `a`, with actors named by their places.
std::string state_of(const system& s, actor_slot a, actor_slot slots_an_actor) {
  std::vector<std::uint32_t> names;
  for (actor_slot other = 0; other < s.actor_count(); other += slots_an_actor) {
    const auto id = static_cast<std::size_t>(s.actor_at(other).id);
    if (id >= names.size()) names.resize(id + 1);
    names[id] = other / slots_an_actor;
  }
  value_bytes state(names);
  s.actor_at(a).type->write(s.actor_at(a).state, state);
  return state.take();
}

/// A set-up is run in the order of sending, in which arrivals stand too; so it may have come out differently.
void require_same_beginning(const system& s, const system& interleaved) {
  bool same = 2 * s.actor_count() == interleaved.actor_count();
  for (actor_slot a = 0; same && a < s.actor_count(); ++a) {
    same =
        s.actor_at(a).type == interleaved.actor_at(2 * a).type && state_of(s, a, 1) == state_of(interleaved, 2 * a, 2);
  }
  if (!same)
    throw error(
        "engine trust cannot search this program with --delivery mailbox: its set-up depends on the order of "
        "messages; optimal can");
}

}  // namespace

bool explore_trust_with_mailboxes(system& system, harrier::system& interleaved, observer& watcher) {
  const past_aborts guard(system);
  atomic_executions executions(system, watcher);
  require_same_beginning(system, interleaved);
  interleaved.observe(&executions);
  const bool ended = explore_trust(interleaved, executions);
  executions.go_back();
  return ended;
}

}  // namespace harrier
