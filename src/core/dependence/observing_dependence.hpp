#pragma once

#include <cstdint>
#include <vector>

#include <harrier/core/fingerprint.hpp>
#include <harrier/core/happens_before.hpp>
#include <harrier/core/system.hpp>

#include "dependence_once_run.hpp"

namespace harrier {

/// The dependence of steps where *observers* are told apart: deliveries that
/// leave their receiver's state as it is and send nothing commute with one
/// another, though not with those that do something. So the steps of one receiver
/// are blocks of observers between *writers*: it is known in which order the
/// writers came, and between which of them each observer did.
///
/// That is a happens-before relation like any other: whether a step observes is
/// decided by what happened before it, and stays as long as that does. So an
/// optimal search is optimal for it. What is different from the order in which a
/// receiver took everything:
///
/// - A writer races with each observer of the block before it that it can come
///   before, not with the nearest alone, and with the writer before only if there
///   is none (the others may hold it back in a queue as long as their receiver
///   accepts them: it did not, perhaps, before that writer). An observer races with the writer before its block.
/// - Whether a message would observe in another place is not seen from where it
///   was delivered. Until it has run there it is taken for a writer: so what
///   sleeps may still sleep after it. That blocks nothing, since what it was to
///   come before is a writer, can be delivered after it, and is awake.
/// - Observers of one queue of the delivery model are taken in its order.
///
/// For delivery::unordered, fifo and causal.
///
/// @par Source  S. Aronis, B. Jonsson, M. Lång, K. Sagonas: Optimal dynamic
///      partial order reduction with observers, TACAS 2018. There a later
///      operation tells whether two are ordered; here it is the receiver's state,
///      so that nothing that follows can change what happens before what.
class observing_dependence : public dependence_once_run {
public:
  /// What an observer touches, in place of everything: nothing beside the receiver is
  /// touched, and the receiver is looked at.
  static constexpr touched_set observed{1};

  explicit observing_dependence(const system& s) : dependence_once_run(s), system_(s) {}

  [[nodiscard]] bool between(const footprint& a, const footprint& b) const {
    return a.receiver == b.receiver && (a.touches != observed || b.touches != observed);
  }
  /// Whether the last step is an observer: it did nothing that anybody could notice
  /// but that its message was taken. O(1) for one that sent something or whose
  /// handler is const, else O(size of the state).
  [[nodiscard]] touched_set touched_by_last_step();

  /// Calls `visit(e)` for steps e such that all that happens before step `f`, the
  /// last of those that touched_by_last_step was asked of, is or happens before
  /// one of them.
  template <class Visit>
  void for_each_predecessor(step_index f, Visit visit) const {
    const auto& s = system_.step_at(f);
    if (const auto by = system_.message_at(s.message).sent_by; by != no_step) visit(by);
    auto e = s.previous;
    for (; observes(e); e = system_.step_at(e).previous)
      if (!observes(f) || system_.comes_first_in_queue(system_.step_at(e).message, s.message)) visit(e);
    if (e != no_step) visit(e);
  }

  /// The step with which pending message `m`, never delivered, races.
  [[nodiscard]] step_index rival(const happens_before& order, message_slot m) const {
    return writer_in_place_of(order, m, system_.actor_at(system_.message_at(m).receiver).last_step);
  }
  /// Calls `visit(e)` for each explored step e with which step `f` races.
  template <class Visit>
  void for_each_race(const happens_before& order, step_index f, Visit visit) {
    const auto& s = system_.step_at(f);
    const bool is_writer = !observes(f);
    bool is_after_observer = false;
    auto e = s.previous;
    for (; observes(e); e = system_.step_at(e).previous) {
      if (!is_writer || order.before_sending(e, s.message) ||
          system_.comes_first_in_queue(system_.step_at(e).message, s.message))
        continue;
      visit(e);
      is_after_observer = true;
    }
    if (is_after_observer) return;
    if (const auto writer = writer_in_place_of(order, s.message, e); writer != no_step) visit(writer);
  }

protected:  // for those that are wrong on purpose
  /// What is known of a step of the current execution.
  struct known_step {
    bool observes = false;
    bool is_hashed = false;
    fingerprint state = {};  // if it is: the receiver's, after it
  };

  [[nodiscard]] bool observes(step_index e) const { return system_.is_explored(e) && known_[e].observes; }
  [[nodiscard]] bool is_hashed(step_index e) const { return system_.is_explored(e) && known_[e].is_hashed; }
  /// Of the last step, `i`. The state before it is the one after its receiver's previous step, which may be known.
  [[nodiscard]] bool leaves_state(step_index i);
  /// The latest writer, from `latest` on back, in place of which `m` could have been delivered.
  [[nodiscard]] step_index writer_in_place_of(const happens_before& order, message_slot m, step_index latest) const {
    for (auto e = latest; system_.is_explored(e); e = system_.step_at(e).previous) {
      if (observes(e)) continue;
      if (order.before_sending(e, m)) return no_step;
      if (system_.was_deliverable(m, e)) return e;
    }
    return no_step;
  }

  const system& system_;
  std::vector<known_step> known_;  // by step
};

}  // namespace harrier
