#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <harrier/core/accesses.hpp>
#include <harrier/core/happens_before.hpp>
#include <harrier/core/system.hpp>

#include "dependence_once_run.hpp"
#include "field_set.hpp"

namespace harrier {

/// The dependence of steps where fields are told apart: two steps of one receiver
/// commute if neither writes what the other touches. What a step touches is known
/// once it was run: tracked fields tell of each access, a declaration beside the
/// handler says it, and of other fields it is seen whether they changed, so all are taken to be read.
/// Observers (observing_dependence) are among what commutes.
///
/// That is a happens-before relation like any other: a step touches the same as
/// long as the same happened before it, since what it touches is decided by what it read.
///
/// - A step that leaves or enters the middle of a handler, ends its actor, draws, fails,
///   or leaves a note touches everything; so does what sends under causal delivery, where what its receiver
///   took before decides what may overtake. Under fifo what sends is ordered among itself.
/// - Classes with guards have observers only: a guard may look at everything, and it must be known in which
///   state it was asked.
/// - A message races with each earlier step of its receiver that it is dependent on and can come before, if
///   nothing that it also must come before, or cannot, lies between: not with the nearest one alone.
///   What it is dependent on in another place is not known, so one that is still pending counts as writing everything.
///
/// For delivery::unordered, fifo and causal.
///
/// @par Source  E. Albert, P. Arenas, M. Gómez-Zamalloa: Actor- and task-selection strategies for pruning
///      redundant state-exploration in testing, FORTE 2014, section 5, where the source tells what is touched.
class field_dependence : public dependence_once_run {
public:
  /// What is planned counts as touching everything until it was run, which may be more than it does.
  static constexpr bool planned_may_sleep = true;
  static constexpr touched_set everything = field_set::everything;

  explicit field_dependence(system& s) : dependence_once_run(s), system_(s) { s.log_accesses(&log_); }
  field_dependence(const field_dependence&) = delete;
  field_dependence& operator=(const field_dependence&) = delete;
  ~field_dependence() { system_.log_accesses(nullptr); }

  [[nodiscard]] bool between(const footprint& a, const footprint& b) const {
    return a.receiver == b.receiver && field_set::conflict(a.touches, b.touches);
  }
  /// O(size of the state), or what its handler touched.
  /// @throws wrong_declaration if it touched, or sent, what its handler is declared not to.
  [[nodiscard]] touched_set touched_by_last_step();

  /// Calls `visit(e)` for steps e such that all that happens before step `f`, the
  /// last of those that touched_by_last_step was asked of, is or happens before
  /// one of them.
  template <class Visit>
  void for_each_predecessor(step_index f, Visit visit) const {
    const auto& s = system_.step_at(f);
    if (const auto by = system_.message_at(s.message).sent_by; by != no_step) visit(by);
    for (auto e = s.previous; e != no_step; e = system_.step_at(e).previous) {
      if (is_dependent(e, f)) visit(e);
      if (touches(e) == everything) return;
    }
  }

  /// The step with which pending message `m`, never delivered, races.
  [[nodiscard]] step_index rival(const happens_before& order, message_slot m) {
    auto latest = no_step;
    for_each_conflict(
        order, m, everything, system_.actor_at(system_.message_at(m).receiver).last_step,
        [&](step_index e, bool /*is_before_all*/) { return system_.was_deliverable(m, e); },
        [&](step_index e) { latest = latest == no_step ? e : latest; });
    return latest;
  }
  /// Calls `visit(e)` for each explored step e with which step `f` races.
  template <class Visit>
  void for_each_race(const happens_before& order, step_index f, Visit visit) {
    const auto& s = system_.step_at(f);
    for_each_conflict(
        order, s.message, touches(f), s.previous,
        [&](step_index e, bool is_before_all) { return could_be_in_place_of(e, s.message, is_before_all); }, visit);
  }

  /// Looks whether pairs of steps that are independent since a handler is declared,
  /// the later one not before `from`, do the same in the other order: each pair
  /// of messages in each local state once. The system is as it was afterwards.
  /// @pre  the execution is at its end, and nothing of it is looked at meanwhile
  /// @param gives_up  asked after so many deliveries, or pairs that were looked at,
  ///                  whether to leave the others out
  /// @return false if it was so.
  /// @throws wrong_declaration  the last two steps of the system are then the pair
  bool check_declarations(const happens_before& order, step_index from,
                          const std::function<bool(std::size_t)>& gives_up);
  /// Whether the last two steps, of one receiver, do the same in the other order.
  /// @throws wrong_declaration if they do not
  void check_last_two();

