#pragma once

#include <memory>

#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

/// Runs every execution of the system from where it is: each order of deliveries
/// and each combination of drawn values, once, in depth-first order, the oldest
/// message first.
///
/// The permanent oracle: every reduction is compared with it, so it stays as
/// simple as it is. No recursion; memory is the system's own.
///
/// Of several workers who has nothing to do takes over what another one would have
/// tried last.
///
/// @par Complexity  one deliver and one undo for each edge of the tree.
std::unique_ptr<shared_search> share_exhaustive(made_by who = made_by::several);

}  // namespace harrier
