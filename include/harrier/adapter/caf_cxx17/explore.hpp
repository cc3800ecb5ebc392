#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace caf {
class actor_system;
}

/// What harrier/adapter/caf/program.hpp and harrier/explore/explore.hpp do, for tests whose CAF code must be compiled
/// as C++17: this header is C++17, the library is not.
namespace harrier::cxx17 {

/// As caf_options and options; what is 0 or empty is as it is there.
struct caf_search {
  std::string engine = {};
  bool keep_going = false;  ///< after the first finding
  std::uint64_t max_executions = 0;
  std::uint64_t max_depth = 0;  ///< deliveries of one execution
  double time_limit = 0;        ///< seconds
  bool timers_at_any_time = false;
  bool explored_starts = false;
};

struct caf_finding {
  std::string kind;  ///< assertion, deadlock, exception, ...
  std::string message;
  std::string actor;  ///< who made the last step; empty: it is about the end
  std::string file;
  std::uint32_t line = 0;
  /// What leads to it, a delivery each, as `account_0.put(5)`.
  std::vector<std::string> deliveries;
};

struct caf_exploration {
  /// Every order of messages that can matter was run.
  bool exhausted = false;
  /// If not, why not.
  std::string stopped_by;
  std::uint64_t executions = 0;
  std::vector<caf_finding> findings;
  std::vector<caf_finding> warnings;
};

/// Explores a program with one actor system, as the caf_main of CAF_MAIN() takes it.
/// @throws std::runtime_error  (harrier::error) if it cannot be explored, or not as it is asked for
caf_exploration explore_caf(std::function<void(caf::actor_system&)> caf_main, const caf_search& how = {});

/// The same of what makes its actor systems itself.
caf_exploration explore_caf(std::function<void()> body, const caf_search& how = {});

}  // namespace harrier::cxx17
