#pragma once

#include <harrier/core/system.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// Whether observers are to be told apart (options::observers) by a search of
/// `tested` that can.
/// @throws error if they are to be and cannot: what stands against it.
bool are_observers_told(const system& tested, const options& how);

}  // namespace harrier
