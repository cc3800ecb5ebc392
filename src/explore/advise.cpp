#include "advise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include <harrier/engine/optimal.hpp>
#include <harrier/engine/random_walk.hpp>
#include <harrier/engine/stateful.hpp>

#include "by_stages.hpp"
#include "engines.hpp"
#include "limits.hpp"
#include "search_states.hpp"
#include "trial.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t walks = 2'000;
constexpr std::uint64_t depth_of_a_walk = 1'000;
constexpr std::uint64_t states_in_a_trial = 100'000;
constexpr std::uint64_t executions_in_a_trial = 20'000;
constexpr double many_merges = 0.05;
constexpr double nearly_all = 0.5;

/// One way of looking at the program, for a share of the time.
class attempt {
public:
  attempt(const program& tested, options how, double seconds, trial::bounds most, bool counts_takers = false)
      : how_(in_time(std::move(how), seconds)),
        limits_(how_, 0),
        watcher(how_, limits_, most, counts_takers),
        system_(start_trial(tested, how_, watcher)),
        search{*system_, watcher} {}

private:
  static options in_time(options how, double seconds) {
    how.time_limit = seconds;
    how.on_progress = nullptr;
    return how;
  }

  options how_;
  limits limits_;

public:
  trial watcher;

private:
  system_handle system_;

public:
  search_context search;
  [[nodiscard]] std::uint64_t deliveries() const { return system_->watch().deliveries(); }
};

/// Bugs that random executions find, and executions that do not end.
void look_at_walks(const program& tested, options how, double seconds, std::vector<advice>& list) {
  const auto limit = std::min(how.max_depth, depth_of_a_walk);
  how.max_depth = limit;
  attempt walk(tested, how, seconds, {.executions = walks}, true);
  explore_random(walk.search, {.seed = how.seed});
  const auto& seen = walk.watcher;
  const auto all = seen.ended() + seen.cut();
  if (seen.found())
    list.push_back({"engine", "random", fmt::format("its execution {} has a finding (seed {})", all, how.seed)});
  if (seen.cut() > seen.ended() && how.engine != "stateful")
    list.push_back({"engine", "stateful",
                    fmt::format("{} of {} random executions went on after {} deliveries; stateful looks at each state "
                                "once, however long executions are",
                                seen.cut(), all, limit)});
  if (seen.share() >= nearly_all && how.delivery == delivery::unordered && all > 0)
    list.push_back({"delivery", "fifo",
                    fmt::format("{} takes {:.0f} % of the messages, and each order of them is another execution; if "
                                "your transport keeps the order of what one actor sends to another, most cannot happen",
                                seen.busiest(), 100 * seen.share())});
}

void look_at_states(const program& tested, const options& how, double seconds, std::vector<advice>& list) {
  stateful_options few;
  few.max_states = states_in_a_trial;
  few.sleep_sets = may_sleep(few, how.delivery);
  if (!objection(few, how.delivery).empty() || how.judge != nullptr) return;
  attempt states(tested, how, seconds, {});
  few.gone_actors = are_gone_actors_seen(states.search.tested, how);
  stateful_report report;
  const bool all = explore_stateful(states.search, few, report) && states.watcher.cut() == 0;
  const auto merges = static_cast<double>(report.revisits) / std::max(1.0, static_cast<double>(states.deliveries()));
  const auto is_there = std::any_of(list.begin(), list.end(), [](const advice& a) { return a.value == "stateful"; });
  if (states.watcher.found())
    list.insert(list.begin(), {"engine", "stateful", fmt::format("it has a finding within {} states", report.states)});
  else if (all)
    list.insert(list.begin(), {"engine", "stateful", fmt::format("{} states are all there is", report.states)});
  else if (merges >= many_merges && !is_there)
    list.push_back({"engine", "stateful",
                    fmt::format("of {} deliveries to the first {} states {:.0f} % led to a state reached before",
                                states.deliveries(), report.states, 100 * merges)});
}

/// Whether a stricter transport makes it small.
void look_at_fifo(const program& tested, options how, double seconds, std::vector<advice>& list) {
  if (how.delivery != delivery::unordered) return;
  how.delivery = delivery::fifo;
  attempt ordered(tested, how, seconds, {.executions = executions_in_a_trial});
  if (!explore_optimal(ordered.search, {.ordering = how.ordering}) || ordered.watcher.cut() > 0) return;
  std::erase_if(list, [](const advice& a) { return a.option == "delivery"; });
  list.push_back({"delivery", "fifo",
                  fmt::format("{} executions are all there is, if your transport keeps the order of what one actor "
                              "sends to another",
                              ordered.watcher.ended())});
}

}  // namespace

std::vector<advice> advise(const exploration& result, const program& tested, const options& how) {
  std::vector<advice> list;
  const bool searches_all = how.budget == 0 && engine_named(how.engine).searches_all;
  const bool is_wanted = !how.should_stop || !how.should_stop();  // who interrupts waits for the end
  if (result.exhausted || !result.findings.empty() || !searches_all || !is_wanted) return list;
  const auto seconds = std::min(result.seconds / 10, 1.0) / 3;
  try {
    look_at_walks(tested, how, seconds, list);
    if (has_stages(tested, how)) return list;
    if (how.engine != "stateful") look_at_states(tested, how, seconds, list);
    look_at_fifo(tested, how, seconds, list);
  } catch (...) {  // what goes wrong here is none of the exploration's findings
    return list;
  }
  if (list.empty())
    list.push_back({"engine", "random",
                    "nothing that was tried for a moment makes the program small; random looks "
                    "everywhere a little, which finds more bugs in the time there is"});
  return list;
}

}  // namespace harrier
