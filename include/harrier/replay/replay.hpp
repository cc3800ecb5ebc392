#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <harrier/core/delivery.hpp>
#include <harrier/core/faults.hpp>
#include <harrier/core/finding.hpp>
#include <harrier/core/monitor.hpp>
#include <harrier/core/program.hpp>
#include <harrier/core/states.hpp>
#include <harrier/core/system.hpp>
#include <harrier/replay/ends.hpp>

namespace harrier {

class field_dependence;

/// What a replay follows, and by what it judges where that leads.
struct recorded_trace {
  /// How the next delivery is found.
  enum class by : std::uint8_t {
    /// The steps of the finding's trace, each by its id. What a step does is compared with what it did, and where they
    /// lead it is judged whether the finding occurs again.
    ids,
    /// The steps of the finding's trace, each the first message that can be delivered and reads like it. Nothing else
    /// is compared or judged: for who knows its program by its messages alone, as they are called.
    messages,
    /// The finding's schedule, of this very program. Nothing is compared or judged: a trace is made of it.
    slots,
  };

  /// Must outlive the replay.
  const harrier::finding& finding;
  by found_by = by::ids;
  harrier::delivery delivery = harrier::delivery::unordered;
  /// What could befall messages on their way.
  harrier::faults faults = {};
  /// What was seen of the program (seen_of_program::facts) when it was searched.
  std::uint32_t facts = 0;
  end_rules ends = {};
  /// What the states must be in which an execution ends, beside what the program itself says.
  final_check finally = nullptr;
  /// What judged the executions, for a finding of its; null: nothing. Not owned.
  monitor* judge = nullptr;
  /// In deliveries; 0: none.
  std::size_t depth_limit = 0;
  /// By slots: the stages of the program are searched apart (stages::search_apart), so that it goes on by begin_next.
  bool by_stages = false;
  /// What a step looks like where the trace was kept, if that loses something (bytes that are no UTF-8, in JSON): steps
  /// are compared as they look there. Null: it is all kept.
  trace_step (*as_kept)(const trace_step& step) = nullptr;
};

/// Where a replay and what it follows part.
struct trace_difference {
  enum class what : std::uint8_t {
    not_possible,  ///< the message was not sent, or cannot be delivered
    message,       ///< it is another one
    outcome,       ///< it was delivered, and something else came of it
  };
  what in;
  const trace_step& expected;
  /// What is there instead; of a message its step without the outcome; null for what is not possible.
  const trace_step* actual;
  /// In words, unless it is in the outcome.
  std::string why;
};

/// Told of a replay as it goes on. Steps are numbered from 0.
class replay_listener {
public:
  virtual ~replay_listener() = default;

  /// Step `number` is about to be made: a message is delivered, or, if it was not sent, a program in stages goes on.
  virtual void about_to(const system& now, std::size_t number, const scheduled& next) {
    static_cast<void>(now), static_cast<void>(number), static_cast<void>(next);
  }
  /// It was made, or a program in stages went on. @param is_as_recorded  it is known to be just the recorded one.
  /// @return whether to go on.
  virtual bool made(const system& now, std::size_t number, trace_step step, bool is_as_recorded) {
    static_cast<void>(now), static_cast<void>(number), static_cast<void>(step), static_cast<void>(is_as_recorded);
    return true;
  }
  /// Step `number` is another one, or does something else. @return whether to go on as if it were not; asked only of
  /// what a step does, otherwise the replay is over.
  virtual bool differs(const system& now, std::size_t number, const trace_difference& how) {
    static_cast<void>(now), static_cast<void>(number), static_cast<void>(how);
    return false;
  }
};

/// What came of a replay.
struct replay_end {
  enum class how : std::uint8_t {
    found_again,  ///< the finding occurred again
    not_again,    ///< all steps were made, and it did not; `why` says what is there instead
    differs,      ///< as the listener was told
    stopped,      ///< as the listener wished
    followed,     ///< all steps were made, and nothing was to be judged
  };
  how way;
  std::string why = {};
};

/// A replay whose deliveries somebody else makes: who must have the handlers run on a stack of his own, say.
///
///     while (const auto next = along.next(s)) { ...deliver it...; along.made(s); }
///     const auto end = along.conclude(s);
class replayer {
public:
  /// How a program in stages goes on.
  enum class next_stage : std::uint8_t {
    posted,  ///< by a message that its system posts, or by begin_next where the stages are searched apart
    called,  ///< by whoever makes the deliveries
  };

