#include "pick_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/engine/optimal.hpp>
#include <harrier/engine/stateful.hpp>

#include "../core/dependence/wrong_declaration.hpp"
#include "engines.hpp"
#include "observers.hpp"
#include "search_states.hpp"
#include "session.hpp"
#include "trial.hpp"

namespace harrier {
namespace {

std::string counted(std::uint64_t executions) {
  return fmt::format("{} execution{}", executions, executions == 1 ? "" : "s");
}

constexpr std::uint64_t trial_executions = 5'000;
constexpr std::uint64_t sampled_executions = 500;
constexpr std::uint64_t sampled_depth = 500;
constexpr std::uint64_t trial_states = 50'000;
constexpr std::uint64_t trial_deliveries = 500'000;
/// From so many merges on, states that were reached before cut more than independence leaves over: each cuts a whole
/// subtree.
constexpr double many_merges = 0.05;

/// Trust, which tells fewer executions apart where messages have to arrive, takes more time the longer one is.
constexpr std::size_t longest_by_histories = 1'000;

/// The trials end before they say anything.
picked_engine cut_short(const limits& by) {
  return {"optimal", fmt::format("engine auto took optimal: {} ended its trials before they could tell", by.why())};
}

/// What a sample of random executions finds, where a search in order is far from
/// its end: bugs that lie deep in its tree are often close to the surface elsewhere.
std::optional<exploration> sample(const program& tested, const options& how, limits::clock::time_point started) {
  auto random = how;
  random.search.engine = "random";
  random.limits.max_executions = sampled_executions;
  random.limits.max_depth = std::min(how.limits.max_depth, sampled_depth);
  auto sampled = session(tested, random, started).run();
  if (sampled.findings.empty()) return std::nullopt;
  return sampled;
}

/// What runs systematically: optimal, or where that is less and takes no longer, trust by histories.
std::string_view systematic_engine(const program& tested, const options& how, const trial& of_optimal) {
  const bool is_long = of_optimal.ended() == 0 || of_optimal.cut() > 0 || of_optimal.longest() > longest_by_histories;
  return !is_long && can_run_histories(tested, how) ? "trust" : "optimal";
}

/// Whether a trial of trust says which engine it is to be.
std::optional<picked_engine> try_histories(const program& tested, const options& how, limits& shared) {
  trial histories(how, shared, {.executions = trial_executions, .deliveries = trial_deliveries});
  const auto started = start_trial(tested, how, histories);
  search_context searching{*started, histories};
  const auto by_histories = engine_named("trust").search({.tested = tested, .initial = *started, .how = how});
  const bool all = explore_alone(searching, by_histories) && histories.cut() == 0;
  if (all)
    return picked_engine{"trust",
                         fmt::format("engine auto picked trust: actors take what arrives in {} way{}, whatever "
                                     "the order in which it does",
                                     histories.ended(), histories.ended() == 1 ? "" : "s")};
  if (histories.found()) return picked_engine{"trust", {}};  // the finding says more
  if (shared.stopped()) return cut_short(shared);
  return std::nullopt;
}

picked_engine pick_by_trials(const program& tested, const options& how, limits::clock::time_point started) {
  limits shared(how, 0, started);
  trial first(how, shared, {.executions = trial_executions, .deliveries = trial_deliveries});
  std::string_view systematic;  // the trial says which
  bool depends_on_path = false;
  {
    const auto reduced = start_trial(tested, how, first);
    search_context reducing{*reduced, first};
    const bool is_all =
        explore_alone(reducing, share_optimal(options_of_optimal(*reduced, how), made_by::one)) && first.cut() == 0;
    depends_on_path = reduced->depends_on_path();
    systematic = is_all && first.ended() < 2 ? "optimal" : systematic_engine(tested, how, first);
    if (is_all && systematic == "optimal")
      return {"optimal", fmt::format("engine auto picked optimal: {} {} all there is", counted(first.ended()),
                                     first.ended() == 1 ? "is" : "are")};
  }
  if (first.found()) return {"optimal", {}};  // the finding says more
  if (shared.stopped()) return cut_short(shared);
  if (systematic == "trust")
    if (auto choice = try_histories(tested, how, shared)) return *choice;

  if (!how.judging.keep_going)
    if (auto found = sample(tested, how, started)) {
      auto reason = fmt::format("engine auto sampled: execution {} of those of engine random has a finding",
                                found->executions + found->truncated);
      return {"random", std::move(reason), std::move(found)};
    }

  if (depends_on_path)
    return {systematic,
            fmt::format("engine auto picked {}: what can happen depends on more than the state", systematic)};
  const auto states = states_asked_for(how);
  if (!objection(states, how.search.delivery).empty())
    return {systematic,
            fmt::format("engine auto picked {}: states cannot be compared under this delivery model", systematic)};
  trial second(how, shared, {.deliveries = trial_deliveries});
  const auto compared = start_trial(tested, how, second);
  auto few = states;
  few.max_states = trial_states;
  search_context comparing{*compared, second};
  const auto by_states = share_stateful(few, made_by::one);
  const bool all = explore_alone(comparing, *by_states) && second.cut() == 0;
  const auto report = by_states->report();
  const auto deliveries = compared->watch().deliveries();
  const auto executions =
      first.ended() == 0 ? std::string("executions that are long or never end") : "more than " + counted(first.ended());
  if (all)
    return {"stateful",
            fmt::format("engine auto picked stateful: there are {} states, and {}", report.states, executions)};
  if (shared.stopped()) return cut_short(shared);
  const auto merges = static_cast<double>(report.revisits) / static_cast<double>(deliveries);
  const auto share = fmt::format("of {} deliveries to the first {} states {:.1f} % led to a state reached before",
                                 deliveries, report.states, 100 * merges);
  if (merges >= many_merges) return {"stateful", "engine auto picked stateful: " + share};
  return {systematic, fmt::format("engine auto picked {}: {}, so remembering states saves little", systematic, share)};
}

}  // namespace

picked_engine pick_engine(const program& tested, const options& how, const search_plan& plan,
                          limits::clock::time_point started) {
  if (plan.engine != nullptr) return {plan.engine->name, plan.because};
  try {
    return pick_by_trials(tested, how, started);
  } catch (const too_long_for_observers&) {
    return pick_engine(tested, without_observers(how), plan, started);
  } catch (const system::nondeterminism&) {  // which optimal will tell of
    return {"optimal", "engine auto picked optimal: a handler does not repeat itself, so nothing can be compared"};
  } catch (const wrong_declaration&) {  // likewise
    return {"optimal", "engine auto picked optimal: a handler is not what it is declared to be"};
  } catch (const error&) {
    throw;
  } catch (const listener_threw& told) {
    std::rethrow_exception(told.what);
  } catch (...) {  // likewise
    return {"optimal", "engine auto picked optimal: the program fails outside its handlers"};
  }
}

}  // namespace harrier
