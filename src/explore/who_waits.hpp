#pragma once

#include <string>
#include <vector>

#include <harrier/core/system.hpp>

namespace harrier {

/// Of the actors that are `stuck` at the end at which `ended` is: whether they wait in a circle, for whom, and since
/// which delivery, as people number them. A sentence; empty if nobody is stuck.
std::string who_waits(const system& ended, const std::vector<actor_slot>& stuck);

}  // namespace harrier
