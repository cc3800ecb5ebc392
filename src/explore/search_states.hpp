#pragma once

#include <harrier/core/exploration.hpp>
#include <harrier/core/observer.hpp>
#include <harrier/core/system.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// Runs engine stateful as `how` says; its counts go into `result`.
/// @return whether the search is exhausted.
bool search_states(system& s, observer& o, const options& how, exploration& result);

}  // namespace harrier
