#pragma once

#include <harrier/property/check.hpp>

#include "emptiness.hpp"
#include "product.hpp"

namespace harrier {

/// A short accepted run that stops in a pair like `goal`. Targets are numbers of `space`.
lasso shortest_stop(product& p, const state_space& space);

/// A short accepted run that stays in `goal`. Targets are numbers of `space`.
lasso short_lasso(product& p, const state_space& space, const accepted_component& goal);

}  // namespace harrier
