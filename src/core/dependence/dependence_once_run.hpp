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
