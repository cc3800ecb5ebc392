#include <harrier/adapter/caf_cxx17/explore.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/explore/explore.hpp>

namespace harrier::cxx17 {
namespace {

caf_options caf_options_of(const caf_search& how) {
  return {.eager_starts = !how.explored_starts,
          .time = how.timers_at_any_time ? caf_options::timers::any_time : caf_options::timers::earliest_first};
}

caf_finding as_told(const finding& f) {
  caf_finding told{std::string(to_string(f.kind)), f.message, f.actor, f.file, f.line, {}};
  for (const auto& step : f.trace)
    if (!step.machinery) told.deliveries.push_back(step.receiver + "." + step.message);
  return told;
}

std::vector<caf_finding> as_told(const std::vector<finding>& all) {
  std::vector<caf_finding> told;
  std::transform(all.begin(), all.end(), std::back_inserter(told), [](const finding& f) { return as_told(f); });
  return told;
}

caf_exploration explored(const program& tested, const caf_search& asked) {
  options how;
  if (!asked.engine.empty()) how.search.engine = asked.engine;
  how.judging.keep_going = asked.keep_going;
  how.limits.max_executions = asked.max_executions;
  if (asked.max_depth != 0) how.limits.max_depth = asked.max_depth;
  how.limits.time_limit = asked.time_limit;
  const auto result = explore(tested, how);
  return {result.exhausted, result.stopped_by, result.executions, as_told(result.findings), as_told(result.warnings)};
}

}  // namespace

caf_exploration explore_caf(std::function<void(caf::actor_system&)> caf_main, const caf_search& how) {
  return explored(caf_program(std::move(caf_main), caf_options_of(how)), how);
}

caf_exploration explore_caf(std::function<void()> body, const caf_search& how) {
  return explored(caf_program(std::move(body), caf_options_of(how)), how);
}

}  // namespace harrier::cxx17
