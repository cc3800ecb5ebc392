#pragma once

#include <functional>
#include <string>

#include <harrier/report/json.hpp>

#include "watch.hpp"

namespace harrier {

/// How a child process came to its end.
struct child_end {
  enum class how {
    finished,     ///< its work is done
    died,         ///< before it was done: `status` is waitpid's
    did_not_end,  ///< a handler ran longer than the limit, or see child_work::silent; the child was killed
    interrupted,  ///< Ctrl-C, or the like; the child was killed, having been asked to stop if it can be
  };
  how way;
  int status = 0;
  /// If it did not end: the worker whose handler did not, as watch::workers has them.
  std::size_t worker = 0;
};

/// Work that is done in a child process.
struct child_work {
  /// Runs in the child; tells the parent by `tell`. What it throws is thrown
  /// again by run_in_child, if it is an error of harrier's.
  std::function<void(const std::function<void(const json_value&)>& tell)> run;
  /// Runs in the parent for all that the child tells, in that order. What it
  /// or `tick` throws ends the child.
  std::function<void(const json_value&)> hear;
  /// Runs in the parent several times a second.
  std::function<void()> tick = [] {};
  /// Runs in the parent when the child, in no handler, has given no sign of life
  /// for the limit of one handler, and each time that this takes twice as long:
  /// whether to kill it. `alive` says whether it has given one since.
  std::function<bool(const std::function<bool()>& alive)> silent = [](const auto&) { return true; };
  /// The work looks at noted_in_child::stop_asked, and comes to its end then.
  bool stops_when_asked = false;
  /// What the program prints in the child is thrown away: it was seen before.
  bool quiet = false;
};

/// Does `work` in a forked child and watches over it. Whatever happens to the
/// child, what it told before is heard.
///
/// @param noted  where the child's handlers are noted (see watch::watched).
/// @param handler_limit  seconds that one handler may take.
/// @throws no_child_process, and what the work throws.
child_end run_in_child(const watch& noted, double handler_limit, const child_work& work);

/// What killed the child: `SIGSEGV`, `exit status 1`.
std::string reason_of(const child_end& end, const watch& noted);

}  // namespace harrier
