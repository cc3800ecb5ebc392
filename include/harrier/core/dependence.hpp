#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include <harrier/core/happens_before.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// What a step touches beside its receiver: a number given by `dependence`.
enum class touched_set : std::uint32_t { nothing };

/// What is known of a step, after it ran, as far as dependence goes. The
/// receiver is kept by name, and beside the name of the step: in another branch
/// the same message may have another receiver.
struct footprint {
  actor_id receiver;
  touched_set touches = touched_set::nothing;
};

/// A step by name, with what it is dependent on: a message's delivery, whatever
/// its handler draws, or one draw of several.
struct event {
  message_id label;
  footprint touched;
  /// Whether it is one draw: 0 or 1. A word, since events are copied all the time: one that ends in padding is copied
  /// by loads that overlap its last stores, for which processors wait.
  std::uint32_t one_of_several = 0;
};

/// Which steps are dependent. It is decided here, or by one of the three classes that
/// know more of what a step does: observing_dependence, field_dependence and
/// semantic_dependence (src/core). Who needs to know asks one of the four.
///
/// Steps of one receiver are, and under delivery::mailbox those that send to one
/// actor, since the order in which they do is the order in which it takes the
/// messages. What it takes is then decided, so there a message races with
/// nothing when it is taken. So are steps that touch the same memory
/// (system::touch), where the adapter tells of that.
///
/// There are two kinds of races. What is *foreseen* is known of a message as
/// soon as it was sent: it will be dependent on what its receiver takes. What is
/// *seen late* shows when a step has run: what it touches beside its receiver.
/// Whether there is anything of the second kind is what foresees_all says; only
/// then does one name, the message's, stand for all that a handler may draw.
///
/// An algorithm that takes a class `Parts` (src/engine) can be given another
/// class with these members.
///
/// @par Source  Races with disabling (rival): docs/algorithms/optimal.md, D2.
class dependence {
public:
  /// How steps are named.
  using event_type = event;

  explicit dependence(const system& s)
      : system_(s), touches_mailboxes_(s.model() == delivery::mailbox), touches_memory_(s.shares_memory()) {}

  /// Whether the receiver is all that a step touches.
  [[nodiscard]] bool foresees_all() const { return !touches_mailboxes_ && !touches_memory_; }

  /// Whether an event is among those that `p` stands for, if their receiver was
  /// in the same state.
  [[nodiscard]] bool stands_for(const event& p, const event& x) const {
    if (p.one_of_several) return x.one_of_several && p.label == x.label;
    return p.label == x.label || system_.names().message_of(p.label) == system_.names().message_of(x.label);
  }

  [[nodiscard]] bool between(const footprint& a, const footprint& b) const {
    return a.receiver == b.receiver ||
           (a.touches != touched_set::nothing && b.touches != touched_set::nothing && meet(a.touches, b.touches));
  }

  /// The delivery of `m`, as far as it is known before it runs.
  [[nodiscard]] event foreseen(message_slot m) const {
    const auto& x = system_.message_at(m);
    return {x.id, {system_.actor_at(x.receiver).id}, !foresees_all()};
  }
  /// The last step: under its message's name where that stands for all its draws.
  [[nodiscard]] event last_event() {
    const auto& s = system_.step_at(system_.last_step());
    if (foresees_all()) return foreseen(s.message);
    return {s.label, {system_.actor_at(s.receiver).id, touched_by_last_step()}, true};
  }
  /// What the last step touches beside its receiver.
  [[nodiscard]] touched_set touched_by_last_step() {
    return foresees_all() ? touched_set::nothing : seen_of_last_step();
  }

  /// Calls `visit(e)` for steps e, set-up steps among them, such that all that
  /// happens before step `f` is or happens before one of them.
  template <class Visit>
  void for_each_predecessor(step_index f, Visit visit) const {
    causality{system_}.for_each_predecessor(f, visit);
    if (!foresees_all()) [[unlikely]]
      for_each_before_late(f, visit);
  }

  /// Calls `visit(e)`, from the latest on, for each explored step e, up to
  /// `latest` of its receiver's, that the delivery of `m` is foreseen to be
  /// dependent on, and that does not happen before its sending.
  template <class Visit>
  void for_each_conflict(const happens_before& order, message_slot m, step_index latest, Visit visit) const {
    if (are_queues_all()) return;
    // What comes before one of its receiver's steps comes before the sending, too, if that does.
    for (auto e = latest; system_.is_explored(e) && !order.before_sending(e, m); e = system_.step_at(e).previous)
      visit(e);
  }
  /// The same for `m` while it is pending.
  template <class Visit>
  void for_each_conflict(const happens_before& order, message_slot m, Visit visit) const {
    for_each_conflict(order, m, latest_of_receiver(m), visit);
  }
  /// The latest of the conflicts of pending message `m`; no_step if there is none.
  [[nodiscard]] step_index latest_conflict(const happens_before& order, message_slot m) const {
    if (are_queues_all()) return no_step;
    auto e = latest_of_receiver(m);
    while (system_.is_explored(e) && order.before_sending(e, m)) e = system_.step_at(e).previous;
    return system_.is_explored(e) ? e : no_step;
  }

