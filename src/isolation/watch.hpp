#pragma once

#include <cstdint>
#include <span>

#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

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
};

/// Memory shared between a process and the children that it forks from now on.
class watch {
public:
  /// @param depth  deliveries of the longest schedule to be noted.
  /// @throws no_child_process  there is no memory for so many.
  explicit watch(std::uint64_t depth);
  watch(const watch&) = delete;
  watch& operator=(const watch&) = delete;
  ~watch();

  [[nodiscard]] noted_in_child& noted() const { return *noted_; }
  [[nodiscard]] std::span<scheduled> path() const { return path_; }

  /// `inner`, with its systems noted here, the first one with its path if
  /// `notes_first`. A search notes the systems that it searches by its options.
  [[nodiscard]] program watched(program inner, bool notes_first) const;

  /// Whether the child is (or was, when it died) inside a handler or the driver.
  [[nodiscard]] bool in_handler() const;
  /// Whether that handler's system is one whose path is not noted, though the
  /// search is not over.
  [[nodiscard]] bool in_unnoted_path() const;
  /// Whether the child has not got its program started.
  [[nodiscard]] bool before_first_message() const;
  /// The deliveries that led to where the first system is, the running one
  /// included. Empty if there were more than were noted.
  [[nodiscard]] schedule schedule_so_far() const;

private:
  void* memory_;
  std::size_t size_;
  noted_in_child* noted_;
  std::span<scheduled> path_;
};

}  // namespace harrier
