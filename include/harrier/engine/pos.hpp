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
/// Numbers `first` to `most` - 1 of the executions are run, whichever worker runs
/// them. It is never explored, since chance proves nothing, but where nothing can
/// be delivered.
///
/// @param most  0: until the watchers stop
/// @par Complexity  O(pending messages) a delivery.
/// @par Source  X. Yuan, J. Yang, R. Gu: Partial Order Aware Concurrency
///      Sampling, CAV 2018.
std::unique_ptr<shared_search> share_pos(const pos_options& how = {}, std::uint64_t most = 0);

}  // namespace harrier
