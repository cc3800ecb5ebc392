#pragma once

#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// What would help an exploration that a limit stopped before it had found
/// anything, or one that gave up executions as redundant since it was asked for another independence than the
/// usual one. Nothing is advised that was not tried: the program is looked at for a moment in other ways, and the
/// figure that it came to is in the sentence. The same each time, but where the time is up.
/// @param how  as it was explored.
/// @par Cost   each way a fortieth of the deliveries of the exploration, but between 10,000 and 200,000; at most 1 s of
/// the
///             processor in all, and 3 s by the clock.
std::vector<advice> advise(const exploration& result, const program& tested, const options& how);

}  // namespace harrier
