#pragma once

#include "../../core/dependence/field_dependence.hpp"
#include "parts.hpp"

namespace harrier {

struct field_parts : parts {
  using dependence = field_dependence;
  /// What handlers are declared to touch may be wrong, and then what was planned is not there.
  static void deliver_event(system& s, message_id label) { field_dependence::deliver_planned(s, label); }
};

}  // namespace harrier
