#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/engine/pct.hpp>
#include <harrier/explore/explore.hpp>

#include "advise.hpp"
#include "engines.hpp"
#include "look_ahead.hpp"
#include "pick_engine.hpp"
#include "remarks.hpp"
#include "search_states.hpp"
#include "session.hpp"

namespace harrier {

void validate(const options& how) {
  const bool is_auto = how.engine == "auto";
  if (how.bug_depth > greatest_bug_depth)
    throw error(fmt::format("a bug depth from 1 to {} is expected", greatest_bug_depth));
  const bool has_budget = how.budget != 0;
  if (has_budget && !(how.budget > 0)) throw error("a budget is a number of seconds above 0");
  if (has_budget && !is_auto)
    throw error(
        fmt::format("a budget is shared by several engines, so engine {} cannot be asked for; give it a time limit, or "
                    "leave it out",
                    how.engine));
  if (has_budget && how.only_estimate) throw error("an estimate takes two seconds, and no budget");
  if (has_budget && how.time_limit != 0) throw error("a budget is a time limit; give one of the two");
  if (how.bug_depth != 0 && !has_budget && (is_auto || !engine_named(how.engine).takes_bug_depth))
    throw error(fmt::format("engine {} has no use for a bug depth; engine pct has", how.engine));
  if (how.delays && !has_budget && (is_auto || !engine_named(how.engine).takes_delays))
    throw error(fmt::format("engine {} has no use for a limit of delays; engine delay has", how.engine));
  const auto orderings = ordering_names();
  if (std::find(orderings.begin(), orderings.end(), how.ordering) == orderings.end())
    throw error(fmt::format("unknown ordering '{}'; there are {}", how.ordering, fmt::join(orderings, ", ")));
  if (how.max_depth == 0) throw error("executions need a depth limit of at least 1 delivery");
  if (is_auto || engine_named(how.engine).compares_states) {
    const bool compares = !is_auto || asks_for_states(how);
    if (const auto why_not = objection(states_asked_for(how), how.delivery); compares && !why_not.empty())
      throw error(why_not);
  } else if (asks_for_states(how)) {
    throw error(fmt::format("engine {} does not look at states; engine stateful does", how.engine));
  }
  if (is_auto) {
    if (how.sleep_sets.value_or(false))
      throw error("engine auto has no use for sleep sets; name the engine that is to have them");
    if (how.judge != nullptr && asks_for_states(how))
      throw error(
          "properties are judged along executions, so states cannot be compared; engine optimal can judge them");
    return;
  }
  const auto& engine = engine_named(how.engine);
  if (how.sleep_sets.value_or(false) && !engine.takes_sleep_sets)
    throw error(fmt::format("engine {} has no use for sleep sets; do without them", how.engine));
  if (how.delivery == delivery::mailbox && !engine.takes_mailbox)
    throw error(fmt::format("engine {} cannot search under delivery model mailbox; engine optimal can", how.engine));
  if (how.judge != nullptr && engine.judges == judged::nothing)
    throw error(
        fmt::format("engine {} looks at a configuration once, whatever led to it, so it cannot judge properties "
                    "of executions; engine exhaustive can",
                    how.engine));
}

namespace {

constexpr double part_for_trials = 0.25;  // of a budget

/// What searches systematically within a budget.
engine_choice pick_for_budget(const program& tested, options how, limits::clock::time_point started) {
  how.time_limit = how.budget * part_for_trials;
  how.budget = 0;
  how.keep_going = true;  // samples are taken later
  how.on_progress = nullptr;
  how.on_finding = nullptr;
  return pick_engine(tested, how, started);
}

/// Of the machine, in MiB.
std::uint64_t physical_memory() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

}  // namespace

exploration explore(const program& program, const options& asked) {
  validate(asked);
  auto how = asked;
  how.finally = both(program.finally, asked.finally);
  const auto started = limits::clock::now();
  engine_choice choice{how.engine, {}};
  if (how.only_estimate) {
    choice.found = look_ahead(program, how, started);
    choice.engine = choice.found->engine;
  } else if (how.budget > 0) {
    choice = pick_for_budget(program, how, started);
  } else if (how.engine == "auto") {
    choice = pick_engine(program, how, started);
  }
  // Nobody asked for an engine whose memory grows.
  if (choice.engine != how.engine && choice.engine == "stateful" && how.max_memory == 0)
    how.max_memory = physical_memory() / 2;
  how.engine = choice.engine;
  auto result = choice.found ? std::move(*choice.found) : session(program, how, started).run();
  if (how.budget > 0) result.engine = portfolio_engine.name;
  if (!choice.reason.empty()) result.notes.insert(result.notes.begin(), choice.reason);
  for (auto& remark : remarks_on(result, program, how)) result.notes.push_back(std::move(remark));
  result.advice = advise(result, program, how);
  if (how.noted != nullptr) how.noted->search_is_over = true;
  return result;
}

}  // namespace harrier
