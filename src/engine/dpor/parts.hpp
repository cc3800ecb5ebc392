#pragma once

#include <cstdint>

#include <harrier/core/dependence.hpp>
#include <harrier/core/invariant.hpp>
#include <harrier/core/system.hpp>

#include "exploration_tree.hpp"
#include "names_of_cursor.hpp"
#include "sleep_set.hpp"

namespace harrier {

/// What the algorithms are put together from. Each is a template over a class
/// like this one, so that a test can put in a part of its own: a stub, or a
/// wrong one, to see that it is noticed.
struct parts {
  using dependence = harrier::dependence;
  using sleep_set = harrier::sleep_set;
  template <class Dependence>
  using tree = exploration_tree<Dependence>;

  /// How what the algorithm wants to be delivered is delivered. It can be, if all
  /// parts are right: those that are not look first.
  static void deliver(system& s, message_slot m, std::uint64_t code) { s.deliver(m, code); }
  static void deliver_event(system& s, message_id label) { s.deliver_event(label); }
  /// What holds if all parts are right.
  static void require(bool condition, const char* lemma) { HARRIER_INVARIANT(condition, lemma); }
};

}  // namespace harrier
