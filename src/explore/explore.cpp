#include <fmt/format.h>

#include <algorithm>

#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

#include "engines.hpp"
#include "pick_engine.hpp"
#include "session.hpp"

namespace harrier {

namespace {

void validate_state_search(const options& how) {
  const bool compares = how.engine == "stateful" || how.engine == "auto";
  const auto comparison = how.state_comparison.value_or(state_comparison::none);
  const bool asks_for_states = how.search != search_order::depth_first || comparison != state_comparison::none ||
                               how.steps != step_size::little || how.visited != visited_states::compacted ||
                               !how.interchangeable.empty();
  if (!compares && asks_for_states)
    throw error(fmt::format("engine {} does not look at states; --engine stateful does", how.engine));
  if (!compares) return;
  if (how.judge != nullptr && how.engine == "auto")
    throw error("engine auto may pick stateful, which cannot judge properties: use --engine optimal or exhaustive");
  const bool breadth_first = how.search == search_order::breadth_first;
  const bool sleeps = how.sleep_sets.value_or(false);
  if (breadth_first && sleeps) throw error("--search bfs makes every delivery; leave --sleep-sets out");
  if (breadth_first && how.steps == step_size::big) throw error("--steps big is for --search dfs");
  if (sleeps && comparison == state_comparison::canonical)
    throw error("--sleep-sets needs names that stay; --state-comparison canonical renames actors");
  if (sleeps && how.visited == visited_states::exact)
    throw error("--sleep-sets knows messages by their hashes; --visited exact trusts none");
  if (sleeps && (how.delivery == delivery::mailbox || how.delivery == delivery::causal))
    throw error(fmt::format("--sleep-sets is not for engine stateful under --delivery {}", to_string(how.delivery)));
  if (comparison == state_comparison::canonical &&
      (how.delivery == delivery::causal || how.delivery == delivery::mailbox_interleaved))
    throw error(fmt::format("--state-comparison canonical is not for --delivery {}: there actors cannot be renamed",
                            to_string(how.delivery)));
  if (!how.interchangeable.empty() && comparison != state_comparison::canonical)
    throw error("--interchangeable is for --state-comparison canonical");
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
  const auto choice = pick_engine(program, how);
  auto picked = how;
  picked.engine = choice.engine;
  auto result = session(program, picked).run();
  result.notes.insert(result.notes.begin(), choice.reason);
  return result;
}

}  // namespace harrier