  /// Both must outlive it.
  replayer(const recorded_trace& trace, replay_listener& tell, next_stage how = next_stage::posted);
  replayer(const replayer&) = delete;
  replayer& operator=(const replayer&) = delete;
  ~replayer();

  /// The next delivery; none if the replay is over. One of a message with a number greater than any that was sent is
  /// no delivery: the program goes on to its next stage (stages::begin_next). The first call prepares `now` to be
  /// searched for such a finding.
  std::optional<scheduled> next(system& now);
  /// It was made.
  void made(system& now);
  /// What came of it. Leaves `now` anywhere.
  /// @throws error  what is to be judged by is not there.
  replay_end conclude(system& now);
  /// In a catch block, of what left a delivery: what came of it. @param now  null if it is gone.
  /// @throws error  the program is not deterministic, which is not what was found;
  ///         the exception in hand, if it is none that a finding can be about.
  replay_end thrown(const system* now);

private:
  [[nodiscard]] bool is_compared() const { return trace_.found_by == recorded_trace::by::ids; }
  [[nodiscard]] std::size_t count() const;
  [[nodiscard]] bool goes_on(system& now, const trace_step& expected) const;
  void prepare(system& now);
  std::optional<scheduled> next_by_id(system& now);
  std::optional<scheduled> next_by_message(const system& now);
  std::optional<scheduled> other(const system& now, const trace_difference& how);
  void compare(const system& now, trace_step step);
  void check_declaration(const system& now);
  replay_end judge(system& now);
  replay_end judge_step(system& now);
  [[nodiscard]] bool is_it(const record& r) const;
  [[nodiscard]] bool recorded_again(const system& now) const;
  replay_end judge_records(const std::vector<record>& broken, const char* if_none, const char* if_others) const;
  replay_end judge_execution(const system& now);
  replay_end judge_final_states(const system& now);
  replay_end judge_deadlock(const system& now);
  replay_end judge_undelivered(const system& now);
  /// The user's judges are asked once more: what they throw. Nothing: all is well.
  [[nodiscard]] std::optional<replay_end> ask_judges(const system& now) const;
  replay_end judge_outside_handlers(system& now, const char* if_all_is_well);

  const recorded_trace& trace_;
  const finding& found_;
  replay_listener& tell_;
  next_stage next_stage_;
  std::unique_ptr<field_dependence> declared_;  // of a finding that a handler did what it is declared not to do
  std::size_t at_ = 0;
  bool is_prepared_ = false;
  bool is_apart_ = false;
  std::optional<replay_end::how> over_;
};

/// Runs the trace again, on a fresh system of `tested`: the one way in which schedules are followed, whether a person
/// looks on, a trace is made of them, or a finding is looked for again.
///
/// Findings of every kind can be looked for again. One that depends on something outside the program (nondeterminism,
/// memory that was damaged before) may not occur.
///
/// @throws error  what is to be judged by is not there; the program is not deterministic; by slots: a delivery is not
///         possible, in words that tell which.
///         untestable_program, and what the program throws outside handlers. What was told so far stays right.
/// @par Complexity  that of the deliveries, of describing each, and of comparing it.
replay_end replay(const program& tested, const recorded_trace& trace, replay_listener& tell);

/// The same in `fresh`, which was started as the trace says, and is where the replay came to when it is over. It is
/// judged by `trace.finally` alone.
replay_end replay(system& fresh, const recorded_trace& trace, replay_listener& tell);

}  // namespace harrier
