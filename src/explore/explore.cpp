#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/engine/pct.hpp>
#include <harrier/explore/explore.hpp>

#include "advise.hpp"
#include "by_stages.hpp"
#include "checkpoint.hpp"
#include "engines.hpp"
#include "look_ahead.hpp"
#include "pick_engine.hpp"
#include "remarks.hpp"
#include "search_states.hpp"
#include "session.hpp"
#include "shared_data.hpp"
#include "start.hpp"
#include "unseen_influence.hpp"
#include "weigh_observers.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t most_workers = 1024;

/// Whether the search is shared by several workers, or written down.
bool is_shared(const options& how) {
  return workers_asked_for(how) != 1 || !how.checkpoint.empty() || !how.resume.empty();
}

/// @throws error if a search that is shared cannot be.
void validate_sharing(const options& how) {
  if (!is_shared(how)) return;
  const bool by_several = workers_asked_for(how) != 1;
  const auto* const what = by_several ? "shared by several jobs" : "written to a checkpoint";
  if (how.budget != 0)
    throw error(
        fmt::format("a budget is shared by several engines, one after the other, and cannot be {}; name an "
                    "engine and a time limit",
                    what));
  if (how.only_estimate) throw error(fmt::format("an estimate takes two seconds, and cannot be {}", what));
  if (how.engine != "auto" && !can_share(engine_named(how.engine), by_several))
    throw error(fmt::format("engine {} cannot be {}; engines {} can", how.engine, what,
                            fmt::join(engines_that_share(by_several), ", ")));
  if (how.judge != nullptr && (!how.checkpoint.empty() || !how.resume.empty()) &&
      (how.judge->criterion().empty() || how.judge->another() == nullptr))
    throw error(
        "what this monitor has seen cannot be written to a checkpoint; let it override criterion() and another(), or "
        "do without one");
  if (!(how.checkpoint_interval > 0)) throw error("a checkpoint is written every so many seconds, more than 0");
  if (workers_asked_for(how) > most_workers)
    throw error(fmt::format("{} jobs are too many; {} is the most", how.jobs, most_workers));
}

}  // namespace

std::uint64_t workers_asked_for(const options& how) {
  return how.jobs != 0 ? how.jobs : std::max(1U, std::thread::hardware_concurrency());
}

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
  validate_sharing(how);
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
  const bool tries_orders = how.independence == independence::semantic && engine.takes_semantic;
  if (how.observers.value_or(false) && !engine.takes_observers && !tries_orders)
    throw error(fmt::format("engine {} does not tell observers apart; engine optimal does", how.engine));
  if (how.independence == independence::fields && !engine.takes_observers)
    throw error(fmt::format("engine {} does not tell fields apart; engine optimal does", how.engine));
  if (how.independence == independence::semantic && !tries_orders)
    throw error(fmt::format("engine {} does not try whether messages commute; engine source does", how.engine));
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

/// Engine auto picked for one worker: what it found out about a small program goes
/// into a checkpoint too, and what others cannot take part in is said.
void share_as_picked(const program& tested, const options& how, engine_choice& choice) {
  if (!how.checkpoint.empty()) choice.found.reset();
  const bool by_several = workers_asked_for(how) != 1;
  if (!choice.found && !can_share(engine_named(choice.engine), by_several))
    throw error(fmt::format("{}; that engine cannot be {}: engines {} can", choice.reason,
                            by_several ? "shared by several jobs" : "written to a checkpoint",
                            fmt::join(engines_that_share(by_several), ", ")));
  if (has_stages(tested, how))
    throw error(
        "a program that goes on by itself once nothing can be delivered (by timers, or a main function that waits) is "
        "searched by one worker, and is not written down: leave out --jobs, --checkpoint and --resume");
  if (!choice.found && engine_named(choice.engine).compares_states)
    if (const auto why_not = objection_to_sharing(states_asked_for(how)); !why_not.empty()) throw error(why_not);
  if (workers_asked_for(how) == 1 || choice.found) return;
  if (const auto shared = data_shared_by_executions(tested, how); !shared.empty())
    throw untestable_program(
        fmt::format("its executions cannot be run at the same time: {}, which they all have in common. Make it part of "
                    "an actor's state, or search with one job (--jobs 1)",
                    shared));
}

void search_alone(options& how) {
  how.jobs = 1;
  how.checkpoint.clear();
  how.resume.clear();
}

/// Why a search that is to be shared is not, and then it is to be alone; empty: it is to be as it was asked for.
std::string reason_to_be_alone(const program& tested, options& how) {
  if (!is_shared(how) || !how.alone_if_need_be) return {};
  std::string reason;
  try {
    validate_sharing(how);
  } catch (const error& e) {
    reason = e.what();
  }
  if (reason.empty() && has_stages(tested, how))
    reason = "it goes on by itself once nothing can be delivered (its body waits for that, say)";
  if (reason.empty()) return {};
  search_alone(how);
  return reason;
}

