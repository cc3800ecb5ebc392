#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include <harrier/core/fingerprint.hpp>
#include <harrier/explore/options.hpp>

#include "../core/base/cache_line.hpp"

namespace harrier {

/// What telling_options::on_progress or on_finding threw, on its way through a search.
struct listener_threw {
  std::exception_ptr what;
};

/// MiB that a process has in memory; 0: nobody knows.
double resident_mib(pid_t process);

/// Why a search ends that may have no more than so much, or run no more.
std::string memory_limit(std::uint64_t mib);
std::string limit_of_executions(std::uint64_t most);

/// How the reasons begin for which a program is taken for one that never ends.
inline constexpr std::string_view execution_without_end = "an execution that had not ended";
inline constexpr std::string_view executions_that_grow = "executions each of which is longer than those before";

/// What may be added to the seconds that were given, to make findings readable.
double seconds_to_conclude(double given);

/// What all who work on one exploration have in common: when it ends before it
/// is explored, and what those who watch it from outside are told. Any thread
/// may call it.
class limits {
public:
  using clock = std::chrono::steady_clock;

  /// @param most_executions  0: no limit.
  /// @param started  from where limit_options::time_limit counts.
  limits(const options& how, std::uint64_t most_executions, clock::time_point started = clock::now())
      : how_(how), most_executions_(most_executions), started_(started) {}

  [[nodiscard]] double seconds() const;

  /// The exploration ends, for that reason if there was none before. An empty one
  /// will be given later.
  void stop(std::string why);
  [[nodiscard]] bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  /// All workers are to leave what they do for a moment, when so many seconds have
  /// passed from now.
  void pause_in(double seconds);
  /// When a program is taken for one that never ends.
  struct endless {
    static constexpr auto never = std::numeric_limits<std::uint64_t>::max();
    /// An execution has so many deliveries;
    std::uint64_t deepest = never;
    /// or, after some seconds, so many when none has ended yet;
    std::uint64_t deep = never;
    /// or so many executions were longer than all before them, and these were most.
    std::uint64_t longer = never;
    double seconds = 0;
  };
  /// Before any worker begins.
  void give_up_at(const endless& when) { endless_ = when; }
  /// Ends the exploration if it is so. `longer`: executions that were longer than all before them.
  void look_whether_it_ends(const progress& now, std::uint64_t longer);
  /// Whether a worker should return: to end, or for a moment.
  [[nodiscard]] bool are_to_return() const { return stopped() || paused_.load(std::memory_order_relaxed); }
  /// The exploration goes on from what another one counted: so many ends of
  /// executions, and what those who watch it saw.
  void go_on_from(std::uint64_t ends, const progress& before);
  /// Why; empty if it was not stopped.
  [[nodiscard]] std::string why() const;
  /// Whether that is no more than a limit: a search that had come to its end by then is complete.
  [[nodiscard]] bool stopped_at_limit() const;

  /// Whether one more execution may end; it is then kept for the worker that asks,
  /// until it is counted or given back. Several workers that all have one under way
  /// would end more than were asked for.
  [[nodiscard]] bool keep_execution() {
    return most_executions_ == 0 || keep_one();  // a number that all workers write would cost each its cache line
  }
  void give_execution_back();
  /// An execution came to its end, or was cut: one that was kept.
  void count_execution();
  /// Looks at the time and the memory, and tells telling_options::on_progress if it is
  /// due. `now`: how far one of the workers is; `told`: the same when it said so
  /// last. @throws listener_threw
  void poll(const progress& now, progress& told);
  /// A finding called `key` is there for the first time, to one of the workers:
  /// if it is to all, telling_options::on_finding is told. @throws listener_threw
  void tell(fingerprint key, const finding& f);

  [[nodiscard]] clock::time_point started() const { return started_; }

private:
  void stop_at_limit(std::string why);
  [[nodiscard]] bool keep_one();

  const options& how_;
  const std::uint64_t most_executions_;
  const clock::time_point started_;
  endless endless_;
  // Workers read these after each execution and write them hardly ever: what is written shares no cache line with them.
  alignas(cache_line) std::atomic<bool> stopped_ = false;
  std::atomic<bool> paused_ = false;
  alignas(cache_line) std::atomic<std::uint64_t> executions_ = 0;  // counted where there is a limit
  std::atomic<std::uint64_t> kept_ = 0;                            // with those that were kept
  alignas(cache_line) mutable std::mutex mutex_;                   // for what follows
  std::string why_;
  bool stopped_at_limit_ = false;
  double pause_at_ = std::numeric_limits<double>::infinity();
  progress all_;
  double reported_ = 0;
  std::set<fingerprint> told_;
};

}  // namespace harrier
