#include "shared_stateful.hpp"

namespace harrier {

std::string objection_to_sharing(const stateful_options& how) {
  if (how.search == search_order::breadth_first) return "breadth-first search (bfs) is for one worker";
  if (how.visited == visited_states::exact) return "remembering states exactly is for one worker";
  if (how.comparison == state_comparison::canonical) return "canonical state comparison is for one worker";
  return {};
}

std::unique_ptr<shared_states> share_stateful(const stateful_options& how) {
  if (const auto why_not = objection_to_sharing(how); !why_not.empty()) throw error(why_not);
  return std::make_unique<shared_stateful<>>(how);
}

}  // namespace harrier
