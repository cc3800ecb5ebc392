#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

#include "advise.hpp"
#include "checkpoint.hpp"
#include "earlier_findings.hpp"
#include "engines.hpp"
#include "look_ahead.hpp"
#include "pick_engine.hpp"
#include "remarks.hpp"
#include "search_plan.hpp"
#include "session.hpp"
#include "shared_data.hpp"
#include "start.hpp"
#include "unseen_influence.hpp"
#include "weigh_observers.hpp"

namespace harrier {

std::uint64_t workers_asked_for(const options& how) {
  return how.search.jobs != 0 ? how.search.jobs : std::max(1U, std::thread::hardware_concurrency());
}

void validate(const options& how) { static_cast<void>(require_plan({}, how)); }

namespace {

constexpr double part_for_trials = 0.25;  // of a budget

/// What searches systematically within a budget.
picked_engine pick_for_budget(const program& tested, options how, const search_plan& plan,
                              limits::clock::time_point started) {
  how.limits.time_limit = how.limits.budget * part_for_trials;
  how.limits.budget = 0;
  how.judging.keep_going = true;  // samples are taken later
  how.told.on_progress = nullptr;
  how.told.on_finding = nullptr;
  return pick_engine(tested, how, plan, started);
}

/// Of the machine, in MiB.
std::uint64_t physical_memory() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

void search_alone(options& how) {
  how.search.jobs = 1;
  how.kept.checkpoint.clear();
  how.kept.resume.clear();
}

/// Where a search that is to be shared cannot be, and may then be alone, `how` asks for no more than that, and
/// `alone_because` says why.
/// @throws error  all other objections.
search_plan plan_for(const program_facts& facts, options& how, std::string& alone_because) {
  const auto objections = resolve(facts, how).objections;
  const auto is_of_sharing = [](const objection_to_search& o) { return o.of_sharing; };
  if (how.search.alone_if_need_be && !objections.empty() &&
      std::all_of(objections.begin(), objections.end(), is_of_sharing)) {
    alone_because = objections.front().note;
    search_alone(how);
  }
  return require_plan(facts, how);
}

/// Nothing, if it fails outside its handlers: the search will tell of it.
program_facts facts_if_it_starts(const program& tested, const options& how) {
  try {
    return facts_of(tested, how);
  } catch (const error&) {  // that the program cannot be tested, say: it may not show a second time
    throw;
  } catch (...) {
    return {};
  }
}

/// That the program's executions have something in common shows only when some are run.
/// @throws untestable_program  then several workers cannot search.
void refuse_shared_data(const program& tested, const options& how) {
  if (const auto shared = data_shared_by_executions(tested, how); !shared.empty())
    throw untestable_program(
        fmt::format("its executions cannot be run at the same time: {}, which they all have in common. Make it part of "
                    "an actor's state, or search with one job (--jobs 1)",
                    shared));
}

/// The engine is picked. What auto found out about a small program goes into a checkpoint too.
/// @return why it is searched by one worker after all; empty: it is as it was asked for.
std::string share_as_picked(const program& tested, options& how, picked_engine& choice) {
  if (workers_asked_for(how) != 1 && (!choice.found || !how.kept.checkpoint.empty())) {
    try {
      refuse_shared_data(tested, how);
    } catch (const error& e) {
      if (!how.search.alone_if_need_be) throw;
      search_alone(how);
      return e.what();
    }
  }
  if (!how.kept.checkpoint.empty()) choice.found.reset();
  return {};
}

/// A search that found nothing relies on handlers that share nothing but messages.
void look_for_unseen_influence(const program& tested, const options& how, const global_variables& before,
                               exploration& result) {
  if (!result.findings.empty() || how.search.only_estimate || how.judging.check_determinism == repetition::off) return;
  if (result.actors < 2 || (how.limits.should_stop && how.limits.should_stop())) return;
  auto found = unseen_influence(tested, how, before, result);
  if (!found) return;
  result.exhausted = false;
  result.stopped_by = "a handler that is not deterministic";
  result.findings.push_back(std::move(*found));
  if (how.told.on_finding) how.told.on_finding(result.findings.back());
}

constexpr std::string_view written_to = "written to since the search began: ";

constexpr std::string_view nothing_written =
    "no variable of the executable was written to: a clock, a random number, an address, the order of an unordered "
    "container or a thread may be behind it";

/// A handler that did not repeat itself has most likely seen a variable that was written to: these are named.
void name_what_was_written_to(const global_variables& before, exploration& result) {
  const auto lacks_names = [](const finding& f) {
    return f.kind == finding_kind::nondeterminism &&
           std::none_of(f.details.begin(), f.details.end(), [](const auto& d) { return d.starts_with(written_to); });
  };
  if (std::none_of(result.findings.begin(), result.findings.end(), lacks_names)) return;
  const auto written = before.changed();
  const auto hint =
      written.empty() ? std::string(nothing_written) : fmt::format("{}{}", written_to, fmt::join(written, ", "));
  for (auto& f : result.findings)
    if (lacks_names(f)) f.details.push_back(hint);
}

/// Before the search, so that it is the same whoever searches: by several jobs, in parts, with trials before it.
std::optional<weighed_observers> weigh_if_not_asked(const program& tested, options& how) {
  try {
    const auto seen = weigh_observers(tested, how);
    if (seen && !seen->pay()) how.search.observers = false;
    return seen;
  } catch (const error&) {  // that the program cannot be tested, say: it may not show a second time
    throw;
  } catch (...) {  // the search will tell of it
    return std::nullopt;
  }
}

/// What no execution of the search was like, though the program could be.
void tell_what_is_not_covered(exploration& result, const seen_of_program& seen, const named_engine& engine) {
  auto left_out = seen.left_out();
  const bool sees_memory = !result.observers && result.independence == "receiver";
  if (seen.shares_memory() && engine.judges != judged::every_order && !sees_memory)
    left_out.emplace_back("orders in which actors use memory that they share (engine optimal as it is sees them)");
  if (left_out.empty() || !result.exhausted) return;
  result.exhausted = false;
  result.estimate.reset();
  result.stopped_by = fmt::format("{}{}", not_covered, fmt::join(left_out, "; "));
}

exploration explore_once(const program& program, const options& asked) {
  const global_variables before;
  auto how = as_usual_for(program, asked);
  std::string alone_because;
  plan_for({}, how, alone_because);  // nothing is started for what cannot be had anyway
  const auto plan = plan_for(facts_if_it_starts(program, how), how, alone_because);
  how.judging.finally = both(program.finally, asked.judging.finally);
  const auto started = limits::clock::now();
  const auto observers = weigh_if_not_asked(program, how);
  picked_engine choice{how.search.engine, {}};
  if (how.search.only_estimate) {
    how.search.engine = plan.engine->name;
    choice.found = look_ahead(program, how, started);
    choice.engine = choice.found->engine;
  } else if (how.limits.budget > 0) {
    choice = pick_for_budget(program, how, plan, started);
  } else if (how.search.engine.is_automatic() && !how.kept.resume.empty()) {
    choice.engine = engine_of_checkpoint(how.kept.resume);
  } else if (how.search.engine.is_automatic()) {
    choice = pick_engine(program, how, plan, started);
  }
  if (plan.is_shared && alone_because.empty()) alone_because = share_as_picked(program, how, choice);
  // Nobody asked for an engine whose memory grows.
  if (choice.engine != how.search.engine && engine_named(choice.engine).compares_states && how.limits.max_memory == 0)
    how.limits.max_memory = physical_memory() / 2;
  how.search.engine = choice.engine;
  auto result = choice.found ? std::move(*choice.found) : session(program, how, started).run();
  // A step that is one fault too many ends the execution because of what others met: that is no influence of theirs.
  if (how.search.faults.in_all == 0 && result.faults.in_all == 0)
    look_for_unseen_influence(program, how, before, result);
  name_what_was_written_to(before, result);
  if (how.limits.budget > 0) result.engine = portfolio_engine.name;
  if (result.faults == faults{}) result.faults = how.search.faults;  // nobody began a system, which knows its own
  if (!alone_because.empty()) result.notes.push_back("searched by one worker, from its beginning: " + alone_because);
  if (observers && engine_named(how.search.engine).takes_observers) tell(*observers, result);
  if (!choice.reason.empty()) result.notes.insert(result.notes.begin(), choice.reason);
  const bool is_refused = !how.search.only_estimate && refuse_if_nothing_was_judged(result, program, how);
  for (auto& remark : remarks_on(result, program, how)) result.notes.push_back(std::move(remark));
  if (!is_refused) result.advice = advise(result, program, how);
  search_is_over(how);
  if (program.seen != nullptr) tell_what_is_not_covered(result, *program.seen, engine_named(how.search.engine));
  return result;
}

/// What an earlier search has found, which knew less of the program, if the last one was stopped before it had seen
/// all. That may be what cannot be, or not be repeated, by what is known now.
void keep_findings(exploration& last, std::vector<finding> before, const program& tested, const options& asked) {
  if (before.empty() || last.exhausted || last.stopped_by.starts_with(not_covered)) return;
  for (auto& f : before) {
    const auto is_it = [&](const finding& other) { return other.kind == f.kind && other.message == f.message; };
    if (std::any_of(last.findings.begin(), last.findings.end(), is_it)) continue;
    if (occurs_again(f, tested, asked))
      last.findings.push_back(std::move(f));
    else
      last.notes.push_back(note_of_lost(f));
  }
}

}  // namespace

exploration explore(const harrier::program& tested, const options& asked) {
  const auto program = with_faults(tested, asked.search.faults);
  std::vector<finding> before;
  while (program.seen != nullptr) {
    const auto known = program.seen->facts();
    auto how = asked;
    if (asked.told.on_finding)
      how.told.on_finding = [&](const finding& f) {
        if (program.seen->facts() == known) asked.told.on_finding(f);
      };
    how.limits.should_stop = [&] {
      return program.seen->facts() != known || (asked.limits.should_stop && asked.limits.should_stop());
    };
    auto result = explore_once(program, how);
    const bool is_last = program.seen->facts() == known || (asked.limits.should_stop && asked.limits.should_stop());
    if (is_last) {
      keep_findings(result, std::move(before), program, asked);
      return result;
    }
    if (!result.findings.empty()) before = std::move(result.findings);
  }
  return explore_once(program, asked);
}

}  // namespace harrier
