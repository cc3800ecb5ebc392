#include "pick_engine.hpp"

#include <fmt/format.h>

#include <limits>
#include <memory>

#include <harrier/engine/optimal.hpp>
#include <harrier/engine/stateful.hpp>

namespace harrier {
namespace {

constexpr std::uint64_t trial_executions = 5'000;
constexpr std::uint64_t trial_states = 50'000;
/// From so many merges on, states that were reached before cut more than independence leaves over: each cuts a whole
/// subtree.
constexpr double many_merges = 0.05;

/// Counts executions, and stops after some, at a finding, or after the user's time.
class trial final : public observer {
public:
  explicit trial(std::uint64_t most) : most_(most) {}

  void step_flagged(system&) override { stopping_ = found_ = true; }
  void poll(system&) override {}
  void execution_ended(system&) override { stopping_ = ++executions_ >= most_ || stopping_; }
  void execution_blocked(system&) override {}

  [[nodiscard]] bool found() const { return found_; }
  [[nodiscard]] std::uint64_t executions() const { return executions_; }

private:
  std::uint64_t most_;
  std::uint64_t executions_ = 0;
  bool found_ = false;
};

system_handle start(const program& tested, const options& how, trial& watcher) {
  auto s = tested.start(how.delivery);
  s->limit_depth(how.max_depth);
  s->watch().observe(&watcher);
  return s;
}

}  // namespace

engine_choice pick_engine(const program& tested, const options& how) {
  trial first(trial_executions);
  const auto reduced = start(tested, how, first);
  search_context reducing{*reduced, first};
  if (explore_optimal(reducing, {.ordering = how.ordering}))
    return {"optimal", fmt::format("engine auto picked optimal: {} executions are all there is", first.executions())};
  if (first.found())
    return {"optimal",
            fmt::format("engine auto picked optimal: its execution {} has a finding", first.executions() + 1)};

  trial second(std::numeric_limits<std::uint64_t>::max());
  const auto compared = start(tested, how, second);
  stateful_report report;
  stateful_options states;
  states.max_states = trial_states;
  states.sleep_sets = may_sleep(states, how.delivery);
  search_context comparing{*compared, second};
  const bool all = explore_stateful(comparing, states, report);
  const auto merges = static_cast<double>(report.revisits) / static_cast<double>(compared->watch().deliveries());
  if (all)
    return {"stateful", fmt::format("engine auto picked stateful: there are {} states, and more than {} executions",
                                    report.states, trial_executions)};
  const auto share = fmt::format("of {} deliveries to the first {} states {:.1f} % led to a state reached before",
                                 compared->watch().deliveries(), report.states, 100 * merges);
  if (merges >= many_merges) return {"stateful", "engine auto picked stateful: " + share};
  return {"optimal", fmt::format("engine auto picked optimal: {}, so remembering states saves little", share)};
}

}  // namespace harrier
