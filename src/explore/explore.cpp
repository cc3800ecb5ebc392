#include <fmt/format.h>

#include <algorithm>

#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

#include "engines.hpp"
#include "pick_engine.hpp"
#include "search_states.hpp"
#include "session.hpp"

namespace harrier {

namespace {

void validate_state_search(const options& how) {
  const bool is_auto = how.engine == "auto";
  const bool compares = is_auto || engine_named(how.engine).compares_states;
  const stateful_options defaults;
  const bool asks_for_states = how.search != defaults.search ||
                               how.state_comparison.value_or(state_comparison::none) != state_comparison::none ||
                               how.steps != defaults.steps || how.visited != defaults.visited ||
                               !how.interchangeable.empty();
  if (!compares && asks_for_states)
    throw error(fmt::format("engine {} does not look at states; --engine stateful does", how.engine));
  if (!compares) return;
  if (how.judge != nullptr && is_auto)
    throw error("engine auto may pick stateful, which cannot judge properties: use --engine optimal or exhaustive");
  if (const auto why_not = objection(states_asked_for(how), how.delivery); !why_not.empty()) throw error(why_not);
}

}  // namespace

void validate(const options& how) {
  validate_state_search(how);
  if (how.engine == "auto") return;
  const auto& engine = engine_named(how.engine);
  if (how.sleep_sets.value_or(false) && !engine.takes_sleep_sets)
    throw error(fmt::format("engine {} has no use for --sleep-sets; leave it out", how.engine));
  if (how.delivery == delivery::mailbox && !engine.takes_mailbox)
    throw error(fmt::format("engine {} cannot search with --delivery mailbox; optimal can", how.engine));
  const auto orderings = ordering_names();
  if (std::find(orderings.begin(), orderings.end(), how.ordering) == orderings.end())
    throw error(fmt::format("unknown ordering '{}'; there are {}", how.ordering, fmt::join(orderings, ", ")));
  if (how.judge != nullptr && engine.judges == judged::nothing)
    throw error(
        fmt::format("engine {} looks at a configuration once, whatever led to it, so it cannot judge properties "
                    "of executions; use --engine exhaustive",
                    how.engine));
  if (how.max_depth == 0) throw error("max-depth must be at least 1");
}

exploration explore(const program& program, const options& how) {
  validate(how);
  if (how.engine != "auto") return session(program, how).run();
  const auto started = limits::clock::now();
  const auto choice = pick_engine(program, how);
  auto picked = how;
  picked.engine = choice.engine;
  auto result = session(program, picked, started).run();
  result.notes.insert(result.notes.begin(), choice.reason);
  return result;
}

}  // namespace harrier
