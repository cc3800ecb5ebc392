#pragma once

#include <harrier/core/error.hpp>
#include <harrier/core/exploration.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// How a search is kept apart from the process that asks for it.
struct isolation_options {
  /// Seconds that one handler may run. One that runs longer is taken for one
  /// that never ends.
  double handler_limit = 10;
  /// Where LeakSanitizer is in the program: memory that is lost in the search is a
  /// finding (assertion, without deliveries), and its report goes to standard error.
  bool finds_leaks = false;
};

/// There is no child process to search in, or no memory to watch it. explore()
/// does without.
class no_child_process : public error {
public:
  using error::error;
};

/// explore() in a child process, which is forked from this one.
///
/// A handler that ends the process, or runs longer than `apart` allows, is a
/// finding of its own and ends the search; SIGINT and SIGTERM end it without
/// one, and so do the limits of time and memory, in the middle of a handler, too
/// (docs/does-not-end.md). Where there is no limit of memory it ends at nine tenths
/// of what there is. What was found and counted before is in the result.
///
/// @param how  `on_progress`, `on_finding` and `on_checkpoint` are called in this process;
///             `judge` judges in the child, and what it notes is lost with it.
///             `wiring` is not used.
/// @throws no_child_process  nothing was searched.
/// @throws what explore() throws, and what `on_progress` and `on_finding` throw;
///         no child is left then.
[[nodiscard]] exploration explore_isolated(const program& tested, const options& how = {},
                                           const isolation_options& apart = {});

}  // namespace harrier
