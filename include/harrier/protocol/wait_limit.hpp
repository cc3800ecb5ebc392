#pragma once

#include <chrono>
#include <ctime>
#include <stop_token>

#include <harrier/protocol/runtime_threads.hpp>

namespace harrier::runtime {

/// How long a call of a module may wait: for some time, until a time, until somebody asks to stop, or until the first
/// of these. A call that is possible at once is done, even if its time is over or a stop was requested.
///
/// Calls take one as their last argument and throw `timed_out` or `stopped`:
///
///     white.recv<move>(role::black, 5s);
///     white.recv<move>(role::black, token);
///     white.recv<move>(role::black, {token, deadline});
///
/// Time is the steady clock's. A point in time of another clock is converted when the `wait_limit` is made, so what is
/// done to that clock later has no effect.
class wait_limit {
public:
  static constexpr bool waits = true;
  static constexpr bool for_ever = false;

  /// @param most  nothing or less: does not wait. More than 100 years: without a limit in time.
  template <class Rep, class Period>
  wait_limit(const std::chrono::duration<Rep, Period>& most) {
    constexpr double too_long = 100.0 * 365 * 24 * 3600;
    const double seconds = std::chrono::duration<double>(most).count();
    if (seconds > too_long) return;
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const auto wait = seconds > 0 ? std::chrono::ceil<std::chrono::nanoseconds>(most) : std::chrono::nanoseconds(0);
    const auto when = std::chrono::duration_cast<std::chrono::nanoseconds>(now) + wait;
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(when);
    in_time_ = true;
    deadline_.tv_sec = static_cast<std::time_t>(whole.count());
    deadline_.tv_nsec = static_cast<long>((when - whole).count());
  }
  template <class Clock, class Duration>
  wait_limit(const std::chrono::time_point<Clock, Duration>& deadline) : wait_limit(left(deadline, Clock::now())) {}
  wait_limit(std::stop_token stop) : stop_(std::move(stop)) {}
  wait_limit(std::stop_token stop, wait_limit time) : wait_limit(std::move(time)) { stop_ = std::move(stop); }

  // What the machines ask.

  [[nodiscard]] const std::stop_token& stop_token() const { return stop_; }
  /// `time_point::max()`: none.
  [[nodiscard]] std::chrono::steady_clock::time_point deadline() const {
    using std::chrono::steady_clock;
    if (!in_time_) return steady_clock::time_point::max();
    const auto when = std::chrono::seconds(deadline_.tv_sec) + std::chrono::nanoseconds(deadline_.tv_nsec);
    return steady_clock::time_point(std::chrono::duration_cast<steady_clock::duration>(when));
  }
  template <class Wake>
  [[nodiscard]] std::stop_callback<Wake> when_stopped(const Wake& wake) const {
    return std::stop_callback<Wake>(stop_, wake);
  }
  [[nodiscard]] bool stop_requested() const { return stop_.stop_requested(); }
  [[nodiscard]] bool is_over() const {
    if (stop_requested()) return true;
    if (!in_time_) return false;
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec != deadline_.tv_sec ? now.tv_sec > deadline_.tv_sec : now.tv_nsec >= deadline_.tv_nsec;
  }
  void wait(bell& alarm, mutex& held) const {
    if (in_time_) {
      alarm.wait_until(held, deadline_);
    } else {
      alarm.wait(held);
    }
  }

private:
  // A difference of what is far in the past would not fit.
  template <class Deadline, class Now>
  static auto left(const Deadline& deadline, const Now& now) -> decltype(deadline - now) {
    return deadline > now ? deadline - now : decltype(deadline - now)::zero();
  }

  std::stop_token stop_;
  bool in_time_ = false;
  timespec deadline_{};
};

}  // namespace harrier::runtime
