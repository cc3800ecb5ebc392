#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <harrier/report/json.hpp>

#include "watch.hpp"

namespace harrier {

/// SIGINT and SIGTERM, while it lives: noticed, and nothing else. They stay so
/// for what is done between two children, or after the last one.
class interruption {
public:
  /// @throws no_child_process  there is no file descriptor for it.
  interruption();
  interruption(const interruption&) = delete;
  interruption& operator=(const interruption&) = delete;
  ~interruption();
  /// How many of them have come so far.
  int count();
  /// To be polled: there is something to read when one has come that was not counted.
  [[nodiscard]] int file() const { return file_; }
  /// In a child: as if this had never been, but Ctrl-C is the parent's, and so is
  /// a SIGTERM to all processes: the parent asks its child to stop.
  void restore_in_child() const;

private:
  sigset_t old_mask_{};
  int file_;
  int count_ = 0;
};

/// How long a child may take, and how much memory.
struct child_bounds {
  // NOLINTNEXTLINE(google-explicit-constructor): often that is all there is to say
  child_bounds(double handler) : handler_limit(handler) {}
  child_bounds(double handler, double all, std::uint64_t mib, interruption* noticed = nullptr)
      : handler_limit(handler), seconds(all), max_memory(mib), stop(noticed) {}

  /// Seconds that one handler may take.
  double handler_limit;
  /// Seconds for everything; 0: as long as it takes.
  double seconds = 0;
  /// MiB that it may have in memory at once; 0: no limit.
  std::uint64_t max_memory = 0;
  /// Where a signal is noticed; null: it ends this child and is forgotten.
  interruption* stop = nullptr;
};

/// How a child process came to its end.
struct child_end {
  enum class how {
    finished,     ///< its work is done
    died,         ///< before it was done: `status` is waitpid's
    did_not_end,  ///< a handler ran longer than the limit, or see child_work::silent; the child was killed
    interrupted,  ///< Ctrl-C, or the like; the child was killed, having been asked to stop if it can be
    late,         ///< its time was over, and it took no notice; the child was killed
    too_large,    ///< it had more memory than it may; the child was killed
  };
  how way;
  int status = 0;
  /// If it did not end: the worker whose handler did not, as watch::workers has them.
  std::size_t worker = 0;
};

/// What a child tells its parent by. It waits until there is room for what is told.
class child_voice {
public:
  explicit child_voice(byte_queue& to) : to_(&to) {}
  void operator()(const json_value& what) const;
  /// What has a form already, as it is.
  void bytes(std::string_view what) const;

private:
  void put(std::string_view what) const;
  byte_queue* to_;
};

/// Work that is done in a child process.
struct child_work {
  /// Runs in the child; tells the parent by `tell`. What it throws is thrown
  /// again by run_in_child, if it is an error of harrier's.
  std::function<void(const child_voice& tell)> run;
  /// Runs in the parent for all that the child tells, in that order. What it
  /// or `tick` throws ends the child.
  std::function<void(const json_value&)> hear;
  /// The same for what it tells as bytes.
  std::function<void(std::string)> hear_bytes = [](const std::string&) {};
  /// Runs in the parent several times a second.
  std::function<void()> tick = [] {};
  /// Runs in the parent when the child, in no handler, has given no sign of life
  /// for the limit of one handler, and each time that this takes twice as long:
  /// whether to kill it. `alive` says whether it has given one since.
  std::function<bool(const std::function<bool()>& alive)> silent = [](const auto&) { return true; };
  /// The work looks at noted_in_child::stop_asked, the time and the memory, and
  /// comes to its end by itself. It is given a moment for that.
  bool stops_when_asked = false;
  /// What it then does first, in order not to lose what was done, takes a moment more.
  bool saves_first = false;
  /// What the program prints in the child is thrown away: it was seen before.
  bool quiet = false;
};

/// Does `work` in a forked child and watches over it. Whatever happens to the
/// child, what it told before is heard.
///
/// @param noted  where the child's handlers are noted (see watch::watched).
/// @throws no_child_process, and what the work throws.
child_end run_in_child(const watch& noted, const child_bounds& bounds, const child_work& work);

/// What killed the child: `SIGSEGV`, `exit status 1`.
std::string reason_of(const child_end& end, const watch& noted);

}  // namespace harrier
