#pragma once

#include <cstdint>
#include <memory>

#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

struct random_options {
  std::uint64_t seed = 0;
  /// The number of the first execution.
  std::uint64_t first = 0;
};

/// Runs executions in each of which every delivery is drawn uniformly from the
/// deliverable messages, and every value uniformly from its range, until
/// the watcher stops it.
///
/// Execution number i (from 0) depends on the seed and i alone, so a seed that is
/// printed is enough to see the same executions again.
///
/// Numbers `first` to `most` - 1 of the executions are run, whichever worker runs
/// them. It is never explored, since chance proves nothing, but where nothing can
/// be delivered.
///
/// @param most  0: until the watchers stop
std::unique_ptr<shared_search> share_random(const random_options& how = {}, std::uint64_t most = 0);

}  // namespace harrier
