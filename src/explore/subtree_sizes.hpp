#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <harrier/engine/search_context.hpp>

namespace harrier {

/// Guesses how many leaves a tree has that is searched depth first:
///
///   size(n) = number of children of n * mean size of those visited,
///
/// from the leaf that was reached upwards. Of a child that was left, the size is
/// known: the leaves met since it was begun. So all it keeps is how many leaves
/// had been met when the child on the path was begun.
///
/// It need not look at each leaf. A point that it finds with children already left
/// has them counted as large as the one that it sees; where it has been before,
/// what happened in between goes to those that were left.
///
/// @par Source  J. Simsa, R. Bryant, G. Gibson, J. Hickey: Efficient exploratory
///      testing of concurrent systems (Eta), section 4.
class subtree_sizes {
public:
  /// The search is at the end of `path`, its leaf number `leaves`, counted from 1.
  void look(std::span<const branching> path, std::uint64_t leaves);
  /// At most the largest double, at least 1. O(depth)
  [[nodiscard]] double estimate() const;

private:
  struct point {
    branching now;
    std::uint64_t uncounted;    // children left before this was seen first
    std::uint64_t seen_since;   // leaves met before then
    std::uint64_t child_since;  // leaves met before the child on the path was begun
  };
  std::vector<point> path_;
};

}  // namespace harrier
