#pragma once

#include <string>
#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// Where no execution came to its end, nothing that is judged there was judged:
/// then the result is not exhausted, and says why, though the search may have
/// been everywhere. @return whether it was made so.
bool refuse_if_nothing_was_judged(exploration& result, const program& tested, const options& how);

/// Why a result says less than it seems to, a sentence each: nothing was sent,
/// nothing could be ordered otherwise, no execution came to its end.
std::vector<std::string> remarks_on(const exploration& result, const program& tested, const options& how);

}  // namespace harrier
