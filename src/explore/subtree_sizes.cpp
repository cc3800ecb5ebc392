#include "subtree_sizes.hpp"

#include <algorithm>
#include <limits>

namespace harrier {

void subtree_sizes::look(std::span<const branching> path, std::uint64_t leaves) {
  const auto before = leaves - 1;
  std::size_t i = 0;
  // Down to where another child was begun, it is the path that was seen last.
  for (; i < path.size() && i < path_.size() && path[i].begun == path_[i].now.begun; ++i) path_[i].now = path[i];
  if (i < path.size() && i < path_.size()) {
    path_[i].now = path[i];
    path_[i].child_since = before;
    ++i;
  }
  path_.resize(i);
  for (; i < path.size(); ++i) path_.push_back({path[i], path[i].begun - 1, before, before});
}

double subtree_sizes::estimate() const {
  double size = 1;
  for (auto p = path_.rbegin(); p != path_.rend(); ++p) {
    const auto counted = static_cast<double>(p->now.begun - p->uncounted);
    const auto left = static_cast<double>(p->child_since - p->seen_since);
    const auto children = static_cast<double>(p->now.begun + p->now.planned);
    size = std::min(children * ((left + size) / counted), std::numeric_limits<double>::max());
  }
  return size;
}

}  // namespace harrier
