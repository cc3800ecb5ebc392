#pragma once

#include <cstdint>

#include <harrier/engine/search_context.hpp>

namespace harrier {

struct enumeration_options {
  std::uint64_t seed = 0;
  /// Nodes looked at on each level of the tree.
  std::size_t population = 16;
};

/// What samples say of how many executions there are.
struct enumeration {
  /// The mean of the samples, each of them right on average; at most 1e300. 0 if there is none.
  double executions = 0;
  /// Trials that reached the bottom of the tree.
  std::uint64_t samples = 0;
};

/// Guesses how many executions share_exhaustive would run, by stochastic
/// enumeration: from level to level of the tree of deliveries it goes on with a few
/// nodes, drawn from the children of the last few, and multiplies by how many more
/// there were. Trials are made until the watcher stops; it is told of no
/// execution. Trial i depends on the seed and i alone.
///
/// Unbiased, since the children of a node are known when it is reached. That is so
/// for all orders, not for the tree of a reduction. The system is in its initial
/// configuration in the end.
///
/// @par Source  P. Chen: Heuristic sampling (SIAM J. Comput. 1992); R. Rubinstein,
///      R. Vaisman: stochastic enumeration (2013). With a population of 1 it is
///      D. Knuth: Estimating the efficiency of backtrack programs (1975).
enumeration enumerate_stochastically(search_context& s, const enumeration_options& how = {});

}  // namespace harrier
