#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>
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
  /// Which of the user's judges is asked, if one is; or the program itself, while it heals.
  enum class asked : std::uint8_t { nobody, monitor, may_be_left, healing, specification };
  asked judge = asked::nobody;
};

/// `the monitor`, as the subject of a sentence; nothing for nobody.
std::string_view to_string(flight_record::asked judge);

/// Something of the user's that runs outside handlers failed: a guard, a copy, a
/// monitor. what() says which, and how. Nothing more can be searched.
class failure_outside_handlers : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
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
  /// At each delivery that is run twice it is proved, too, that going back restores
  /// the whole configuration: of one with many actors and messages only if that is
  /// asked for here. A difference is thrown as nondeterminism: some copy of a state
  /// is not a copy.
  void check_undo(bool on) { check_undo_ = on; }
  /// Who is asked; null: nobody.
  [[nodiscard]] monitor* judge() const { return monitor_; }
  /// What `call` gives, which delivers what is no part of the execution: in the flight record, that ends where it does.
  template <class Call>
  auto while_healing(Call call) {
    const being_asked now(*record_, flight_record::asked::healing);
    return call();
  }
  /// Deliveries are noted in `record` and `path`, which has room for the depth
  /// limit. Both must outlive the system.
  void note_deliveries(flight_record& record, std::span<scheduled> path);
  /// What `call` gives, in which `judge` is asked: noted in the flight record.
  /// @throws failure_outside_handlers  for whatever `call` throws.
  template <class Call>
  auto asking(flight_record::asked judge, Call call) const {
    const being_asked now(*record_, judge);
    try {
      return call();
    } catch (...) {
      now.threw();
    }
  }
  /// What `call` gives, which runs the handler of `m` before it is known whether
  /// that can be delivered, as delivery number `depth` of the path: a crash is one of that delivery.
  template <class Call>
  auto trying(std::size_t depth, message_slot m, Call call) {
    const being_tried now(*this, depth, m);
    return call();
  }
  /// Deliveries made so far, repetitions for checks not included.
  [[nodiscard]] std::uint64_t deliveries() const { return record_->ended - repetitions_; }
  /// So many of them only led to where somebody had been before: they do not count.
  void made_before(std::uint64_t deliveries) { repetitions_ += deliveries; }

private:
  friend class system;

  class being_asked {
  public:
    being_asked(flight_record& record, flight_record::asked judge)
        : record_(record), before_(std::exchange(record.judge, judge)) {}
    being_asked(const being_asked&) = delete;
    being_asked& operator=(const being_asked&) = delete;
    ~being_asked() { record_.judge = before_; }
    /// In a catch block.
    [[noreturn]] void threw() const;

  private:
    flight_record& record_;
    flight_record::asked before_;
  };

  class being_tried {
  public:
    being_tried(supervision& watch, std::size_t depth, message_slot m)
        : record_(*watch.record_), depth_(record_.depth) {
      watch.begin(depth, 0, m);
      ++record_.begun;
    }
    being_tried(const being_tried&) = delete;
    being_tried& operator=(const being_tried&) = delete;
    ~being_tried() {
      --record_.begun;
      record_.depth = depth_;
    }

  private:
    flight_record& record_;
    std::uint32_t depth_;
  };

  supervision();
  supervision(const supervision&) = delete;
  supervision& operator=(const supervision&) = delete;

  /// Counts a delivery; whether somebody wants to look at it.
  bool is_due() { return --until_due_ == 0; }
  void be_due() { until_due_ = 1; }
  /// A delivery that is due.
  void deliver(system& s, message_slot m, std::uint64_t code);
  void begin(std::size_t depth, std::uint64_t code, message_slot m) {
    if (record_->judge == flight_record::asked::healing) return;
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
  [[nodiscard]] bool undo_is_checked(const system& s) const;
  void ask_monitor(system& s, bool looks_closely);
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
