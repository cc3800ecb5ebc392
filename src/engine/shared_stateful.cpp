#include "shared_stateful.hpp"

#include <string>

namespace harrier {

std::string objection_to_sharing(const stateful_options& how) {
  const auto cannot = [](const std::string& what, const std::string& can) {
    return what + " can neither be shared by several jobs nor be written to a checkpoint; " + can + " can";
  };
  if (how.search == search_order::breadth_first)
    return cannot("breadth-first search (bfs)", "depth-first search (dfs)");
  if (how.visited == visited_states::exact)
    return cannot("a search that remembers states exactly (exact)", "one that remembers 96 bits of each (compacted)");
  if (how.comparison == state_comparison::canonical)
    return cannot("a search with canonical state comparison", "one with exact comparison");
  return {};
}

std::unique_ptr<shared_states> share_stateful(const stateful_options& how) {
  if (const auto why_not = objection_to_sharing(how); !why_not.empty()) throw error(why_not);
  return std::make_unique<shared_stateful<>>(how);
}

}  // namespace harrier
