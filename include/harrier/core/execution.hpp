#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <harrier/core/delivery.hpp>
#include <harrier/core/faults.hpp>
#include <harrier/core/finding.hpp>
#include <harrier/core/fingerprint.hpp>
#include <harrier/core/identity.hpp>
#include <harrier/core/message.hpp>
#include <harrier/core/raw_stack.hpp>
#include <harrier/core/step.hpp>

namespace harrier {

class queues;

/// Consecutive slots.
struct slot_range {
  struct iterator {
    std::uint32_t at;
    std::uint32_t operator*() const { return at; }
    iterator& operator++() {
      ++at;
      return *this;
    }
    bool operator==(const iterator&) const = default;
  };
  std::uint32_t first;
  std::uint32_t last;  // the one after
  [[nodiscard]] iterator begin() const { return {first}; }
  [[nodiscard]] iterator end() const { return {last}; }
  [[nodiscard]] bool empty() const { return first == last; }
  [[nodiscard]] std::size_t size() const { return last - first; }
};

/// One execution of a program, from its first message to where it is now: the
/// cloud of messages, the actors, and the steps taken, each with what it sent,
/// created and drew.
///
/// Only a system changes it; everybody else reads. What a person would say of it
/// (who sent a message, whom a step created) is answered by the functions under
/// "The program's own view", whatever a delivery model does behind them.
class execution {
public:
  execution(const execution&) = delete;
  execution& operator=(const execution&) = delete;

  /// @name The cloud
  /// @{

  /// The message in slot `m`, 1 <= m <= message_count().
  [[nodiscard]] const message& message_at(message_slot m) const { return messages_[m]; }
  /// Number of messages sent so far in this execution, set-up included.
  [[nodiscard]] std::size_t message_count() const { return messages_.size() - 1; }
  /// Whether `m` was sent and not delivered yet.
  [[nodiscard]] bool pending(message_slot m) const {
    return m < messages_.size() && messages_[messages_[m].previous].next == m;
  }
  /// First pending message, deliverable or not; no_message if there is none.
  [[nodiscard]] message_slot first_pending() const { return messages_[no_message].next; }
  [[nodiscard]] message_slot next_pending(message_slot m) const { return messages_[m].next; }
  /// The slot of the message named `id` in this execution, delivered or not;
  /// no_message if it has not been sent.
  [[nodiscard]] message_slot slot_of(message_id id) const {
    const auto i = static_cast<std::uint32_t>(id);
    if (i >= slots_.size()) return no_message;
    const auto m = slots_[i];
    return m < messages_.size() && messages_[m].id == id ? m : no_message;
  }
  /// In which orders messages may be delivered.
  [[nodiscard]] delivery model() const { return model_; }

  /// @}
  /// @name Actors
  /// @{
  [[nodiscard]] const actor& actor_at(actor_slot a) const { return actors_[a]; }
  [[nodiscard]] std::size_t actor_count() const { return actors_.size(); }
  /// Whether the actor named `id` exists in this execution.
  [[nodiscard]] bool exists(actor_id id) const {
    const auto i = static_cast<std::uint32_t>(id);
    return i < actor_slots_.size() && actor_slots_[i] < actors_.size() && actors_[actor_slots_[i]].id == id;
  }
  /// The slot of the actor named `id`, which must exist in this execution.
  [[nodiscard]] actor_slot slot_of(actor_id id) const { return actor_slots_[static_cast<std::uint32_t>(id)]; }

  /// @}
  /// @name Steps
  /// @{