  /// Delivers what was planned to be delivered here.
  /// @throws wrong_declaration if it cannot be, which only a step that touches more than is told can cause
  static void deliver_planned(system& s, message_id label);
  /// @throws wrong_declaration, of what was to be delivered now
  [[noreturn]] static void planned_is_missing(const system& s);

protected:  // for those that are wrong on purpose
  [[nodiscard]] touched_set touches(step_index e) const {
    return system_.is_explored(e) ? known_[e].touches : everything;
  }
  [[nodiscard]] bool comes_first_in_queue(step_index e, message_slot m) const {
    return system_.comes_first_in_queue(system_.step_at(e).message, m);
  }
  [[nodiscard]] bool is_dependent(step_index e, step_index f) const {
    return field_set::conflict(touches(e), touches(f)) || comes_first_in_queue(e, system_.step_at(f).message);
  }

  /// Calls `visit(e)` for each explored step e, from `latest` of its receiver on back, that `m`, which touches
  /// that, is dependent on and could come before, with nothing between them that keeps `m` from it.
  /// @param possible  whether `m` could be delivered in place of step e. Asked of the latest first, and told
  ///                  whether it could not in place of a later one that touches everything.
  template <class Possible, class Visit>
  void for_each_conflict(const happens_before& order, message_slot m, touched_set touched, step_index latest,
                         Possible possible, Visit visit) {
    stoppers_.clear();
    // What is before `m` in its queue always comes first, but where it may be refused: there it lets `m` pass in some
    // states, and whether it did before another state came about is for `possible` to say.
    const bool is_refused_at_times = may_refuse(system_.actor_at(system_.message_at(m).receiver));
    bool is_visited = false;
    bool is_before_all = false;
    for (auto e = latest; system_.is_explored(e); e = system_.step_at(e).previous) {
      const bool touches_all = touches(e) == everything;
      const bool changes_what_is_refused = is_refused_at_times && touches_all;
      bool stops = order.before_sending(e, m);
      if (changes_what_is_refused && !is_visited) stoppers_.clear();
      if (!changes_what_is_refused && comes_first_in_queue(e, m)) {
        stoppers_.push_back(e);
      } else if (!stops && field_set::conflict(touches(e), touched) && !comes_before_stopper(order, e) &&
                 possible(e, is_before_all)) {
        visit(e);
        stoppers_.push_back(e);
        is_visited = true;
      }
      stops = stops || (is_refused_at_times ? is_visited : !stoppers_.empty());
      if (touches_all && stops) return;  // all that is earlier happens before that
      is_before_all = is_before_all || touches_all;
    }
  }
  [[nodiscard]] bool comes_before_stopper(const happens_before& order, step_index e) const {
    return std::any_of(stoppers_.begin(), stoppers_.end(), [&](step_index g) { return order.before(e, g); });
  }
  /// Of a message that was delivered after `e`.
  [[nodiscard]] bool could_be_in_place_of(step_index e, message_slot m, bool is_before_all) const {
    const auto& receiver = system_.actor_at(system_.message_at(m).receiver);
    if (!may_refuse(receiver) && system_.step_at(e).mode_before == actor::mode::open) return true;
    if (touches(e) != everything) return !is_before_all;  // in the state of the next one that changes it
    return system_.was_deliverable(m, e);
  }
  [[nodiscard]] bool may_refuse(const actor& a) const {
    const auto known = layouts_.find(a.type);
    return known == layouts_.end() || known->second.may_refuse;
  }

  /// What is known of a step of the current execution.
  struct known_step {
    touched_set touches = everything;
    bool is_declared = false;
  };
  /// What is known of a class.
  struct layout {
    std::vector<state_field> fields;
    bool may_refuse = true;
  };

  const layout& layout_of(const actor& a);
  /// The field that has what lies there; fields.size() if none has.
  [[nodiscard]] static std::size_t field_at(const layout& known, std::size_t offset);
  /// Of the last step, `i`.
  [[nodiscard]] known_step touched_by_handler(step_index i);
  [[nodiscard]] touched_set fields_declared(const layout& known, field_set touched) const;
  [[nodiscard]] touched_set fields_seen(const layout& known, step_index i, std::uint64_t changed,
                                        field_set touched) const;
  void check_declared(const layout& known, step_index i, std::uint64_t changed) const;

private:
  [[nodiscard]] bool is_new_pair(step_index e, step_index f);
  void find_states();
  /// @return how many deliveries it took.
  std::size_t exchange(const happens_before& order, step_index e, step_index f);
  [[nodiscard]] std::string text_of(step_index i) const;

protected:
  system& system_;
  access_log log_;
  std::vector<known_step> known_;  // by step
  std::unordered_map<const actor_type*, layout> layouts_;
  std::vector<step_index> stoppers_;
  std::vector<field_access> declared_;  // by the last step's handler

private:
  bool any_declared_ = false;
  std::set<fingerprint> tried_;      // pairs that were exchanged
  std::vector<const void*> states_;  // by step of the execution: its receiver's, before it
};

}  // namespace harrier