  /// The step with which pending message `m` is foreseen to race, delivered later
  /// or never: the latest in place of which it could have been delivered. Not
  /// just the latest of its receiver: that one may have been what made it refuse
  /// `m`. no_step if there is none.
  [[nodiscard]] step_index rival(const happens_before& order, message_slot m) const {
    return rival(order, m, latest_of_receiver(m));
  }

  /// Calls `visit(e)` for each explored step e with which step `f` is seen late
  /// to race: both touch the same, e the last before f to do so, and nothing else
  /// orders them.
  template <class Visit>
  void for_each_late_race(const happens_before& order, step_index f, Visit visit) {
    if (!foresees_all()) [[unlikely]]
      for_each_race_seen(order, f, visit);
  }

  /// Calls `visit(e)` for each explored step e with which step `f` races.
  template <class Visit>
  void for_each_race(const happens_before& order, step_index f, Visit visit) {
    const auto& s = system_.step_at(f);
    if (const auto e = rival(order, s.message, s.previous); e != no_step) visit(e);
    for_each_late_race(order, f, visit);
  }

  /// The actors that a set holds, in ascending order of their ids.
  [[nodiscard]] const std::vector<actor_id>& members(touched_set touches) const { return sets_[index(touches)]; }
  /// The set that holds these actors.
  touched_set number(std::vector<actor_id> actors);

  /// Keeps the names in `e` (see names_in_use).
  void keep_names(const event& e, name_keeper& keep) const {
    keep(e.label);
    keep(e.touched.receiver);
    for (const auto a : members(e.touched.touches)) keep(a);
  }

private:
  static std::size_t index(touched_set a) { return static_cast<std::size_t>(a); }

  /// The order in which messages were sent decides in which a receiver takes them. A timer's it takes at any moment.
  [[nodiscard]] bool are_queues_all() const { return touches_mailboxes_ && !system_.has_timers(); }
  [[nodiscard]] step_index latest_of_receiver(message_slot m) const {
    return system_.actor_at(system_.message_at(m).receiver).last_step;
  }
  [[nodiscard]] step_index rival(const happens_before& order, message_slot m, step_index latest) const {
    if (are_queues_all()) return no_step;
    for (auto e = latest; system_.is_explored(e) && !order.before_sending(e, m); e = system_.step_at(e).previous)
      if (system_.was_deliverable(m, e)) return e;
    return no_step;
  }

  /// Calls `visit(e)` for each step e that was the last before `f` to touch something that `f` touches: to send to an
  /// actor to which it sends, or memory.
  template <class Visit>
  void for_each_before_late(step_index f, Visit visit) const {
    if (touches_memory_)
      for (const auto& t : system_.touches_of(f))
        if (t.before != 0) visit(system_.touches()[t.before - 1].at);
    if (!touches_mailboxes_) return;
    for (const auto m : system_.sent_by(f)) {
      const auto before = system_.message_at(m).dead ? no_message : system_.sent_before(m);
      if (before == no_message) continue;
      if (const auto e = system_.message_at(before).sent_by; e != no_step && e != f) visit(e);
    }
  }

  template <class Visit>
  void for_each_race_seen(const happens_before& order, step_index f, Visit visit) {
    rivals_.clear();
    // Of one receiver two steps race as is foreseen, or not at all.
    for_each_before_late(f, [&](step_index e) {
      if (touches_memory_ && system_.step_at(e).receiver == system_.step_at(f).receiver) return;
      if (system_.is_explored(e) && std::find(rivals_.begin(), rivals_.end(), e) == rivals_.end()) rivals_.push_back(e);
    });
    const auto& s = system_.step_at(f);
    for (const auto e : rivals_) {
      const bool is_ordered =
          order.before(e, s.previous) || order.before_sending(e, s.message) ||
          std::any_of(rivals_.begin(), rivals_.end(), [&](step_index g) { return g != e && order.before(e, g); });
      if (!is_ordered) visit(e);
    }
  }

  [[nodiscard]] bool meet(touched_set a, touched_set b) const;
  [[nodiscard]] touched_set seen_of_last_step();
  touched_set number_of_members();

  const system& system_;
  bool touches_mailboxes_;
  bool touches_memory_;
  std::vector<std::vector<actor_id>> sets_{{}};
  std::map<std::vector<actor_id>, touched_set> numbers_{{{}, touched_set::nothing}};
  std::vector<actor_id> members_;
  std::vector<step_index> rivals_;
};

}  // namespace harrier
