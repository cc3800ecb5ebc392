#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <harrier/core/step.hpp>

namespace harrier::reexecution {

/// What an execution did, as far as it matters whether it can be in a library in which each actor takes messages from
/// queues, into which they are put one after the other (delivery::mailbox_interleaved, of which delivery::causal is a
/// superset).
struct execution_with_queues {
  struct message {
    std::uint64_t queue;            ///< its messages are taken in the order in which they came into it
    bool is_urgent;                 ///< it may be taken before what came earlier and is not
    bool comes_later;               ///< it came there at any time after the step that sent it had begun
    bool as_sender_ends;            ///< it tells of its sender's end
    bool is_no_message;             ///< its sender does something to the receiver itself
    bool before_all;                ///< nobody takes anything before all that its step sends came
    bool is_answered_by_place;      ///< see sending::is_answered_by_place
    step_index sent_by;             ///< no_step: it is owed
    step_index taken_by = no_step;  ///< no_step: it was not
  };
  struct step {
    step_index previous;       ///< of its actor, which sends nothing in two steps at once
    step_index cause;          ///< by which what it takes was sent
    std::size_t takes;         ///< number of a message, or `nothing`: what it takes is in no queue
    std::size_t answers_for;   ///< number of a message to its actor, which has ended, or `nothing`
    bool closes_last = false;  ///< if its actor ends: it tells of that before it closes its queue
  };
  static constexpr auto nothing = static_cast<std::size_t>(-1);

  /// An actor that has ended has not answered yet. What it owes is among the messages, after all others.
  struct debt {
    std::size_t request;
    std::size_t answer;
    step_index last_of_receiver;
    bool is_taken_at_once;  ///< whoever gets the answer refuses nothing
  };

  std::vector<step> steps;
  std::vector<message> messages;  ///< in the order in which they were sent
  std::vector<debt> debts;
  /// Who takes something first fetches all that has come into its queue, and takes what is urgent of that first. True:
  /// only if it has nothing left of what it fetched before that it would take; false: whenever that may be.
  bool fetches_when_nothing_is_left = false;

  /// Whether that can be.
  /// @param accepts  (a message, a step): whether that step's actor would have taken the message in its place
  /// @par Cost  O(steps + messages) where all is taken in the order in which it was sent in this execution; else steps
  ///            times messages of a queue, and as many questions if it can be only since actors refuse messages.
  [[nodiscard]] bool can_be(const std::function<bool(std::size_t, step_index)>& accepts) const;

private:
  class order;
  [[nodiscard]] bool is_in_order_of_sending() const;
};

}  // namespace harrier::reexecution
