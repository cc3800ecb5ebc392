#include "look_ahead.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <harrier/engine/stochastic_enumeration.hpp>

#include "session.hpp"
#include "trial.hpp"

namespace harrier {
namespace {

constexpr double seconds_of_samples = 1;
constexpr double seconds_of_search = 1;

std::optional<order_count> count_orders(const program& tested, options how) {
  how.limits.time_limit = seconds_of_samples;
  how.limits.max_executions = 0;
  how.told.on_progress = nullptr;
  how.judging.by = nullptr;
  how.judging.check_determinism = repetition::off;
  limits until(how, 0);
  trial watcher(how, until, {.goes_on_after_finding = true});
  const auto sampled = start_trial(tested, how, watcher);
  search_context search{*sampled, watcher};
  const auto seen = enumerate_stochastically(search, {.seed = how.search.seed});
  if (seen.samples == 0) return std::nullopt;
  return order_count{seen.executions, seen.samples};
}

}  // namespace

exploration look_ahead(const program& tested, options how, limits::clock::time_point started) {
  const auto orders = count_orders(tested, how);
  const auto passed = std::chrono::duration<double>(limits::clock::now() - started).count();
  how.limits.time_limit =
      passed + (how.limits.time_limit > 0 ? std::min(how.limits.time_limit, seconds_of_search) : seconds_of_search);
  const bool keeps_all = std::exchange(how.judging.keep_going, true);  // how much there is does not end with a finding
  auto result = session(tested, how, started).run();
  if (!keeps_all && result.findings.size() > 1) result.findings.resize(1);
  result.orders = orders;
  if (result.stopped_by.starts_with("the time limit")) result.stopped_by = "the end of two seconds";
  return result;
}

}  // namespace harrier
