#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <harrier/core/delivery.hpp>
#include <harrier/explore/options.hpp>

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
  /// Of manager exploratory: see options::engine.
  std::optional<std::string> engine = std::nullopt;
  std::optional<std::string> ordering = std::nullopt;
  std::optional<bool> sleep_sets = std::nullopt;
  std::optional<memoising> memoise = std::nullopt;  ///< see options::memoise
  std::optional<harrier::delivery> delivery = std::nullopt;
  std::optional<harrier::environment> environment = std::nullopt;
  std::optional<harrier::undelivered> undelivered = std::nullopt;
  /// Report each different failure, not only the first.
  std::optional<bool> keep_going = std::nullopt;
  std::optional<std::uint64_t> max_executions = std::nullopt;
  std::optional<std::uint64_t> max_depth = std::nullopt;
  std::optional<std::uint64_t> max_memory = std::nullopt;  ///< MiB
  std::optional<double> time_limit = std::nullopt;         ///< seconds
  std::optional<double> budget = std::nullopt;             ///< seconds to look for bugs: see options::budget
  std::optional<std::uint64_t> bug_depth = std::nullopt;   ///< of engine pct
  std::optional<std::uint64_t> delays = std::nullopt;      ///< of engine delay
  std::optional<double> handler_limit = std::nullopt;      ///< seconds that one handler may run: 10
  std::optional<std::uint64_t> seed = std::nullopt;
  /// A test that a limit stopped before it was explored completely fails.
  std::optional<bool> require_complete = std::nullopt;
  /// Search in this process, for debuggers and profilers: a crash ends all tests.
  std::optional<bool> in_process = std::nullopt;
};

}  // namespace harrier
