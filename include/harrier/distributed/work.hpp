#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include <harrier/core/monitor.hpp>
#include <harrier/core/program.hpp>
#include <harrier/distributed/broker.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// What a run is of, as the worker's own catalogue has it.
struct program_to_work_at {
  program made = {};
  options how = {};
};

/// A worker of a run (explore_at_broker).
struct broker_work {
  broker_address at = {};
  /// The run to work at; empty: the first that is heard of and is one of this build's.
  std::string run = {};
  /// Seconds after which it ends if the broker does not answer or keeps no results.
  double broker_patience = 300;
  /// How many items it explores at a time: processes.
  unsigned hands = 1;
  /// Seconds after which what is left of an item is given back, for whoever comes.
  double slice = 2;
  /// Makes the program of a run. @throws error  there is none of that name, or
  /// not with these parameters.
  std::function<program_to_work_at(const std::string& name, const std::map<std::string, std::string>& parameters)>
      find = {};
  /// Makes the judge of a run from its broker_run::judged_by. Null: this worker cannot work at runs that have one.
  /// @throws error  it cannot.
  std::function<std::shared_ptr<monitor>(const std::string& judged_by)> judge = nullptr;
  /// What the user should know, a line each.
  std::function<void(const std::string&)> say = [](const std::string&) {};
};

/// How work ended.
enum class work_end {
  over,     ///< the run is
  stopped,  ///< by SIGINT or SIGTERM; the items in hand were handed back
  refused,  ///< the run that was named is not one of this program as it was built; said why
  failed,   ///< the broker cannot be reached, or a hand failed; said why
};

/// Waits for a run at the broker and works at it until it is over.
/// @pre no thread but this one, and none of NATS: it forks.
work_end work_for_broker(const broker_work& work);

}  // namespace harrier
