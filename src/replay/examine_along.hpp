#pragma once

#include <harrier/core/step.hpp>
#include <harrier/core/system.hpp>

#include "../core/examine.hpp"

namespace harrier {

/// Brings a fresh system along `planned` and calls, one by one, what a search may
/// have called outside handlers there (see examine_all). What these throw is
/// thrown, and what the deliveries throw is not: then it examines where they end.
void examine_along(system& fresh, const schedule& planned, const about_to_call& tell);

}  // namespace harrier
