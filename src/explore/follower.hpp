#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <harrier/core/system.hpp>

namespace harrier {

/// Whether something befell somebody, beyond what followed from an earlier fate.
bool is_fault(const fate& f);

/// Makes happen in a system of its own what another execution of the same program did, as far as it still can: in
/// another order, or without some of it. Messages are known by who sent them: the i-th that a step sends is the i-th of
/// the step that stands for it.
class follower {
public:
  /// @param old    at the end of the execution that is followed.
  /// @param fresh  in the initial configuration.
  follower(const system& old, system& fresh);

  /// What stands for message `m` of the old execution; no_message: it was not sent, or not yet.
  [[nodiscard]] message_slot here(message_slot m) const { return there_[m]; }
  [[nodiscard]] bool can_be_delivered(message_slot m) const {
    return m != no_message && fresh_.pending(m) && fresh_.first_deliverable() != no_message && fresh_.deliverable(m);
  }
  /// Whether step `i` of the old execution can be made to happen now.
  [[nodiscard]] bool can_be_made(step_index i) const { return can_be_delivered(message_of(i)); }
  /// Delivers what the old execution delivered in its step `i`, if it can be, and draws what was drawn there.
  /// @param without  one of that step's fates, which does not come about.
  /// @return whether it was delivered
  bool deliver_as(step_index i, std::optional<std::size_t> without = std::nullopt);
  /// Where the message of step `i` was never sent, since what sent it was left out: has another one stand for it that
  /// reads the same, is of the same actors, can be delivered, and stands for none. Nothing happens if there is none.
  void find_alike(step_index i);
  /// The same for a message that the old execution did not deliver, and what stands for it then.
  message_slot find_alike_of(message_slot ours);
  /// Like deliver_as(), with other draws: see step::code. @pre it can be made
  void deliver_drawing(step_index i, std::uint64_t code);
  /// What was delivered for step `i`; no_step: nothing was.
  [[nodiscard]] step_index made_for(step_index i) const { return step_there_[i]; }
  /// A stage begins when nothing else is left: what is left is delivered, at most so much.
  /// @return whether it can begin
  bool come_to_stage(std::size_t most);
  /// Delivers what can be, oldest first, at most so much. Timers fire when nothing else is left.
  void come_to_end(std::size_t most);
  /// What that would deliver next; no_message: the end has come.
  [[nodiscard]] message_slot next_by_itself() const;

private:
  [[nodiscard]] message_slot message_of(step_index i) const;
  void know_what_was_sent(step_index i);
  [[nodiscard]] bool is_alike(message_slot ours, message_slot theirs) const;
  void deliver(message_slot m, step_index i, std::optional<std::size_t> without);
  [[nodiscard]] std::uint64_t draw_wanted(std::size_t c, step_index i, std::optional<std::size_t> without) const;
  [[nodiscard]] bool is_fate_of_same(const fate& ours, step_index i, const fate& theirs, step_index at) const;

  const system& old_;
  system& fresh_;
  std::vector<message_slot> there_;     // by message of the old execution
  std::vector<step_index> step_there_;  // by its step
};

}  // namespace harrier
