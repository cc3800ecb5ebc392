#include <fmt/format.h>

#include <algorithm>

#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

#include "engines.hpp"
#include "session.hpp"

namespace harrier {

void validate(const options& how) {
  const auto& engine = engine_named(how.engine);
  if (how.sleep_sets.value_or(false) && !engine.takes_sleep_sets)
    throw error(fmt::format("engine {} has no use for --sleep-sets; leave it out", how.engine));
  const auto orderings = ordering_names();
  if (std::find(orderings.begin(), orderings.end(), how.ordering) == orderings.end())
    throw error(fmt::format("unknown ordering '{}'; there are {}", how.ordering, fmt::join(orderings, ", ")));
  if (how.max_depth == 0) throw error("max-depth must be at least 1");
}

exploration explore(const program& program, const options& how) {
  validate(how);
  return session(program, how).run();
}

}  // namespace harrier
