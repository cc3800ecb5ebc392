#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include <harrier/protocol/checked.hpp>

#include "protocol.hpp"

namespace harrier {

/// When to stop building states or a projection, counted from when the command
/// began; and, on a terminal, a line that says how far a projection is.
class protocol_limits {
public:
  /// @param choice  must outlive this object.
  explicit protocol_limits(const protocol_choice& choice) : choice_(choice) {}
  protocol_limits(const protocol_limits&) = delete;
  protocol_limits& operator=(const protocol_limits&) = delete;
  ~protocol_limits();

  /// Whether it is time to stop, for what asks often.
  [[nodiscard]] std::function<bool()> enough();
  /// The same where something is to be looked for in the states that are built, which get a share of the time. A few
  /// states are built in any case, so that there are some.
  [[nodiscard]] std::function<bool()> enough_to_search(double share);
  /// Whether what is looked for in them is to be left: by an interrupt, when the time is over, or if it takes a quarter
  /// of their memory more.
  [[nodiscard]] std::function<bool()> gives_up();
  /// The same as `enough` for a projection.
  [[nodiscard]] protocol::projection_watch watch();
  /// What there is too much of, and what allows more; or that it was interrupted.
  [[nodiscard]] std::string why() const;
  /// Whether it was time to stop.
  [[nodiscard]] bool reached() const { return !why_.empty(); }

private:
  std::function<bool()> after(double seconds, double mebibytes);
  [[nodiscard]] double seconds() const;
  void show(std::string_view doing, std::size_t roles_done, std::size_t roles);

  const protocol_choice& choice_;
  std::string why_;
  bool is_shown_ = false;
};

/// Ends the process, with status 3 and a word about the limit, where something that cannot be asked to stop goes on
/// after it: half a second, or a tenth of the limit if that is longer, after `--time-limit`, or at half as much memory
/// again as `--max-memory`. What builds states is asked, and has that long to say what it built.
class limits_guard {
public:
  explicit limits_guard(const protocol_choice& choice);
  limits_guard(const limits_guard&) = delete;
  limits_guard& operator=(const limits_guard&) = delete;
  ~limits_guard();

  /// From now on `what` is being done: minimising, say. Where that is ended, `instead` is called before the process
  /// ends, on another thread; it must not touch what the work changes.
  void doing(std::string what, std::function<void()> instead = {});
  /// From now on results are written, which is not ended.
  void writes();

private:
  void watch(const std::stop_token& stop);
  [[nodiscard]] std::string reached() const;
  void end(const std::string& limit);

  const protocol_choice& choice_;
  std::mutex mutex_;
  std::condition_variable_any woken_;
  std::string what_;
  std::function<void()> instead_;
  bool writes_ = false;
  std::jthread thread_;  // last: it uses all else
};

}  // namespace harrier
