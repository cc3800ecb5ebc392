#pragma once

#include <string_view>

#include <harrier/core/observer.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// Optimal dynamic partial-order reduction: explores exactly one execution of
/// every execution class, none of them given up.
///
/// Holds for guards, calls, creation, destroyed actors, drawn values and each
/// delivery model, since all of them are decided by the receiver alone.
///
/// @param ordering  which actor goes first; it changes only which class comes
///                  first.
/// @return whether the search came to its end.
/// @par Complexity  for each execution of n deliveries O(n^2) bit tests in the
///      worst case, mostly O(n); memory O(n^2) bits (see happens_before) and the
///      wakeup trees: what is planned beside the current path.
/// @par Source  P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas: Optimal dynamic
///      partial order reduction, POPL 2014, Algorithm 2, specialised to steps
///      that are dependent iff they have the same receiver.
bool explore_optimal(system& system, observer& watcher, std::string_view ordering);

}  // namespace harrier
