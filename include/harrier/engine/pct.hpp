#pragma once

#include <cstdint>
#include <memory>

#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

/// Of bugs that anybody could find by chance it is far below that.
inline constexpr std::uint64_t greatest_bug_depth = 1000;

inline constexpr std::uint64_t executions_in_a_block = 5;

struct pct_options {
  std::uint64_t seed = 0;
  /// How many deliveries have to come in a certain order, at most greatest_bug_depth;
  /// 0: 1 to 5 in turn.
  std::uint64_t bug_depth = 0;
  /// The number of the first execution, a multiple of executions_in_a_block.
  std::uint64_t first = 0;
};

/// Probabilistic concurrency testing: chains of deliveries that cause one
/// another have random ranks, the highest one that can goes first, and at d - 1
/// messages drawn beforehand their chain falls to the lowest ranks. Values that
/// a handler draws are uniform. Until the watcher stops it.
///
/// An order of d deliveries that can be had by delivery alone (no guards, no
/// draws, no delivery model in the way) has in each execution a chance of at
/// least 1/(w n^(d-1)), if no execution has more than n messages, of which w
/// cause none.
///
/// Executions come in blocks of five. In a block's first, number 5b, nothing
/// falls: it says what n is for the other four. So execution number i (from 0)
/// depends on the seed and i alone, by way of number i - i mod 5. In turn, the
/// five have d = 1 to 5; of a given depth, the other four have that.
///
/// Numbers `first` to `most` - 1 of the executions are run, whichever worker runs
/// them. It is never explored, since chance proves nothing, but where nothing can
/// be delivered.
///
/// @param most  0: until the watchers stop
/// @par Complexity  O(pending messages) a delivery.
/// @par Source  B. Ozkan, R. Majumdar, F. Niksic, M. Befrouei, G. Weissenbacher:
///      Randomized Testing of Distributed Systems with Probabilistic Guarantees,
///      OOPSLA 2018 (PCTCP); S. Burckhardt et al., ASPLOS 2010 (PCT).
/// @par Deviations  see src/engine/sampling/pct.cpp.
std::unique_ptr<shared_search> share_pct(const pct_options& how = {}, std::uint64_t most = 0);

}  // namespace harrier
