#pragma once

#include <string>

#include <harrier/core/system.hpp>
#include <harrier/engine/optimal.hpp>
#include <harrier/engine/source.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// Whether observers are to be told apart (search_options::observers) by a search of
/// `tested` that can: if it was asked for, or not asked about and nothing stands
/// against it.
/// @throws error if it was asked for, or independence::fields was, and cannot be: what stands against it.
bool are_observers_told(const system& tested, const options& how);

/// How optimal is to search `tested`. It throws too_long_for_observers where an
/// execution would take too much memory.
optimal_options options_of_optimal(const system& tested, const options& how);

/// How source is to search `tested`.
/// @throws error if independence::semantic was asked for and cannot be: what stands against it.
source_options options_of_source(const system& tested, const options& how);

/// After too_long_for_observers was thrown: the options to begin again with, that tell neither observers
/// nor fields apart.
options without_observers(const options& how);
/// What is then said of it.
std::string why_without_observers(const options& how);

}  // namespace harrier
