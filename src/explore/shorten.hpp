#pragma once

#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

#include "tally.hpp"

namespace harrier {

/// Looks for shorter schedules of what was `found`: goes through the nearest
/// states first, for a moment. What is met there is met by a shortest schedule
/// (finding::is_shortest); all else stays as it is. What a monitor judged is not
/// looked for: whether it is there is no matter of states.
void shorten(const program& tested, const options& how, tally& found);

/// Runs what can happen in up to `deepest` deliveries, the nearest states first,
/// for a moment: for one who waits for it to end the process.
void run_nearest_first(const program& tested, const options& how, std::size_t deepest);

}  // namespace harrier
