// Which messages are known to have reached their receivers' mailboxes before
// which (delivery::mailbox_interleaved), told from what each actor took alone.
//
// A *history* is the sequence of messages that each actor takes. It decides all
// states and all that is sent, so it is an execution of a program under
// delivery::unordered, up to the order of independent steps. Not every one can
// be where there are mailboxes. Nodes: R(e), that step e takes its message, and
// S(m), that m arrives. What must come before what:
//
//   E1  R(e), the sends of its handler in their order, the next R of that actor:
//       it takes nothing before all that it sent has arrived
//   E2  S(m) before R(e) that takes m
//   E3  S(m) before S(n), for each R(e) that takes m, and each other n that is
//       ever sent to that actor, was not taken before e, and would have been
//       taken in place of e
//   E4  what arrived in the set-up, in that order, before everything
//
// Lemma 1. A history can be, with mailboxes, iff nothing comes before itself. (Run
// the nodes in an order that agrees: at R(e) its message is there, by E2, and
// nothing before it that would be taken, by E3.)
// Lemma 2. If it can be, and an actor accepts some pending messages, it can take
// one of them iff none of the others is before it; so there is always one. What is
// sent has nothing that it is before, so sending never closes a circle.
// Lemma 3. A part of a history that can be, closed under causes, can be.
//
// So no search by these histories runs into a dead end, if it asks may_take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// Where the set-up's messages are when the exploration begins: by message, the
/// how manieth arrival it was, from 1; 0 for one that has not arrived.
using arrivals_of_setup = std::vector<std::uint32_t>;

/// What must come before what in an execution of a system under
/// delivery::unordered, if its actors had mailboxes. It keeps nothing: it is
/// asked about the execution that the system is at.
///
/// Questions are about a *part* of that execution, closed under causes, with
///   bool taken(step_index e)  whether explored step e is in it
///   bool sent(step_index e)   whether what it sent is, too
class arrival_order {
public:
  struct node {
    enum class kind : std::uint8_t { arrival, receive };
    kind is;
    std::uint32_t index;  ///< the message, or the step
  };

  arrival_order(const system& s, arrivals_of_setup setup) : system_(s), setup_(std::move(setup)) {}

  /// Whether `m` was in its mailbox before the exploration.
  [[nodiscard]] bool is_there_from_start(message_slot m) const { return place_in_setup(m) != 0; }

  /// Whether the receiver of `m` accepts it in place of its step `x`, or now, if x is no_step.
  [[nodiscard]] bool accepts(message_slot m, step_index x) const {
    const auto& a = system_.actor_at(system_.message_at(m).receiver);
    const auto mode = x == no_step ? a.state_of_life : system_.step_at(x).mode_before;
    if (mode == actor::mode::gone) return false;  // with mailboxes what answers for such an actor is not taken
    return x == no_step ? system_.deliverable(m) : system_.was_deliverable(m, x);
  }

  /// Whether the receiver of `m`, which accepts it in place of its step `x` (or
  /// now), can take it there, if `part`, in which x is not, is all that happened. O(messages * steps).
  template <class Part>
  bool may_take(message_slot m, step_index x, const Part& part) {
    if (system_.message_at(m).posthumous != message::when_gone::left)
      throw error(
          "engine trust cannot search this program under delivery model mailbox-interleaved: it has messages that are "
          "answered for actors that are gone; optimal can");
    list_rivals(m, x, part);
    if (rivals_.empty()) return true;
    const auto place = place_in_setup(m);
    for (const auto n : rivals_)
      if (const auto other = place_in_setup(n); other != 0 && (place == 0 || other < place)) return false;
    return place != 0 || !is_any_rival_before(m, part);
  }

  /// Calls `visit(node)` for what must come right before `of`; what is there from the start is left out.
  template <class Part, class Visit>
  void for_each_before(node of, const Part& part, Visit visit) const {
    if (of.is == node::kind::arrival)
      before_arrival(of.index, part, visit);
    else
      before_receive(of.index, part, visit);
  }

private:
  [[nodiscard]] std::uint32_t place_in_setup(message_slot m) const { return m < setup_.size() ? setup_[m] : 0; }

  /// Whether what else arrived could be taken there, too.
  static bool takes_others(actor::mode m) { return m == actor::mode::open || m == actor::mode::receiving; }

  template <class Part>
  [[nodiscard]] bool was_sent(message_slot m, const Part& part) const {
    const auto& x = system_.message_at(m);
    return !x.dead && (!system_.is_explored(x.sent_by) || part.sent(x.sent_by));
  }

