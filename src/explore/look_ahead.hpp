#pragma once

#include <harrier/core/exploration.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

#include "limits.hpp"

namespace harrier {

/// A second of samples of all orders and a second of `how`'s search, `auto` being
/// optimal: how much there is, in exploration::orders and exploration::estimate.
/// What the search finds is found.
exploration look_ahead(const program& tested, options how, limits::clock::time_point started);

}  // namespace harrier
