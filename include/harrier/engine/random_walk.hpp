#pragma once

#include <cstdint>

#include <harrier/core/observer.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// Runs executions in each of which every delivery is drawn uniformly from the
/// deliverable messages, and every value uniformly from its range, until
/// `watcher` stops it.
///
/// Execution number i (from 0) depends on `seed` and i alone, so a seed that is
/// printed is enough to see the same executions again.
///
/// @return always false: chance proves nothing.
bool explore_random(system& system, observer& watcher, std::uint64_t seed);

}  // namespace harrier
