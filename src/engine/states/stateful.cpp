#include <harrier/engine/stateful.hpp>

#include <optional>

#include <harrier/core/error.hpp>

#include "../alone.hpp"
#include "breadth_first_states.hpp"
#include "depth_first_states.hpp"

namespace harrier {
namespace {

class depth_first_search : depth_first_states<state_search> {
public:
  using depth_first_states::depth_first_states;

  bool run() {
    const bool ended = search();
    complete_report(0);
    return ended;
  }

private:
  bool search() {
    begin();
    while (is_busy()) {
      if (stopping()) return false;
      advance();
    }
    return true;
  }
};

class breadth_first_search : breadth_first_states<state_search> {
public:
  using breadth_first_states::breadth_first_states;

  bool run() {
    const bool ended = search();
    complete_report(ways_.bytes());
    return ended;
  }

private:
  bool search() {
    if (!begin()) return true;
    for (stretch_of_states level{ways_to_states::start, 1}; level.next < level.end;) {
      if (!expand(ways_, level)) return false;
      for (const auto& x : found_) ways_.add(x);
      found_.clear();
      level = {level.end, ways_.size()};
    }
    return true;
  }

  ways_to_states ways_;
};

}  // namespace

std::string objection(const stateful_options& how, delivery model) {
  const bool breadth_first = how.search == search_order::breadth_first;
  const bool canonical = how.comparison == state_comparison::canonical;
  const auto named = std::string(to_string(model));
  if (breadth_first && how.sleep_sets)
    return "breadth-first search (bfs) makes every delivery, so it has no use for sleep sets";
  if (breadth_first && how.steps == step_size::big) return "big steps are for depth-first search (dfs)";
  if (canonical && (model == delivery::causal || model == delivery::mailbox_interleaved))
    return "canonical state comparison is not for delivery model " + named + ": there actors cannot be renamed";
  if (!canonical && !how.interchangeable.empty()) return "interchangeable classes are for canonical state comparison";
  if (!how.sleep_sets || how.comparison == state_comparison::none) return {};
  if (canonical) return "sleep sets need names that stay; canonical state comparison renames actors";
  if (how.comparison != state_comparison::exact) return "sleep sets are for exact state comparison";
  if (how.visited == visited_states::exact)
    return "sleep sets know messages by their hashes; remembering states exactly trusts none";
  if (model == delivery::mailbox || model == delivery::causal)
    return "sleep sets are not for engine stateful under delivery model " + named;
  return {};
}

bool may_sleep(stateful_options how, delivery model) {
  how.sleep_sets = true;
  return how.comparison != state_comparison::none && objection(how, model).empty();
}

bool explore_stateful(search_context& s, const stateful_options& how, stateful_report& report) {
  if (const auto why_not = objection(how, s.tested.model()); !why_not.empty()) throw error(why_not);
  if (how.search == search_order::breadth_first) return breadth_first_search(s, how, report).run();
  std::optional<past_aborts> guard;
  if (how.sleep_sets) guard.emplace(s.tested);
  return depth_first_search(s, how, report).run();
}

}  // namespace harrier