  /// The step of its receiver that takes `m`; no_step if there is none.
  [[nodiscard]] step_index taker_of(message_slot m) const {
    if (system_.pending(m)) return no_step;
    auto e = system_.actor_at(system_.message_at(m).receiver).last_step;
    while (e != no_step && system_.step_at(e).message != m) e = system_.step_at(e).previous;
    return e;
  }

  /// Finds what the receiver of `m` accepts besides, in place of `x`.
  template <class Part>
  void list_rivals(message_slot m, step_index x, const Part& part) {
    rivals_.clear();
    const auto a = system_.message_at(m).receiver;
    const auto mode = x == no_step ? system_.actor_at(a).state_of_life : system_.step_at(x).mode_before;
    if (mode == actor::mode::waiting) return;  // what it waits for is in front, wherever it is
    const auto add = [&](message_slot n) {
      if (n == m || system_.message_at(n).receiver != a || !was_sent(n, part)) return;
      const auto by = taker_of(n);
      if (by != no_step && (x == no_step || by < x)) return;
      if (accepts(n, x)) rivals_.push_back(n);
    };
    if (x == no_step) {  // what is taken is none
      for (auto n = system_.first_pending(); n != no_message; n = system_.next_pending(n)) add(n);
    } else {
      for (message_slot n = 1; n <= system_.message_count(); ++n) add(n);
    }
  }

  template <class Part>
  bool is_any_rival_before(message_slot m, const Part& part) {
    begin_walk();
    for (const auto n : rivals_) is_rival_[n] = walk_;
    reach({node::kind::arrival, m});
    while (!to_visit_.empty()) {
      const auto at = to_visit_.back();
      to_visit_.pop_back();
      bool found = false;
      for_each_before(at, part, [&](node before) {
        found = found || (before.is == node::kind::arrival && is_rival_[before.index] == walk_);
        reach(before);
      });
      if (found) return true;
    }
    return false;
  }

  void begin_walk() {
    ++walk_;
    to_visit_.clear();
    if (is_rival_.size() <= system_.message_count()) {
      is_rival_.resize(system_.message_count() + 1, 0);
      arrival_reached_.resize(system_.message_count() + 1, 0);
    }
    if (receive_reached_.size() < system_.step_count()) receive_reached_.resize(system_.step_count(), 0);
  }
  void reach(node n) {
    auto& at = (n.is == node::kind::arrival ? arrival_reached_ : receive_reached_)[n.index];
    if (std::exchange(at, walk_) != walk_) to_visit_.push_back(n);
  }

  template <class Part, class Visit>
  void before_arrival(message_slot m, const Part& part, Visit visit) const {
    const auto& x = system_.message_at(m);
    if (x.sent_by != no_step) {  // E1
      if (m > system_.step_at(x.sent_by).first_sent)
        visit_arrival(m - 1, visit);
      else if (system_.is_explored(x.sent_by))
        visit(node{node::kind::receive, x.sent_by});
    }
    const auto by = taker_of(m);  // E3
    auto e = system_.actor_at(x.receiver).last_step;
    if (by != no_step && (!system_.is_explored(by) || part.taken(by))) e = system_.step_at(by).previous;
    for (; system_.is_explored(e); e = system_.step_at(e).previous) {
      if (e == by || !part.taken(e) || !takes_others(system_.step_at(e).mode_before)) continue;
      if (accepts(m, e)) visit_arrival(system_.step_at(e).message, visit);
    }
  }

  template <class Part, class Visit>
  void before_receive(step_index e, const Part& part, Visit visit) const {
    const auto& step = system_.step_at(e);
    visit_arrival(step.message, visit);  // E2
    const auto previous = step.previous;
    if (previous == no_step) return;
    const auto end = system_.sent_end(previous);
    const bool has_sent = system_.step_at(previous).first_sent != end;
    if (has_sent && (!system_.is_explored(previous) || part.sent(previous)))
      visit_arrival(end - 1, visit);  // E1
    else if (system_.is_explored(previous))
      visit(node{node::kind::receive, previous});
  }

  template <class Visit>
  void visit_arrival(message_slot m, Visit visit) const {
    if (!is_there_from_start(m)) visit(node{node::kind::arrival, m});
  }

  const system& system_;
  const arrivals_of_setup setup_;
  std::vector<message_slot> rivals_;
  std::vector<node> to_visit_;
  // By message, or step: the last walk in which that was said of it.
  std::vector<std::uint32_t> is_rival_, arrival_reached_, receive_reached_;
  std::uint32_t walk_ = 0;
};

}  // namespace harrier