  /// Steps from the initial configuration to here.
  [[nodiscard]] std::size_t depth() const { return steps_.size() - base_; }
  /// Steps taken before the initial configuration: the set-up's and the driver's.
  [[nodiscard]] std::size_t setup_steps() const { return base_; }
  /// Whether step `i` was taken by the search; false for no_step.
  [[nodiscard]] bool is_explored(step_index i) const { return i != no_step && i >= base_; }
  /// Step number `i`, 0 <= i < step_count() = setup_steps() + depth().
  [[nodiscard]] const step& step_at(std::size_t i) const { return steps_[i]; }
  [[nodiscard]] std::size_t step_count() const { return steps_.size(); }
  [[nodiscard]] step_index last_step() const { return static_cast<step_index>(steps_.size() - 1); }
  /// The slot after the last message that step `i` sent.
  [[nodiscard]] message_slot sent_end(std::size_t i) const {
    return static_cast<message_slot>(i + 1 < steps_.size() ? steps_[i + 1].first_sent : messages_.size());
  }
  /// The slot after the last actor that step `i` created.
  [[nodiscard]] actor_slot created_end(std::size_t i) const {
    return static_cast<actor_slot>(i + 1 < steps_.size() ? steps_[i + 1].first_created : actors_.size());
  }
  /// The choices that step `i` made.
  [[nodiscard]] std::span<const choice> choices_of(std::size_t i) const {
    const auto end = i + 1 < steps_.size() ? steps_[i + 1].first_choice : choices_.size();
    return std::span(choices_).subspan(steps_[i].first_choice, end - steps_[i].first_choice);
  }
  /// The records of step `i`, oldest first.
  [[nodiscard]] std::span<const record> records_of_step(std::size_t i) const;
  /// What the steps so far left for the tally of outcomes, oldest first.
  [[nodiscard]] const std::vector<noted>& notes() const { return notes_; }
  /// What the steps so far touched besides their receivers, oldest first.
  [[nodiscard]] const std::vector<touch>& touches() const { return touches_; }
  /// What became of the messages of the steps so far to which something could happen (faults.hpp), oldest first.
  [[nodiscard]] const std::vector<fate>& fates() const { return fates_; }
  /// Of those that step `i` sent.
  [[nodiscard]] std::span<const fate> fates_of(std::size_t i) const;
  [[nodiscard]] bool anything_befell() const { return !mishaps_.empty(); }
  /// All that befell somebody, oldest first.
  [[nodiscard]] const std::vector<fate>& mishaps() const { return mishaps_; }
  /// Whether `m` was lost on its way.
  [[nodiscard]] bool is_lost(message_slot m) const;
  /// The groups that the driver has named.
  [[nodiscard]] const std::vector<named_partition>& partitions() const { return partitions_; }
  /// What is known of cuts between them where step `i` is complete: see named_partition.
  [[nodiscard]] std::uint32_t known_cuts(step_index i, std::size_t partition) const {
    return i < known_cuts_.size() && partition < known_cuts_[i].size() ? known_cuts_[i][partition] : 0;
  }
  /// Whether who takes `m` learns that there was a cut.
  [[nodiscard]] bool tells_of_cuts(message_slot m) const {
    if (partitions_.empty()) return false;
    const auto by = messages_[m].sent_by;
    for (std::size_t p = 0; by != no_step && p < partitions_.size(); ++p)
      if (known_cuts(by, p) != 0) return true;
    return false;
  }
  /// Whether `a` has crashed, and has not restarted.
  [[nodiscard]] bool has_crashed(actor_slot a) const;
  /// Whether pending message `m` can never be delivered any more, whatever happens next, for a reason other than that
  /// its receiver is gone.
  [[nodiscard]] bool is_void(message_slot m) const {
    const auto& x = messages_[m];
    if (x.dead || x.withdrawn) return true;
    return x.expires && x.kind == message::role::reply &&
           (actors_[x.receiver].state_of_life != actor::mode::waiting || actors_[x.receiver].awaited != x.answers);
  }
  /// Of step `i` alone.
  [[nodiscard]] std::span<const touch> touches_of(step_index i) const;
  [[nodiscard]] std::span<const record> records_of_last_step() const { return records_of_step(steps_.size() - 1); }
  /// The explored deliveries so far, to be repeated on a fresh system.
  [[nodiscard]] schedule current_schedule() const;

