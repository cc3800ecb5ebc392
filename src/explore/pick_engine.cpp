#include "pick_engine.hpp"

#include <fmt/format.h>

#include <limits>
#include <memory>

#include <harrier/engine/optimal.hpp>
#include <harrier/engine/stateful.hpp>

#include "limits.hpp"
#include "start.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t trial_executions = 5'000;
constexpr std::uint64_t trial_states = 50'000;
constexpr std::uint64_t trial_deliveries = 500'000;
/// From so many merges on, states that were reached before cut more than independence leaves over: each cuts a whole
/// subtree.
constexpr double many_merges = 0.05;

/// Counts executions, and stops after some, after so many deliveries that some should have ended, at a finding, or at
/// one of the user's limits.
class trial final : public observer {
public:
  trial(limits& shared, std::uint64_t most) : limits_(shared), most_(most) {}

  void step_flagged(system&) override { stopping_ = found_ = true; }
  void poll(system& s) override {
    limits_.poll({.executions = executions_,
                  .transitions = s.watch().deliveries(),
                  .depth = s.depth(),
                  .findings = 0,
                  .seconds = 0},
                 told_);
    stopping_ = stopping_ || limits_.stopped() || s.watch().deliveries() >= trial_deliveries;
  }
  void execution_ended(system& s) override {
    if (s.truncated()) ++cut_;
    stopping_ = ++executions_ >= most_ || stopping_;
  }
  void execution_blocked(system&) override {}

  [[nodiscard]] bool found() const { return found_; }
  /// That came to an end, and that --max-depth cut.
  [[nodiscard]] std::uint64_t ended() const { return executions_ - cut_; }
  [[nodiscard]] std::uint64_t cut() const { return cut_; }

private:
  limits& limits_;
  std::uint64_t most_;
  std::uint64_t executions_ = 0;
  std::uint64_t cut_ = 0;
  bool found_ = false;
  progress told_;
};

system_handle start(const program& tested, const options& how, trial& watcher) {
  auto s = start_as_asked(tested, how, true);
  s->watch().observe(&watcher);
  return s;
}

/// The trials end before they say anything.
engine_choice cut_short(const limits& by) {
  return {"optimal", fmt::format("engine auto took optimal: {} ended its trials before they could tell", by.why())};
}

engine_choice pick_by_trials(const program& tested, const options& how) {
  limits shared(how, 0);
  trial first(shared, trial_executions);
  {
    const auto reduced = start(tested, how, first);
    search_context reducing{*reduced, first};
    if (explore_optimal(reducing, {.ordering = how.ordering}) && first.cut() == 0)
      return {"optimal", fmt::format("engine auto picked optimal: {} executions are all there is", first.ended())};
  }
  if (first.found())
    return {"optimal", fmt::format("engine auto picked optimal: its execution {} has a finding", first.ended() + 1)};
  if (shared.stopped()) return cut_short(shared);

  trial second(shared, std::numeric_limits<std::uint64_t>::max());
  const auto compared = start(tested, how, second);
  stateful_report report;
  stateful_options states;
  states.max_states = trial_states;
  states.sleep_sets = may_sleep(states, how.delivery);
  search_context comparing{*compared, second};
  const bool all = explore_stateful(comparing, states, report) && second.cut() == 0;
  const auto deliveries = compared->watch().deliveries();
  const auto executions = first.ended() == 0 ? std::string("executions that are long or never end")
                                             : fmt::format("more than {} executions", first.ended());
  if (all)
    return {"stateful",
            fmt::format("engine auto picked stateful: there are {} states, and {}", report.states, executions)};
  if (shared.stopped()) return cut_short(shared);
  const auto merges = static_cast<double>(report.revisits) / static_cast<double>(deliveries);
  const auto share = fmt::format("of {} deliveries to the first {} states {:.1f} % led to a state reached before",
                                 deliveries, report.states, 100 * merges);
  if (merges >= many_merges) return {"stateful", "engine auto picked stateful: " + share};
  return {"optimal", fmt::format("engine auto picked optimal: {}, so remembering states saves little", share)};
}

}  // namespace

engine_choice pick_engine(const program& tested, const options& how) {
  try {
    return pick_by_trials(tested, how);
  } catch (const system::nondeterminism&) {  // which optimal will tell of
    return {"optimal", "engine auto picked optimal: a handler does not repeat itself, so nothing can be compared"};
  }
}

}  // namespace harrier
