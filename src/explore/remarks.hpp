#pragma once

#include <string>
#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// Why a result says less than it seems to, a sentence each: nothing was sent,
/// nothing could be ordered otherwise, no execution came to its end.
std::vector<std::string> remarks_on(const exploration& result, const program& tested, const options& how);

}  // namespace harrier
