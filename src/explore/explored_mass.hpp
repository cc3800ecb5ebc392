#pragma once

#include <span>

#include <harrier/engine/search_context.hpp>

namespace harrier {

/// The share of a tree that a depth-first search has explored when it is at the
/// end of `path`, were all branches of a point of equal weight: each point on the
/// path gives what was explored of its own share. More than 0 unless it is too
/// small to be told, at most 1; a search without reduction comes to 1 with its last leaf.
///
/// What is planned counts as it is known *now*, for all that was explored before,
/// too: the original sums the weights that leaves had when they were met.
///
/// @par Source  P. Kilby, J. Slaney, S. Thiebaux, T. Walsh: Estimating search tree
///      size, AAAI 2006, the weighted backtrack estimator.
[[nodiscard]] inline double explored_mass(std::span<const branching> path) {
  double share = 1;
  double mass = 0;
  for (const auto& b : path) {
    share /= static_cast<double>(b.begun + b.planned);
    mass += share * static_cast<double>(b.begun - 1);
  }
  return mass + share;
}

}  // namespace harrier
