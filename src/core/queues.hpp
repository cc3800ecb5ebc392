#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <harrier/core/delivery.hpp>
#include <harrier/core/execution.hpp>
#include <harrier/core/happens_before.hpp>
#include <harrier/core/raw_stack.hpp>

namespace harrier {

/// What a system keeps under every delivery model but `unordered`: which
/// messages may hold a message back, and when each was taken.
///
/// A *queue* is what the model orders: the messages from one actor to another
/// (fifo), or all messages to one actor. What is urgent in it is only kept behind
/// what is urgent, too. It is a list from the newest to the
/// oldest of its messages, taken or not; undo takes the newest ones away again.
class queues {
public:
  queues(const execution& s, delivery model) : execution_(s), model_(model) {
    places_.push() = {};
    if (model == delivery::causal) order_.emplace(s);
  }

  /// Message `m` was sent; `m` is the last one.
  void sent(message_slot m, bool is_queued, lane in = lane::normal);
  /// The messages from `first` on are taken away.
  void unsend(message_slot first);
  /// The last step takes `m`; its handler has not run yet.
  void taken(message_slot m);
  /// The last step, which took `m`, is taken back.
  void put_back(message_slot m);

  /// Whether a message ahead of `m` that was not taken before step `e`, and that
  /// the receiver, open as it was then, would take, holds `m` back.
  /// @param counts  whether a message can hold it back at all
  /// @param takes  whether the receiver would take one that does, and is not dead.
  template <class Counts, class Takes>
  [[nodiscard]] bool hold_back(message_slot m, step_index e, Counts counts, Takes takes) const;

  /// Whether `m` is the first message of its queue, or in none.
  [[nodiscard]] bool is_first(message_slot m) const { return places_[m].before == no_message; }
  /// The message before `m` in its queue, taken or not; no_message if it is the first.
  [[nodiscard]] message_slot before(message_slot m) const { return places_[m].before; }

  /// Whether `earlier` is ahead of `later` in one queue: taken or not, it is what
  /// the model wants to be taken first.
  [[nodiscard]] bool is_ahead(message_slot earlier, message_slot later) const;

  /// Whether what is sent from now on by the actor of step `f` comes causally after `earlier`. Only under causal.
  [[nodiscard]] bool is_known(message_slot earlier, step_index f) const;
  /// Whether `earlier` comes causally before `later`, whoever gets them. Only under causal.
  [[nodiscard]] bool is_ordered(message_slot earlier, message_slot later) const;

  /// Of a message that arrived: what was sent. Of one that was sent: what arrived, no_message until then.
  [[nodiscard]] message_slot twin(message_slot m) const { return places_[m].twin; }
  void arrived(message_slot sent, message_slot here) {
    places_[sent].twin = here;
    places_[here].twin = sent;
  }
  void not_arrived(message_slot sent) { places_[sent].twin = no_message; }

  /// Stands for what is ahead of the next message of each queue.
  [[nodiscard]] std::uint64_t hash() const;

private:
  struct place {
    message_slot before = no_message;
    step_index taken_by = no_step;
    message_slot twin = no_message;
    bool guarded_before = false;  // a guard decides over some message before it
    bool is_queued = false;
    lane in = lane::normal;
  };

  /// Whether what is in lane `a` keeps back what comes later in lane `b`.
  [[nodiscard]] static bool keeps(lane a, lane b) {
    if (a == lane::timer || b == lane::timer) return a != lane::timer;
    return a == b || (a == lane::urgent && b == lane::normal);
  }
  message_slot& newest(message_slot m);
  /// The oldest message that may hold back `m`, if it is among the first that wait, and a guard decides over it.
  [[nodiscard]] message_slot oldest_ahead_of(message_slot m) const;
  [[nodiscard]] bool is_in_queue_of(message_slot p, message_slot m) const;

  const execution& execution_;
  delivery model_;
  internal::raw_stack<place> places_;  // by message
  std::unordered_map<std::uint64_t, message_slot> newest_of_pair_;
  std::vector<message_slot> newest_of_receiver_;
  std::optional<happens_before> order_;  // of all steps, the set-up's too
  mutable std::vector<message_slot> asked_;
  std::vector<step_index> outside_;  // under causal: steps that took a message from outside, which knows all before
};

/// The oldest is asked first: it is the one that is most often accepted.
template <class Counts, class Takes>
bool queues::hold_back(message_slot m, step_index e, Counts counts, Takes takes) const {
  if (!places_[m].is_queued) return false;
  if (e != no_step)
    if (const auto taken = execution_.step_at(e).message; is_ahead(taken, m) && counts(taken)) return true;
  asked_.clear();
  // Of what is pending now there may be little, where its queue has had a million messages.
  const bool by_ring =
      e == no_step && (model_ == delivery::causal || places_[m].guarded_before) && execution_.pending(m);
  // Of a thousand that wait, nearly all are held back by the oldest.
  if (by_ring)
    if (const auto oldest = oldest_ahead_of(m); oldest != no_message && counts(oldest) && takes(oldest)) return true;
  for (auto p = by_ring ? execution_.message_at(m).previous : places_[m].before; p != no_message;
       p = by_ring ? execution_.message_at(p).previous : places_[p].before) {
    if (by_ring && !is_in_queue_of(p, m)) continue;
    const auto& x = execution_.message_at(p);
    const auto& where = places_[p];
    if (where.taken_by < e) {
      // It was taken, so nothing acceptable was ahead of it; what no guard refuses is acceptable for ever.
      const auto& by = execution_.step_at(where.taken_by);
      if (model_ != delivery::causal && by.mode_before == actor::mode::open && !where.guarded_before &&
          where.in == places_[m].in)
        break;
      continue;
    }
    if (x.dead || !counts(p) || !keeps(where.in, places_[m].in) || (model_ == delivery::causal && !is_ordered(p, m)))
      continue;
    if (!x.guarded && takes(p)) return true;
    if (x.guarded) asked_.push_back(p);
  }
  return std::any_of(asked_.rbegin(), asked_.rend(), takes);
}

}  // namespace harrier
