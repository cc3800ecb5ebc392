#include "trial.hpp"

#include <fmt/format.h>

#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

#include "programs.hpp"

namespace harrier::tables {
namespace {

/// An estimate of what a cell costs, before it is run.
std::uint64_t cost(const cell& c) {
  constexpr std::uint64_t usual_length = 8;
  if (c.transitions.given()) return c.transitions.value();
  return c.paths.given() ? c.paths.value() * usual_length : 0;
}

bool agrees(const figure& published, const std::optional<std::uint64_t>& ours) {
  return !published.given() || published.value() == ours;
}

trial::verdict judge(const trial& t) {
  const auto& c = t.published;
  if (c.paths.cut() || c.transitions.cut()) return trial::verdict::cut_there;
  if (!c.paths.given() && !c.transitions.given()) return trial::verdict::illegible;
  const bool all_agree = agrees(c.paths, t.paths) && agrees(c.transitions, t.transitions) &&
                         agrees(c.states, t.states) && agrees(c.depth, t.depth);
  return all_agree ? trial::verdict::equal : trial::verdict::different;
}

void compare_states(options& how, step_size steps) {
  how.search.engine = "stateful";
  how.states.comparison = state_comparison::as_measured;
  how.states.steps = steps;
}

/// `persistent+sleep`, say, and `stateful-big`.
void search_with(options& how, const std::string& engine) {
  how.search.sleep_sets = false;
  if (engine == "stateful") return compare_states(how, step_size::little);
  if (engine == "stateful-big") return compare_states(how, step_size::big);
  const auto plus = engine.find('+');
  how.search.engine = engine.substr(0, plus);
  how.search.sleep_sets = plus != std::string::npos;
}

}  // namespace

exploration explore_fully(const std::string& program, const std::string& engine, const std::string& ordering,
                          double seconds) {
  options how;
  search_with(how, engine);
  how.search.ordering = ordering;
  how.judging.keep_going = true;
  how.judging.undelivered = undelivered::ignore;
  how.limits.time_limit = seconds;
  how.judging.check_determinism = repetition::off;
  how.search.observers = false;  // the literature counts orders of all deliveries
  return explore(program_named(program), how);
}

bool ended(const exploration& result) {
  const bool by_a_limit = result.stopped_by.find("limit of ") != std::string::npos;
  return !by_a_limit && result.truncated == 0;
}

std::string to_string(trial::verdict outcome) {
  switch (outcome) {
    case trial::verdict::equal: return "equal";
    case trial::verdict::different: return "different";
    case trial::verdict::cut_there: return "published run was cut";
    case trial::verdict::illegible: return "no published figure";
    case trial::verdict::not_run: return "not run";
  }
  throw error("no such verdict");
}

trial laboratory::run(const cell& published) {
  trial t;
  t.published = published;
  t.why = published.remark;
  if (!published.can_run()) return t;
  if (cost(published) > limits_.deliveries) {
    t.why = fmt::format("not run: more than {} deliveries", limits_.deliveries);
    return t;
  }
  const auto& ours = explored(published);
  if (!ended(ours)) {
    t.why = "not run to its end: " + ours.stopped_by;
    return t;
  }
  t.paths = ours.executions;
  t.transitions = ours.transitions + published.extra;
  t.blocked = ours.blocked;
  t.seconds = ours.seconds;
  if (ours.states) {
    t.states = ours.states->states - published.left_out;
    t.depth = ours.states->depth - published.left_out;
  }
  t.outcome = judge(t);
  if (t.outcome == trial::verdict::equal) t.why.clear();
  return t;
}

const exploration& laboratory::explored(const cell& c) {
  const auto key = std::tuple(c.program, c.engine, c.ordering);
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  return known_.emplace(key, explore_fully(c.program, c.engine, c.ordering, limits_.seconds)).first->second;
}

void tally::add(const trial& t) {
  switch (t.outcome) {
    case trial::verdict::equal: ++equal; break;
    case trial::verdict::different: ++different; break;
    case trial::verdict::cut_there: ++cut_there; break;
    case trial::verdict::illegible: ++illegible; break;
    case trial::verdict::not_run: ++not_run; break;
  }
}

}  // namespace harrier::tables
