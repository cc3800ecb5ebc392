#pragma once

#include <harrier/core/dependence.hpp>
#include <harrier/core/names_in_use.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// Whether step `e` touches anything beside its receiver.
[[nodiscard]] inline bool touches_more(const system& s, step_index e) {
  if (s.shares_memory() && s.touches_of(e).begin() != s.touches_of(e).end()) return true;
  if (s.model() != delivery::mailbox) return false;
  for (const auto m : s.sent_by(e))
    if (!s.message_at(m).dead) return true;
  return false;
}

/// Whether what a handler does may depend on where in an execution it is run: else all that its receiver took comes
/// before whatever its next step races with. Of a system where races are seen late.
[[nodiscard]] inline bool do_places_matter(const system& s) { return s.shares_memory() || s.has_timers(); }

/// Whether step `f` may touch something else beside its receiver than it did, were it run before `e`, with which it
/// races; or another of its own draws, if that is e itself. Not if all that its receiver took comes before either of
/// them, and there is no memory at which it may have looked.
[[nodiscard]] inline bool may_touch_else(const system& s, step_index e, step_index f) {
  return s.shares_memory() || (e != f && s.step_at(e).receiver == s.step_at(f).receiver);
}

/// `Relation`, told so that what is known of a step is not what is not.
template <class Relation>
class telling_what_is_known : public Relation {
public:
  using Relation::Relation;
  using event_type = typename Relation::event_type;

  /// What is planned may turn out to touch less.
  static constexpr bool planned_may_sleep = true;
  static constexpr touched_set not_known{0xffffffff};

  [[nodiscard]] static bool is_known(touched_set touches) { return touches != not_known; }
  /// Whether `ran` is all that planned step `e`, of the same label, may be. Each draw has a label of its own.
  [[nodiscard]] static bool is_all_of(const event_type& /*ran*/, const event_type& e) { return e.one_of_several != 0; }

  template <class Footprint>
  [[nodiscard]] bool between(const Footprint& a, const Footprint& b) const {
    if (a.receiver == b.receiver) return true;
    if (a.touches == touched_set::nothing || b.touches == touched_set::nothing) return false;
    return !is_known(a.touches) || !is_known(b.touches) || Relation::between(a, b);
  }
};

/// The same relation as `dependence`, where races are seen late, for those who plan steps: it tells what is known of a
/// step from what is not.
///
/// What a step touches beside its receiver is decided by what its receiver took before, and by what was in the memory
/// that it looked at. So it is known where the step was run, and may be another before whatever it was run after: a
/// step that is planned in another place counts as touching everything that anybody touches there.
class late_dependence : public telling_what_is_known<dependence> {
public:
  explicit late_dependence(const system& s) : telling_what_is_known(s), system_(s) {}

  [[nodiscard]] message_id label_of_message(const event& e) const { return system_.names().message_of(e.label); }
  [[nodiscard]] event foreseen(message_slot m) const {
    auto e = dependence::foreseen(m);
    e.touched.touches = not_known;
    return e;
  }
  void keep_names(const event& e, name_keeper& keep) const {
    if (is_known(e.touched.touches)) return dependence::keep_names(e, keep);
    keep(e.label);
    keep(e.touched.receiver);
  }

private:
  const system& system_;
};

}  // namespace harrier
