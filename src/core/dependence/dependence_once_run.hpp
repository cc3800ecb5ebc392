#pragma once

#include <harrier/core/dependence.hpp>
#include <harrier/core/names_in_use.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// What is common to dependences that tell steps of one receiver apart by what each
/// did: that is known once it was run, and concerns nobody but its receiver.
class dependence_once_run {
public:
  using event_type = event;
  /// A step may be independent of others of its receiver, and of itself.
  static constexpr bool tells_observers = true;

  explicit dependence_once_run(const system& s) : plain_(s) {}

  /// What is not known of a step before it was run does not make it race with others.
  [[nodiscard]] static constexpr bool foresees_all() { return true; }
  /// Whether that is what was seen of a step: what was not counts as touching everything.
  [[nodiscard]] static bool is_known(touched_set touches) { return touches != touched_set::nothing; }
  /// Whether `ran` is all that planned step `e`, of the same label, may be: its handler drew nothing.
  template <class Event>
  [[nodiscard]] static bool is_all_of(const Event& ran, const Event& /*e*/) {
    return !ran.one_of_several && is_known(ran.touched.touches);
  }
  [[nodiscard]] bool stands_for(const event& p, const event& x) const { return plain_.stands_for(p, x); }
  [[nodiscard]] event foreseen(message_slot m) const { return plain_.foreseen(m); }
  /// Keeps the names in `e` (see names_in_use).
  static void keep_names(const event& e, name_keeper& keep) {
    keep(e.label);
    keep(e.touched.receiver);
  }

private:
  dependence plain_;
};

}  // namespace harrier
