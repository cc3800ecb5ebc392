#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

#include "../core/examine.hpp"
#include "../explore/search_wiring.hpp"

namespace harrier {

/// Bytes from one process to another, in shared memory: a pipe that the program
/// under test cannot close, and that none of its own children holds open.
class byte_queue {
public:
  /// Puts in as much of `bytes` as there is room for. @return how much that is.
  std::size_t put(std::string_view bytes);
  /// Takes out what there is, up to the size of `to`. @return how much that is.
  std::size_t take(std::span<char> to);
  /// How much was put in, since ever.
  [[nodiscard]] std::uint64_t put_so_far() const { return put_.load(std::memory_order_relaxed); }

private:
  static constexpr std::size_t size = std::size_t{1} << 18;
  std::atomic<std::uint64_t> put_ = 0;
  std::atomic<std::uint64_t> taken_ = 0;
  std::array<char, size> bytes_;
};

/// What the child is about to call outside handlers, if it says so.
struct noted_call {
  /// How many it has told of; odd while it writes the next one down.
  std::uint64_t number = 0;
  std::uint64_t depth = 0;
  std::array<char, 512> what{};
  std::array<char, 128> actor{};
};

/// What a child process notes in memory that its parent reads, even after the
/// child is dead.
struct noted_in_child {
  /// Deliveries of the search, or of the schedule to be repeated.
  flight_record first;
  /// Deliveries of other systems: those that repeat schedules once the search is
  /// over, and what a search has beside its first system.
  flight_record later;
  /// How many systems were asked for, and how many of them started.
  std::uint32_t asked = 0;
  std::uint32_t started = 0;
  /// How far the search had come some milliseconds ago, and its deepest point.
  struct {
    harrier::progress now;
    std::uint64_t deepest = 0;
  } progress;
  bool stack_overflowed = false;
  /// By the parent: the search is to end as at a limit.
  std::atomic<bool> stop_asked = false;
  /// It has seen that.
  std::atomic<bool> stop_noticed = false;
  /// Nothing of the program's will run any more.
  bool only_tells = false;
  /// It writes a file, and nothing of the program's runs.
  std::atomic<bool> is_writing = false;
  noted_call call;
  /// Lines of JSON that it tells its parent.
  byte_queue told;
};

/// Memory shared between a process and the children that it forks from now on.
class watch {
public:
  /// @param depth  deliveries of the longest schedule to be noted.
  /// @param workers  that search at the same time.
  /// @throws no_child_process  there is no memory for so many.
  explicit watch(std::uint64_t depth, std::size_t workers = 1);
  watch(const watch&) = delete;
  watch& operator=(const watch&) = delete;
  ~watch();

  [[nodiscard]] noted_in_child& noted() const { return *noted_; }
  /// Of the first worker.
  [[nodiscard]] std::span<scheduled> path() const { return workers_.front().path; }
  /// Where each worker notes its deliveries.
  [[nodiscard]] const std::vector<noted_deliveries>& workers() const { return workers_; }

  /// `inner`, with its systems noted here, the first one with its path if
  /// `notes_first`. A search notes the systems that it searches by its options.
  [[nodiscard]] program watched(program inner, bool notes_first) const;

  /// Notes, in the child, that it is about to make `call`; null: it made the last.
  void about_to(const outside_handlers* call) const;
  /// The call that the child noted last and did not come back from.
  [[nodiscard]] std::optional<outside_handlers> call_under_way() const;

  /// Processes that the child forks have no part in this: one that goes on as if
  /// it were the child ends.
  void keep_from_forks() const;

  /// Whether the child is (or was, when it died) inside a handler or the driver.
  [[nodiscard]] bool in_handler() const;
  /// Whether that worker is.
  [[nodiscard]] bool is_in_handler(std::size_t worker) const;
  /// Whether that handler's system is one whose path is not noted, though the
  /// search is not over.
  [[nodiscard]] bool in_unnoted_path() const;
  /// Whether the child has not got its program started.
  [[nodiscard]] bool before_first_message() const;
  /// The deliveries that led to where the system of `worker` is, the running one
  /// included. Empty if there were more than were noted.
  [[nodiscard]] schedule schedule_so_far(std::size_t worker = 0) const;

private:
  void* memory_;
  std::size_t size_;
  noted_in_child* noted_;
  std::vector<noted_deliveries> workers_;
};

}  // namespace harrier
