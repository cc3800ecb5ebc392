#pragma once

#include <harrier/engine/search_context.hpp>

namespace harrier {

/// Runs every execution of the system from where it is: each order of deliveries
/// and each combination of drawn values, once, in depth-first order, the oldest
/// message first.
///
/// The permanent oracle: every reduction is compared with it, so it stays as
/// simple as it is. No recursion; memory is the system's own.
///
/// @return whether the search came to its end; false if its watcher stopped it.
/// @par Complexity  one deliver and one undo for each edge of the tree.
bool explore_exhaustive(search_context& s);

}  // namespace harrier
