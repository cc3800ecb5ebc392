#pragma once

#include <cstddef>
#include <exception>
#include <limits>
#include <memory>
#include <string_view>

#include <harrier/core/independence.hpp>
#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

struct optimal_options {
  /// Which actor goes first; it changes only which class comes first. See
  /// make_ordering.
  std::string_view ordering = "fifo";
  /// Deliveries that leave their receiver as it is and send nothing commute with
  /// one another: classes are of what is left then. Only of a system that
  /// shows_changes(), under unordered, fifo or causal delivery.
  bool observers = false;
  /// independence::fields: two messages of one actor commute if neither writes a field that
  /// the other touches (field_dependence); observers are among them. Of the same systems.
  /// Others are not decided here.
  harrier::independence independence = independence::receiver;
  /// Of how many deliveries an execution may be for that: O(n^2) bits are
  /// remembered of one of n.
  std::size_t longest_with_observers = std::numeric_limits<std::size_t>::max();
};

/// Thrown by the search, in the middle of the execution that is longer than
/// optimal_options::longest_with_observers. The system can be used on.
struct too_long_for_observers : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "an execution is too long for observers"; }
};

/// Optimal dynamic partial-order reduction: explores exactly one execution of
/// every execution class, none of them given up.
///
/// Holds for guards, calls, creation, destroyed actors, drawn values and each
/// delivery model. All of them but delivery::mailbox are decided by what the
/// receiver took before; under that one the order of sends to an actor is part of
/// the class.
///
/// Each class is run once as well where memory is shared, and under delivery::mailbox where there are timers. But there
/// some executions may be given up: what a message will touch beside its receiver depends on what the receiver took
/// before, and is known once it was run.
///
/// Each class is explored by one of the workers, once.
///
/// Its work() throws too_long_for_observers.
/// @par Complexity  for each execution of n deliveries O(n^2) bit tests in the
///      worst case, mostly O(n); memory O(n^2) bits (see happens_before) and the
///      wakeup trees: what is planned beside the current path.
/// @par Source  P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas: Optimal dynamic
///      partial order reduction, POPL 2014, Algorithm 2, specialised to steps
///      that are dependent as core's `dependence` says.
std::unique_ptr<shared_search> share_optimal(const optimal_options& how = {}, made_by who = made_by::several);

}  // namespace harrier
