#pragma once

#include <harrier/core/observer.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// Optimal exploration by revisiting receives: one execution of every execution
/// class, none given up, with memory polynomial in the length of an execution
/// and without sleep sets or wakeup trees.
///
/// Its work items are self-contained and share nothing. It runs each of them
/// from the point where it leaves the one before, so it makes more deliveries
/// than `optimal`; the two count the same executions by different means.
///
/// @return whether the search came to its end.
/// @par Complexity  O(n^3) for an execution of n deliveries.
/// @par Source  M. Kokologiannakis et al.: Truly stateless, optimal dynamic
///      partial order reduction, POPL 2022; C. Enea et al.: Model checking
///      distributed protocols in Must, OOPSLA 2024; for macro-steps.
bool explore_trust(system& system, observer& watcher);

}  // namespace harrier