/// The same once the engine is picked.
std::string share_or_be_alone(const program& tested, options& how, engine_choice& choice) {
  const auto asked = choice;
  try {
    share_as_picked(tested, how, choice);
    return {};
  } catch (const error& e) {
    if (!how.alone_if_need_be) throw;
    choice = asked;
    search_alone(how);
    return e.what();
  }
}

/// A search that found nothing relies on handlers that share nothing but messages.
void look_for_unseen_influence(const program& tested, const options& how, const global_variables& before,
                               exploration& result) {
  if (!result.findings.empty() || how.only_estimate || how.check_determinism == repetition::off) return;
  if (result.actors < 2 || (how.should_stop && how.should_stop())) return;
  auto found = unseen_influence(tested, how, before, result);
  if (!found) return;
  result.exhausted = false;
  result.stopped_by = "a handler that is not deterministic";
  result.findings.push_back(std::move(*found));
  if (how.on_finding) how.on_finding(result.findings.back());
}

/// Before the search, so that it is the same whoever searches: by several jobs, in parts, with trials before it.
std::optional<weighed_observers> weigh_if_not_asked(const program& tested, options& how) {
  try {
    const auto seen = weigh_observers(tested, how);
    if (seen && !seen->pay()) how.observers = false;
    return seen;
  } catch (const error&) {  // that the program cannot be tested, say: it may not show a second time
    throw;
  } catch (...) {  // the search will tell of it
    return std::nullopt;
  }
}

/// Whether the engine takes one order for another where only messages say so.
bool looks_at_messages_alone(const std::string& engine) {
  static const std::set<std::string, std::less<>> run_all_orders = {"exhaustive", "random", "pct",
                                                                    "pos",        "delay",  "round-robin"};
  return !run_all_orders.contains(engine);
}

/// What no execution of the search was like, though the program could be.
void tell_what_is_not_covered(exploration& result, const seen_of_program& seen) {
  auto left_out = seen.left_out();
  const bool sees_memory = !result.observers && result.independence == "receiver";
  if (seen.shares_memory() && looks_at_messages_alone(result.engine) && !sees_memory)
    left_out.emplace_back("orders in which actors use memory that they share (engine optimal as it is sees them)");
  if (left_out.empty() || !result.exhausted) return;
  result.exhausted = false;
  result.estimate.reset();
  result.stopped_by = fmt::format("{}{}", not_covered, fmt::join(left_out, "; "));
}

exploration explore_once(const program& program, const options& asked) {
  const global_variables before;
  auto how = as_usual_for(program, asked);
  auto alone_because = reason_to_be_alone(program, how);
  validate(how);
  how.finally = both(program.finally, asked.finally);
  const auto started = limits::clock::now();
  const auto observers = weigh_if_not_asked(program, how);
  engine_choice choice{how.engine, {}};
  if (how.only_estimate) {
    choice.found = look_ahead(program, how, started);
    choice.engine = choice.found->engine;
  } else if (how.budget > 0) {
    choice = pick_for_budget(program, how, started);
  } else if (how.engine == "auto" && !how.resume.empty()) {
    choice.engine = engine_of_checkpoint(how.resume);
  } else if (how.engine == "auto") {
    choice = pick_engine(program, how, started);
  }
  if (is_shared(how)) alone_because = share_or_be_alone(program, how, choice);
  // Nobody asked for an engine whose memory grows.
  if (choice.engine != how.engine && choice.engine == "stateful" && how.max_memory == 0)
    how.max_memory = physical_memory() / 2;
  how.engine = choice.engine;
  auto result = choice.found ? std::move(*choice.found) : session(program, how, started).run();
  look_for_unseen_influence(program, how, before, result);
  if (how.budget > 0) result.engine = portfolio_engine.name;
  if (!alone_because.empty()) result.notes.push_back("searched by one worker, from its beginning: " + alone_because);
  if (observers && engine_named(how.engine).takes_observers) tell(*observers, result);
  if (!choice.reason.empty()) result.notes.insert(result.notes.begin(), choice.reason);
  const bool is_refused = !how.only_estimate && refuse_if_nothing_was_judged(result, program, how);
  for (auto& remark : remarks_on(result, program, how)) result.notes.push_back(std::move(remark));
  if (!is_refused) result.advice = advise(result, program, how);
  if (how.noted.record != nullptr) how.noted.record->search_is_over = true;
  if (program.seen != nullptr) tell_what_is_not_covered(result, *program.seen);
  return result;
}

}  // namespace

exploration explore(const program& program, const options& asked) {
  while (program.seen != nullptr) {
    const auto known = program.seen->facts();
    auto how = asked;
    how.should_stop = [&] { return program.seen->facts() != known || (asked.should_stop && asked.should_stop()); };
    auto result = explore_once(program, how);
    const bool is_enough = program.seen->facts() == known || (!result.findings.empty() && !asked.keep_going);
    if (is_enough || (asked.should_stop && asked.should_stop())) return result;
  }
  return explore_once(program, asked);
}

}  // namespace harrier
