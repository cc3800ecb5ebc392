#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <harrier/core/arena.hpp>
#include <harrier/core/message.hpp>

namespace harrier {

/// One macro-step of the current execution: a message was delivered and the
/// receiver's handler ran to its end, or to its next wait for a reply.
struct step {
  message_slot message;
  actor_slot receiver;
  /// The event's name: the message, or that alternative of it which was drawn.
  message_id label;
  /// The first message it sent and the first actor it created, if there are
  /// any: it sent the slots from here to those of the next step.
  message_slot first_sent;
  actor_slot first_created;
  /// The step before it on the same receiver; no_step if none.
  step_index previous;
  /// How many data choices were made before it.
  std::uint32_t first_choice;
  /// The values drawn by `choose`, in mixed radix: the first draw is the lowest
  /// digit. 0 if nothing or only zeros were drawn.
  std::uint64_t code;

  /// What else the receiver was, to be restored.
  actor::mode mode_before;
  bool draining_before;
  message_slot awaited_before;
  void* activity_before;
  /// Of an adapter that keeps copies: the receiver's local state before the
  /// step, null if it was not copied.
  void* state_before;
  arena::mark memory_before;

  step_kind kind;
  /// Its adapter says that the receiver's local state is as it was before.
  bool keeps_state;
  /// It sent or created something that needs more than rewinding the arena.
  bool needs_cleaning;
  /// A finding was recorded in it.
  bool flagged;
  /// It ended the execution: a failed requirement or an uncaught exception, or
  /// what follows in this struct.
  bool aborted;
  /// What it assumed does not hold: the execution does not count.
  bool discarded;
};

/// A word that a step left for the tally of outcomes.
struct noted {
  step_index at;
  std::string word;
};

/// That a step touched memory which several actors share, for which one actor's name stands.
struct touch {
  step_index at;
  actor_slot what;
  /// The one before it of the same, as a number of execution::touches(), from 1; 0: none.
  std::uint32_t before;
};

/// One data choice made by a step.
struct choice {
  /// Number of values to choose from, at least 1.
  std::uint64_t arity;
  /// What one unit of it weighs in step::code.
  std::uint64_t scale;
};

/// `code` with the draw of `c` replaced by `value` and the later ones by 0.
constexpr std::uint64_t with_draw(std::uint64_t code, const choice& c, std::uint64_t value) {
  return value == code / c.scale % c.arity ? code : code % c.scale + value * c.scale;
}

/// One delivery of a schedule.
struct scheduled {
  std::uint64_t code;
  message_slot message;
  bool operator==(const scheduled&) const = default;
};

/// The recorded deliveries that reproduce an execution from its initial state,
/// the set-up not included. Slots are counted along the schedule itself, so it
/// holds for any fresh system of the same program.
using schedule = std::vector<scheduled>;

}  // namespace harrier