  /// @}
  /// @name The program's own view
  /// @{

  /// Whether `a` is no actor of the program, but part of how messages move.
  [[nodiscard]] bool is_internal(actor_slot a) const { return has_mailboxes() && a % 2 == 1; }
  /// Number of actors of the program, the driver left out.
  [[nodiscard]] std::size_t created_count() const { return actors_.size() / (has_mailboxes() ? 2 : 1) - 1; }
  /// What the handler run in step `i` sent, oldest first.
  [[nodiscard]] slot_range sent_by(std::size_t i) const;
  /// The actors of the program that step `i` created, oldest first.
  [[nodiscard]] std::vector<actor_slot> created_by(std::size_t i) const;
  /// The step whose handler sent `m`; no_step for the driver's first message.
  [[nodiscard]] step_index sender_of(message_slot m) const {
    return messages_[has_mailboxes() ? twin_of(m, false) : m].sent_by;
  }
  /// Whether its receiver took `m`, in the end.
  [[nodiscard]] bool is_taken(message_slot m) const;
  /// @}
  /// @name What the delivery model ordered
  /// @{

  /// What of the order in which pending messages were sent decides how an
  /// execution can go on.
  enum class pending_order : std::uint8_t { none, of_channel, of_receiver, causal };
  [[nodiscard]] pending_order order_of_pending() const;
  /// Where that is `causal`: whether `earlier` was sent causally before `later`,
  /// and whether all that actor `a` will send comes causally after `m`.
  [[nodiscard]] bool is_sent_before(message_slot earlier, message_slot later) const;
  [[nodiscard]] bool is_known_to(message_slot m, actor_slot a) const;
  /// Under delivery::mailbox_interleaved: the program's explored steps in an
  /// order in which they could be taken one after the other, each with all that
  /// it sends at once (delivery::mailbox); nothing if there is none.
  [[nodiscard]] std::optional<std::vector<step_index>> atomic_order() const;

  /// @}
  /// @name Names
  /// @{
  [[nodiscard]] identities& names() { return identities_; }
  [[nodiscard]] const identities& names() const { return identities_; }
  /// `client_1`: class and number in creation order; `driver` for slot 0.
  [[nodiscard]] std::string actor_name(actor_slot a) const;
  /// Where message `m` comes from, see trace_step::id.
  [[nodiscard]] std::string message_path(message_slot m) const;
  /// The message with that path in this execution; no_message if there is none.
  [[nodiscard]] message_slot message_at_path(const std::string& path) const;
  /// @}

protected:
  explicit execution(delivery model);
  ~execution();

private:
  friend class system;
  friend class dependence;

  [[nodiscard]] bool has_mailboxes() const { return model_ == delivery::mailbox_interleaved; }
  [[nodiscard]] message_slot twin_of(message_slot m, bool arrived) const;
  /// Under delivery::mailbox: the message sent before `m` to the same actor,
  /// those of failed steps left out; no_message if it is the first.
  [[nodiscard]] message_slot sent_before(message_slot m) const;

  delivery model_;
  std::uint32_t base_ = 0;
  identities identities_;
  internal::raw_stack<message> messages_;  // slot 0 is the ring's head
  internal::raw_stack<actor> actors_;
  internal::raw_stack<step> steps_;
  std::vector<message_slot> slots_;      // by message_id
  std::vector<actor_slot> actor_slots_;  // by actor_id
  std::vector<choice> choices_;
  std::vector<record> records_;
  std::vector<noted> notes_;
  std::vector<touch> touches_;
  std::vector<fate> fates_;
  std::vector<fate> mishaps_;  // those of them that are not arrivals
  std::vector<named_partition> partitions_;
  std::vector<std::vector<std::uint32_t>>
      known_cuts_;                            // by step, only where there are partitions; stale beyond the last
  std::vector<std::uint32_t> last_touch_of_;  // by actor; 0: none
  std::unique_ptr<queues> queues_;            // null: unordered
};

}  // namespace harrier
