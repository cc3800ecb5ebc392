#pragma once

#include <cstdint>
#include <vector>

#include <harrier/core/fingerprint.hpp>
#include <harrier/core/raw_stack.hpp>
#include <harrier/core/system.hpp>
#include <harrier/engine/stateful.hpp>

namespace harrier {

/// Stands for the state that a system is in: what every actor is and what is
/// pending, not how it came about. Two executions in the same state go on alike.
///
/// The sum of one part an actor (its name, class, local state, and what it waits
/// for) and one a pending message (receiver, kind, payload): a sum, since the
/// cloud is a multiset. An actor that is gone has a part only if asked for; what was
/// sent by a step that ended the execution has none. Names of actors are causal ones.
///
/// Of an actor of whose state not all is known, what it took stands for it, since its
/// state is a function of that; of such a message, its name. Which values share an
/// object is part of the state too, and is gone through at each step where there
/// are any: O(size of all such values).
///
/// Where the delivery model has queues, a message's part stands for all that is
/// before it in its queue too. Then a delivery costs O(pending) more. Under the
/// causal model it matters besides which pending messages the actors, and the
/// other messages, come after: that is gone through at each step, and is
/// O(pending * (pending + actors)).
///
/// Follows a system along: push after each deliver, pop after each undo.
/// O(size of the receiver's state + sends) a step; going back restores the value.
class state_fingerprint {
public:
  using pending_order = execution::pending_order;

  /// @param kept  which pending messages' order of sending is part of the state.
  /// @param gone_actors  whether actors that are gone are.
  state_fingerprint(const system& followed, pending_order kept, bool gone_actors = false);

  /// Takes in the last step of the system.
  void push();
  /// Forgets it again; the system has gone back.
  void pop();

  [[nodiscard]] fingerprint value() const {
    auto all = value_;
    if (kept_ == pending_order::causal) all += causal_past();
    if (sees_objects_) all += objects_shared();
    return all;
  }
  /// Stands for pending message `m` by receiver, kind and payload: equal for
  /// messages whose deliveries lead to the same states.
  [[nodiscard]] std::uint64_t content(message_slot m) const { return contents_[m].low; }

private:
  struct step_back {
    fingerprint value;
    fingerprint receiver_part;
    actor_slot receiver;
    message_slot message;
    bool may_void;
  };

  [[nodiscard]] fingerprint part_of_actor(actor_slot a);
  [[nodiscard]] fingerprint content_of_message(message_slot m);
  [[nodiscard]] fingerprint causal_past() const;
  [[nodiscard]] fingerprint objects_shared() const;
  [[nodiscard]] fingerprint with_time_and_cuts(message_slot m, fingerprint content);
  void look_beside();
  void take_message(message_slot m);
  void look_again_at(actor_slot a);
  void look_at_others(actor_slot end);
  void chain_again(message_slot taken);
  [[nodiscard]] std::uint64_t name(actor_slot a) const { return static_cast<std::uint64_t>(system_->actor_at(a).id); }

  const system* system_;
  pending_order kept_;
  bool gone_actors_;
  bool sees_objects_ = false;
  /// Whether more is part of an actor than itself and its timers: what has befallen it, what is to hold of several.
  bool looks_beside_ = false;
  fingerprint value_;
  internal::raw_stack<fingerprint> actor_parts_;    // by slot
  internal::raw_stack<fingerprint> contents_;       // by slot
  internal::raw_stack<fingerprint> message_parts_;  // by slot; of a delivered one what it was
  internal::raw_stack<step_back> steps_back_;
  value_bytes activity_;
  value_bytes written_;
};

/// What actor `a` took, by names that are the same in every process: its state is a function of that. O(steps of a).
void write_past(const system& s, actor_slot a, value_bytes& out);

/// What of the order of sending is part of a state, by the delivery model and the comparison.
execution::pending_order order_kept(const execution& s, const stateful_options& how);

/// Who sent `m`; the driver, if it came from outside.
inline actor_slot sender_of(const execution& s, const message& m) {
  return m.sent_by == no_step ? actor_slot{0} : s.step_at(m.sent_by).receiver;
}

/// Whether the order of two pending messages to one actor is part of the state.
bool same_queue_there(const system& s, execution::pending_order kept, const message& a, const message& b);
/// Whether the order of two pending messages is part of the state.
inline bool same_queue(const system& s, execution::pending_order kept, const message& a, const message& b) {
  return a.receiver == b.receiver && same_queue_there(s, kept, a, b);
}

}  // namespace harrier
