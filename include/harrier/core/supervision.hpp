#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include <harrier/core/monitor.hpp>
#include <harrier/core/observer.hpp>
#include <harrier/core/step.hpp>

namespace harrier {

class system;

/// Where the deliveries of a search are noted as they are made, so that another
/// process can read what led to a crash. May lie in shared memory.
struct flight_record {
  /// Deliveries begun and ended; they differ by 1 while a handler runs.
  std::uint64_t begun = 0;
  std::uint64_t ended = 0;
  /// Explored deliveries on the current path, the running one included.
  std::uint32_t depth = 0;
  /// What follows only repeats what was found.
  bool search_is_over = false;
};

/// How often a delivery is run twice to see that the handler repeats itself:
/// never, now and then (all of the first thousand, later at a cost below 5 %),
/// or always.
enum class repetition : std::uint8_t { off, sample, all };

/// What watches a system's deliveries: an observer that is polled, a monitor
/// that judges each step, the check that handlers repeat themselves, the proof
/// that going back is exact, and the flight record.
///
/// A delivery that nobody has to look at costs a countdown.
class supervision {
public:
  /// Who is told of findings and polled; null: nobody. Not owned.
  /// @return who was told before.
  observer* observe(observer* watcher) {
    be_due();
    return std::exchange(observer_, watcher);
  }
  /// Asks `judge` after each delivery, and tells it of each undo; null: nobody.
  /// Not owned. Costs what the monitor does.
  void attach(monitor* judge);
  void check_determinism(repetition how_often);
  /// Also prove, at each delivery that is run twice, that going back restores
  /// the whole configuration. A difference is thrown as nondeterminism: some
  /// copy of a state is not a copy.
  void check_undo(bool on) { check_undo_ = on; }
  /// Deliveries are noted in `record` and `path`, which has room for the depth
  /// limit. Both must outlive the system.
  void note_deliveries(flight_record& record, std::span<scheduled> path);
  /// Deliveries made so far, repetitions for checks not included.
  [[nodiscard]] std::uint64_t deliveries() const { return record_->ended - repetitions_; }

private:
  friend class system;

  supervision();
  supervision(const supervision&) = delete;
  supervision& operator=(const supervision&) = delete;

  /// Counts a delivery; whether somebody wants to look at it.
  bool is_due() { return --until_due_ == 0; }
  void be_due() { until_due_ = 1; }
  /// A delivery that is due.
  void deliver(system& s, message_slot m, std::uint64_t code);
  void begin(std::size_t depth, std::uint64_t code, message_slot m) {
    if (depth <= path_.size()) path_[depth - 1] = {code, m};
    record_->depth = static_cast<std::uint32_t>(depth);
  }
  void handler_begins() { ++record_->begun; }
  void handler_ended() { ++record_->ended; }
  void forget_deliveries() { *record_ = {}; }
  void step_flagged(system& s);
  void step_undone(const system& s);

  void poll(system& s);
  void deliver_twice(system& s, message_slot m, std::uint64_t code);
  void ask_monitor(system& s);
  void schedule();

  observer* observer_ = nullptr;
  monitor* monitor_ = nullptr;
  std::uint64_t until_due_ = 1;
  std::uint64_t next_poll_ = 0;
  std::uint64_t poll_interval_ = 1;
  std::uint64_t next_repetition_ = 0;
  std::int64_t polled_at_;  // nanoseconds of the steady clock
  repetition repetition_ = repetition::off;
  bool check_undo_ = false;
  std::uint64_t repetitions_ = 0;
  flight_record own_record_;
  flight_record* record_ = &own_record_;
  std::span<scheduled> path_;
};

}  // namespace harrier
