#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <harrier/core/script.hpp>
#include <harrier/core/specification.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// `counter_0.add#2`.
struct scripted_event {
  std::string actor;
  std::string message;  ///< its name, or its whole text
  std::uint32_t number = 1;
};

/// What pin(), follow_until() and keep_through() say. It comes into a system through the door of specifications, as
/// `found`, which is never called.
struct script_line {
  enum class kind : std::uint8_t { pin, until, through };
  kind says;
  std::string text;
  /// Nothing: what executions are to come through is a point of the program.
  std::optional<scripted_event> event;
  /// Of a pin.
  std::optional<scripted_event> after = std::nullopt;
  /// In place of an event: until when an actor is followed.
  followed_until reached = {};

  specification::tuples operator()(const states& /*now*/) const { return {}; }
};

/// Whether the execution at the end of which `ended` is comes through all that it is to come through, so that it is
/// judged.
bool comes_through(const system& ended);
/// Whether there is something through which executions are to come: until their ends it is not known whether what
/// happens in them counts.
bool waits_for_ends(const system& s);

/// The script of one system, and what it does to the current execution.
///
/// A pin is what an assumption in a handler would be that looks at memory shared by both actors: the delivery that
/// comes too early is made, but its handler is not called; it ends its actor, and the execution does not count. So a
/// reduction has to know that the deliveries that a pin names touch the same. Which of them is the Nth depends on what
/// their receiver took before, and a planned sequence takes a message to touch the same whatever that was; so all of
/// that name touch it.
class scripted_decisions {
public:
  scripted_decisions();
  scripted_decisions(const scripted_decisions&) = delete;
  scripted_decisions& operator=(const scripted_decisions&) = delete;
  ~scripted_decisions();

  using points = std::map<std::string, bool>;

  /// @throws error  there is no such actor
  void add(system& initial, const specification& said, const script_line& line);
  /// Whether one makes deliveries to several actors dependent.
  [[nodiscard]] bool widens() const;

  /// Pending message `m` of `s` is about to be delivered: what was reached by steps that were taken back is forgotten.
  /// @return what is delivered in its place if it would come too early; else null
  const message_type* before_delivery(const system& s, message_slot m, points& reached);
  /// What a type that before_delivery() gave stands for; null if `type` is none of these.
  [[nodiscard]] const message_type* withheld_by(const message_type* type) const;
  /// The actors whose names stand for what the last step touches of the script.
  [[nodiscard]] std::vector<actor_slot> touched_by_last_step(const system& s) const;
  /// Notes what of the script the last step, which was not withheld, has come to.
  void note_last_step(const system& s, points& reached);
  /// Whether an execution is followed until the last step.
  [[nodiscard]] bool ends_with_last_step(const system& s) const;
  /// Whether actor `a` was followed until it came to an event.
  [[nodiscard]] bool has_ended(const system& s, actor_slot a) const;

private:
  struct known_line {
    script_line line;
    actor_slot of;       // the event's actor
    actor_slot after;    // the other one's
    actor_slot touched;  // 0: nothing
  };
  struct passage {
    step_index at;
    std::size_t line;
  };
  class withheld;

  [[nodiscard]] bool is_of(const system& s, step_index i, actor_slot a, const scripted_event& event) const;
  [[nodiscard]] bool is_message(const system& s, message_slot m, const scripted_event& event) const;
  [[nodiscard]] std::uint32_t times(const system& s, actor_slot a, const scripted_event& event) const;
  /// Whether actor `a`, which took something, is where an actor is not followed further.
  [[nodiscard]] bool has_reached(const system& s, actor_slot a, const known_line& known) const;
  [[nodiscard]] bool is_nth(const system& s, const known_line& known) const;

  [[nodiscard]] bool is_of_execution(step_index i) const { return i != no_step && i >= first_; }

  void show_passages(points& reached) const;

  std::vector<known_line> lines_;
  std::vector<passage> passed_;  // in this execution, oldest first; some of steps that were taken back
  step_index first_ = 0;         // step of an execution
  std::map<const message_type*, std::unique_ptr<withheld>> withheld_;
  mutable std::map<const message_type*, std::string> names_;  // of kinds of messages
};

}  // namespace harrier
