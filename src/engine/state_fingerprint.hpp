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
/// cloud is a multiset. An actor that is gone has no part; what was sent by a
/// step that ended the execution neither. Names of actors are causal ones.
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
  state_fingerprint(const system& followed, pending_order kept);

  /// Takes in the last step of the system.
  void push();
  /// Forgets it again; the system has gone back.
  void pop();

  [[nodiscard]] fingerprint value() const { return kept_ == pending_order::causal ? value_ + causal_past() : value_; }
  /// Stands for pending message `m` by receiver, kind and payload: equal for
  /// messages whose deliveries lead to the same states.
  [[nodiscard]] std::uint64_t content(message_slot m) const { return contents_[m].low; }

private:
  struct step_back {
    fingerprint value;
    fingerprint receiver_part;
    actor_slot receiver;
    message_slot message;
  };

  [[nodiscard]] fingerprint part_of_actor(actor_slot a);
  [[nodiscard]] fingerprint content_of_message(message_slot m) const;
  [[nodiscard]] fingerprint causal_past() const;
  void take_message(message_slot m);
  void chain_again(message_slot taken);
  [[nodiscard]] std::uint64_t name(actor_slot a) const { return static_cast<std::uint64_t>(system_->actor_at(a).id); }

  const system* system_;
  pending_order kept_;
  fingerprint value_;
  internal::raw_stack<fingerprint> actor_parts_;    // by slot
  internal::raw_stack<fingerprint> contents_;       // by slot
  internal::raw_stack<fingerprint> message_parts_;  // by slot; of a delivered one what it was
  internal::raw_stack<step_back> steps_back_;
  value_bytes activity_;
};

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
