#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <harrier/core/delivery.hpp>
#include <harrier/explore/options.hpp>
#include <harrier/report/text.hpp>

namespace harrier {

/// Who decides what is delivered next in an ETEST.
enum class test_manager : std::uint8_t {
  deterministic,  ///< one execution: the oldest message of each actor in turn
  random,         ///< some executions, each delivery drawn: 100, or max_executions
  exploratory,    ///< all that can matter, by an engine
};

/// How an ETEST is run. What is not said here is looked for on the command line
/// (`--harrier_engine=optimal`), then in the environment (`HARRIER_ENGINE`), then
/// it is as in harrier::options:
///
///     ETEST(Bank, KeepsItsMoney, .delivery = harrier::delivery::fifo, .max_executions = 1000) { ... }
struct test_options {
  std::optional<test_manager> manager = std::nullopt;  ///< exploratory
  /// Of manager exploratory: see search_options::engine.
  std::optional<std::string> engine = std::nullopt;
  std::optional<std::string> ordering = std::nullopt;
  std::optional<bool> sleep_sets = std::nullopt;
  std::optional<memoising> memoise = std::nullopt;  ///< see search_options::memoise
  std::optional<harrier::delivery> delivery = std::nullopt;
  /// Of each channel, how many messages may be lost, and how many may arrive twice: see faults. What the body sends
  /// always arrives.
  std::optional<std::uint64_t> lose = std::nullopt;
  std::optional<std::uint64_t> duplicate = std::nullopt;
  /// Of each channel, how often it may be cut; of each actor, how often it may crash; how many faults there may be in
  /// one execution (0: as many as the others allow); and of each actor, how many timers may fire: see faults.
  std::optional<std::uint64_t> partition = std::nullopt;
  std::optional<std::uint64_t> crash = std::nullopt;
  std::optional<std::uint64_t> faults = std::nullopt;
  std::optional<std::uint64_t> timeouts = std::nullopt;
  std::optional<harrier::environment> environment = std::nullopt;
  std::optional<harrier::undelivered> undelivered = std::nullopt;
  /// Report each different failure, not only the first.
  std::optional<bool> keep_going = std::nullopt;
  std::optional<std::uint64_t> max_executions = std::nullopt;
  std::optional<std::uint64_t> max_depth = std::nullopt;
  std::optional<std::uint64_t> max_memory = std::nullopt;  ///< MiB
  std::optional<double> time_limit = std::nullopt;         ///< seconds
  std::optional<double> budget = std::nullopt;             ///< seconds to look for bugs: see limit_options::budget
  std::optional<std::uint64_t> bug_depth = std::nullopt;   ///< of engine pct
  std::optional<std::uint64_t> delays = std::nullopt;      ///< of engine delay
  std::optional<double> handler_limit = std::nullopt;      ///< seconds that one handler may run: 10
  std::optional<std::uint64_t> seed = std::nullopt;
  /// A test that a limit stopped before it was explored completely fails.
  std::optional<bool> require_complete = std::nullopt;
  /// What never happened in any execution (a fault that was allowed, a timer, a restart, a point that was announced)
  /// fails the test: see exploration::points.
  std::optional<bool> require_covered = std::nullopt;
  /// After the last fault all must come to rest: see faults::heal.
  std::optional<bool> heal = std::nullopt;
  /// Search in this process, for debuggers and profilers: a crash ends all tests.
  std::optional<bool> in_process = std::nullopt;
  std::optional<bool> observers = std::nullopt;                      ///< see search_options::observers
  std::optional<harrier::independence> independence = std::nullopt;  ///< see search_options::independence
  std::optional<double> minimise = std::nullopt;                     ///< seconds; see judging_options::minimise
  std::optional<repetition> check_determinism = std::nullopt;        ///< whether deliveries are run twice
  std::optional<bool> check_undo = std::nullopt;                     ///< see judging_options::check_undo
  /// How many threads search; 0: as many as there are cores. A test whose executions share data is searched by one: a
  /// note says so.
  std::optional<std::uint64_t> jobs = std::nullopt;
  /// A folder to which searches are written now and then and when they end, each to a file Suite.Name.checkpoint.
  std::optional<std::string> checkpoint = std::nullopt;
  std::optional<double> checkpoint_every = std::nullopt;  ///< seconds: 30
  /// Such a folder, to go on from what is there, and to write to.
  std::optional<std::string> resume = std::nullopt;
  /// Of engine stateful: see options.
  std::optional<search_order> search = std::nullopt;
  std::optional<harrier::state_comparison> state_comparison = std::nullopt;
  std::optional<step_size> steps = std::nullopt;
  std::optional<visited_states> visited = std::nullopt;
  std::vector<std::string> interchangeable = {};
  /// Temporal formulas that each execution must satisfy (docs/properties.md), or files of one. Of a test whose body
  /// waits, engine exhaustive alone can judge them.
  std::vector<std::string> properties = {};
  /// How formulas read the end of an execution: finite (the default) or stutter.
  std::optional<std::string> ends = std::nullopt;
  /// Of an actor's state, what a failure shows.
  std::optional<shown_states> states = std::nullopt;
  /// What has no attribute, or all of it, as flags have it: `.flags = {"timers=earliest-first"}`. An attribute takes
  /// precedence over a flag here.
  std::vector<std::string> flags = {};
};

/// What an ETEST says of its search, in the words of a search. A new option of both is a line here.
inline void put_into(options& how, const test_options& test) {
  const auto set = [](auto& option, const auto& attribute) {
    if (attribute) option = *attribute;
  };
  set(how.search.engine, test.engine);
  set(how.search.ordering, test.ordering);
  set(how.search.sleep_sets, test.sleep_sets);
  set(how.search.memoise, test.memoise);
  set(how.search.delivery, test.delivery);
  set(how.search.faults.lose, test.lose);
  set(how.search.faults.duplicate, test.duplicate);
  set(how.search.faults.partition, test.partition);
  set(how.search.faults.crash, test.crash);
  set(how.search.faults.in_all, test.faults);
  set(how.search.faults.timeouts, test.timeouts);
  if (test.heal) how.search.faults.heal = *test.heal ? deliveries_to_heal : 0;
  set(how.judging.environment, test.environment);
  set(how.judging.undelivered, test.undelivered);
  set(how.judging.keep_going, test.keep_going);
  set(how.limits.max_executions, test.max_executions);
  set(how.limits.max_depth, test.max_depth);
  set(how.limits.max_memory, test.max_memory);
  set(how.limits.time_limit, test.time_limit);
  set(how.limits.budget, test.budget);
  set(how.search.bug_depth, test.bug_depth);
  set(how.search.delays, test.delays);
  set(how.search.seed, test.seed);
  set(how.search.observers, test.observers);
  set(how.search.independence, test.independence);
  set(how.judging.minimise, test.minimise);
  set(how.judging.check_determinism, test.check_determinism);
  set(how.judging.check_undo, test.check_undo);
  set(how.search.jobs, test.jobs);
  set(how.kept.checkpoint_interval, test.checkpoint_every);
  set(how.states.order, test.search);
  set(how.states.comparison, test.state_comparison);
  set(how.states.steps, test.steps);
  set(how.states.visited, test.visited);
  how.states.interchangeable.insert(how.states.interchangeable.end(), test.interchangeable.begin(),
                                    test.interchangeable.end());
}

}  // namespace harrier
