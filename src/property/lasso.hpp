#pragma once

#include <harrier/property/check.hpp>

#include "emptiness.hpp"
#include "product.hpp"

namespace harrier::internal {

/// A shortest accepted run that stops, or beginning of accepted runs, among the pairs found; one exists.
/// Targets are numbers of `space`.
lasso shortest_finite(product& p, const state_space& space);

/// A short accepted run that stays in `goal`. Targets are numbers of `space`.
lasso short_lasso(product& p, const state_space& space, const accepted_component& goal);

}  // namespace harrier::internal
