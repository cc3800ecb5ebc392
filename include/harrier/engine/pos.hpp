#pragma once

#include <cstdint>
#include <memory>

#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

struct pos_options {
  std::uint64_t seed = 0;
  /// The number of the first execution.
  std::uint64_t first = 0;
};

/// Partial order sampling: each pending message has a random priority, the
/// deliverable one of highest priority is delivered, and those that race with
/// it draw anew. Values that a handler draws are uniform. Until the watcher
/// stops it.
///
/// Execution number i (from 0) depends on the seed and i alone.
///
/// @return always false: chance proves nothing.
/// @par Complexity  O(pending messages) a delivery.
/// @par Source  X. Yuan, J. Yang, R. Gu: Partial Order Aware Concurrency
///      Sampling, CAV 2018.
bool explore_pos(search_context& s, const pos_options& how = {});

/// The same by several workers: numbers `first` to `most` - 1 of the executions,
/// whoever runs them. @param most  0: until their watchers stop
std::unique_ptr<shared_search> share_pos(const pos_options& how, std::uint64_t most);

}  // namespace harrier
