#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/core/observer.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// A point of the path on which a search in depth-first order is: what it knows
/// to be there. What is explored, begun, and planned only grows, and a reduction
/// may plan more later than it knows of now.
struct branching {
  std::uint64_t begun;    ///< branches taken, the one on the path included: at least 1
  std::uint64_t planned;  ///< branches still to be taken
  bool operator==(const branching&) const = default;
};

/// What every engine is given: what to search, who watches, and where to leave
/// what else there is to say. What an engine can be asked for besides is in its
/// own options.
struct search_context {
  system& tested;
  observer& watcher;
  /// What the engine has to say of its search, beside what the observer counts.
  std::vector<statistic> statistics = {};
  /// Lists how the current path branches, from the root on: a place for each
  /// delivery, and one more for each value that it drew. Set by engines that
  /// enumerate a tree depth first, while they run; may be called from within
  /// observer::execution_ended. O(depth + what is planned there).
  std::function<void(std::vector<branching>&)> branches = {};
  /// Of a shared search: who stops it goes on with it later, so what is left is all to be there.
  bool goes_on_later = false;
};

}  // namespace harrier
