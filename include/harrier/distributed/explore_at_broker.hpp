#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include <harrier/core/exploration.hpp>
#include <harrier/core/program.hpp>
#include <harrier/distributed/broker.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// A run whose work is done by others (work_for_broker), who get it from a broker.
struct broker_run {
  broker_address at = {};
  /// How it is called there. One of that name that was not ended, since this
  /// process died, is resumed. Empty: a new one.
  std::string name = {};
  /// What the workers are to look up in their catalogues.
  std::string program = {};
  std::map<std::string, std::string> parameters = {};
  /// By what broker_work::judge makes there what judging_options::by is here.
  std::string judged_by = {};
  /// Seconds that one handler may run.
  double handler_limit = 10;
  /// Seconds after which an item in the hands of a worker that gives no sign of
  /// life goes to another.
  double worker_timeout = 30;
  /// Seconds after which the run ends, with its log kept, if the broker does not answer or keeps no results.
  double broker_patience = 300;
  /// A file for a line of JSON about each item that has its result, as bench/scale
  /// reads them; empty: none.
  std::string item_log = {};
  /// What the user should know while it runs, a line each; null: nobody asks.
  std::function<void(const std::string&)> say = {};
  /// As telling_options::on_progress, with the number of workers' hands.
  std::function<void(const progress&, std::size_t hands)> on_progress = {};
};

/// explore() with engine trust, by the workers of a broker; this process shares
/// out and counts. It searches nothing itself, so without workers it waits.
///
/// Each execution is counted once, whatever happens to workers, messages and the
/// broker, as long as the broker's files are there (docs/distributed.md).
/// SIGINT and SIGTERM, which must not be blocked, end the run here and at the workers; what was counted is in the
/// result. A limit of executions or of time ends it when a result brings it over that.
///
/// A judge sees each execution at the worker that runs it; what it saves is joined here, as that of several jobs is.
///
/// @param how  engine `auto` or `trust`; no budget, no estimate. A judge has another(), criterion(), save() and load().
///             on_finding and on_progress are not used.
/// @throws error  the broker cannot be reached, or `how` asks for what cannot be shared.
[[nodiscard]] exploration explore_at_broker(const program& tested, const options& how, const broker_run& run);

}  // namespace harrier
