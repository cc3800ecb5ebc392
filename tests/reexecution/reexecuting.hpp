#pragma once

#include <map>
#include <utility>
#include <vector>

#include <harrier/core/program.hpp>

#include "../engine/outside_program.hpp"

namespace harrier::reexecution {

namespace outside = differential::outside;

/// An adapter as one has to be whose actors can neither be copied nor taken back:
/// it has one run of a foreign library, here the interpreter of the outside
/// oracle, and to go back it runs the steps that are left once more. All that it
/// knows of harrier is the contract in docs/architecture.md.
class reexecuting final : public system {
public:
  /// From when it answers what a receiver takes: from when it is asked about, as
  /// it must, or wrongly from now.
  enum class answers : std::uint8_t { from_then, from_now };
  reexecuting(const litmus::random_program& tables, delivery model, answers when = answers::from_then)
      : system(model), tables_(tables), when_(when) {}

  /// The last step: its message is given to the foreign run.
  void react(step& s);
  /// The foreign run is ahead of the execution.
  void left_behind() { is_current_ = false; }

  /// For types of actors and messages.
  [[nodiscard]] const outside::actor& foreign(int actor) const {
    return run_now().actors[static_cast<std::size_t>(actor)];
  }
  [[nodiscard]] const outside::message& foreign_message(int m) const {
    return run_now().messages[static_cast<std::size_t>(m)];
  }
  void write_body(int actor, value_bytes& out) const;
  void write_packet(int message, value_bytes& out) const;

private:
  void begin() override;
  [[nodiscard]] bool takes(message_slot m, step_index e) const override;
  void write_activity(actor_slot who, value_bytes& out) const override;

  void start_driver(outside::content with);
  /// The foreign run of the steps before `end`.
  [[nodiscard]] outside::configuration run_until(std::size_t end) const;
  [[nodiscard]] const outside::configuration& run_now() const;
  void create(int actor);
  void send(int message);
  void write_actor(int actor, value_bytes& out) const;

  const litmus::random_program& tables_;
  answers when_;
  mutable outside::configuration run_ = outside::beginning();
  mutable bool is_current_ = true;
  /// What the driver was sent from outside, and before which step.
  std::vector<std::pair<std::size_t, outside::content>> from_outside_;
  std::vector<actor_slot> slots_;      // by the foreign number of an actor
  std::vector<message_slot> sent_as_;  // by the foreign number of a message
  /// What was asked of a receiver's past before, by portable names.
  mutable std::map<std::vector<fingerprint>, bool> answers_;
};

/// The program of these tables, re-executed.
program reexecute(const litmus::random_program& tables, reexecuting::answers when = reexecuting::answers::from_then);

}  // namespace harrier::reexecution
