#pragma once

#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/core/observer.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// What every engine is given: what to search, who watches, and where to leave
/// what else there is to say. What an engine can be asked for besides is in its
/// own options.
struct search_context {
  system& tested;
  observer& watcher;
  /// What the engine has to say of its search, beside what the observer counts.
  std::vector<statistic> statistics = {};
};

}  // namespace harrier
