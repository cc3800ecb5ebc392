#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/arena.hpp>
#include <harrier/core/delivery.hpp>
#include <harrier/core/finding.hpp>
#include <harrier/core/identity.hpp>
#include <harrier/core/invariant.hpp>
#include <harrier/core/message.hpp>
#include <harrier/core/monitor.hpp>
#include <harrier/core/observer.hpp>
#include <harrier/core/raw_stack.hpp>
#include <harrier/core/step.hpp>

namespace harrier {

class queues;

/// Where the deliveries of a search are noted as they are made, so that another
/// process can read what led to a crash. May lie in shared memory.
struct flight_record {
  /// Deliveries begun and ended; they differ by 1 while a handler runs.
  std::uint64_t begun = 0;
  std::uint64_t ended = 0;
  /// Explored deliveries on the current path, the running one included.
  std::uint32_t depth = 0;
};

/// A program in one of its configurations: what can be delivered now, deliver
/// it, go back.
///
/// The one seam between programs and searches. The cloud of messages, the
/// predicate `deliverable` and the stack of steps are the same for every
/// adapter and live here; what a delivery does is the message_type's.
///
/// A system starts in the program's initial configuration (the driver has run)
/// and is always at the end of one execution, a stack of steps. Iteration over
/// the cloud is in the order in which messages were sent; deliver and undo keep
/// that order exactly, so a loop may deliver, undo and go on where it was.
/// Deliver and undo cost O(size of the receiver's state + sends).
///
/// A system belongs to one thread. Two systems of one program share nothing.
class system {
public:
  /// A handler did not repeat what it did before. what() says which, and the
  /// first difference; the step in question is the last one of the system.
  class nondeterminism : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
  };

  explicit system(delivery model = delivery::unordered);
  virtual ~system();
  system(const system&) = delete;
  system& operator=(const system&) = delete;

  /// @name The cloud
  /// @{

  /// The oldest deliverable message, or no_message: then the execution is at
  /// its end (or at the depth limit, see truncated()).
  [[nodiscard]] message_slot first_deliverable() const {
    return steps_.size() >= horizon_ ? no_message : deliverable_from(messages_[no_message].next);
  }
  /// The next deliverable message sent after `m`, or no_message.
  [[nodiscard]] message_slot next_deliverable(message_slot m) const { return deliverable_from(messages_[m].next); }

  /// Whether pending message `m` may be delivered now: its receiver is alive,
  /// not blocked in a call to which `m` is not the reply, and accepts it, and
  /// the delivery model lets it come before all others that may.
  [[nodiscard]] bool deliverable(message_slot m) const {
    const auto& x = messages_[m];
    if (actors_[x.receiver].state_of_life == actor::mode::open && !x.constrained) [[likely]]
      return true;
    return deliverable_if_accepted(m);
  }

  /// Whether `m`, had it been pending then, could have been delivered in place
  /// of step `e`, a step of the same receiver.
  [[nodiscard]] bool was_deliverable(message_slot m, step_index e) const;

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

  /// The message in slot `m`, 1 <= m <= message_count().
  [[nodiscard]] const message& message_at(message_slot m) const { return messages_[m]; }
  /// Number of messages sent so far in this execution, set-up included.
  [[nodiscard]] std::size_t message_count() const { return messages_.size() - 1; }

  /// Under delivery::causal: whether `earlier` was sent causally before `later`,
  /// and whether all that actor `a` will send comes causally after `m`.
  [[nodiscard]] bool is_sent_before(message_slot earlier, message_slot later) const;
  [[nodiscard]] bool is_known_to(message_slot m, actor_slot a) const;
  /// In which orders messages may be delivered.
  [[nodiscard]] delivery model() const { return model_; }
  /// With mailboxes, what a step sends is not what arrives: the message that
  /// arrived for `m`, no_message until it has; without, `m` itself.
  [[nodiscard]] message_slot as_arrived(message_slot m) const { return has_mailboxes() ? twin_of(m, true) : m; }
  /// The message that was sent of which `m` is the arrived one; else `m` itself.
  [[nodiscard]] message_slot as_sent(message_slot m) const { return has_mailboxes() ? twin_of(m, false) : m; }
  /// Under delivery::mailbox: the message sent before `m` to the same actor,
  /// those of failed steps left out; no_message if it is the first.
  [[nodiscard]] message_slot sent_before(message_slot m) const;

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
  /// Whether `a` is the mailbox of another actor, the one before it. Only under
  /// delivery::mailbox_interleaved has each actor one.
  [[nodiscard]] bool is_mailbox(actor_slot a) const { return has_mailboxes() && a % 2 == 1; }
  /// Number of actors without the driver and without mailboxes.
  [[nodiscard]] std::size_t created_count() const { return actors_.size() / slots_an_actor() - 1; }
  /// From one actor to the next: 2 if each has a mailbox.
  [[nodiscard]] actor_slot slots_an_actor() const { return has_mailboxes() ? 2 : 1; }
  /// The slot of the actor named `id`, which must exist in this execution.
  [[nodiscard]] actor_slot slot_of(actor_id id) const { return actor_slots_[static_cast<std::uint32_t>(id)]; }
  /// @}
  /// @name The execution
  /// @{

  /// Steps from the initial configuration to here.
  [[nodiscard]] std::size_t depth() const { return steps_.size() - base_; }
  /// Steps taken before the initial configuration: the set-up's and the driver's.
  [[nodiscard]] std::size_t setup_steps() const { return base_; }
  /// Step number `i`, 0 <= i < setup_steps() + depth().
  [[nodiscard]] const step& step_at(std::size_t i) const { return steps_[i]; }
  [[nodiscard]] std::size_t step_count() const { return steps_.size(); }
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
  /// The explored deliveries so far, to be repeated on a fresh system.
  [[nodiscard]] schedule current_schedule() const;
  /// @}
  /// @name Going forth and back
  /// @{

  /// Delivers `m`, which must be deliverable. The handler's draws follow `code`
  /// (see step::code); draws beyond it give 0.
  /// @throws nondeterminism if the handler does not repeat what it did before;
  ///         the system can then only be asked for descriptions or destroyed.
  void deliver(message_slot m, std::uint64_t code = 0) {
    if (--until_watch_ == 0) [[unlikely]]
      return deliver_watched(m, code);
    deliver_unwatched(m, code);
  }

  /// Delivers the event called `label`, a message or one of its alternatives,
  /// which must be deliverable; as deliver does.
  void deliver_event(message_id label) {
    const auto m = slot_of(identities_.message_of(label));
    if (--until_watch_ == 0) [[unlikely]]
      return deliver_watched(m, identities_.code_of(label));
    deliver_named(m, identities_.code_of(label), label);
  }

  /// Takes the last step back. depth() must not be 0.
  void undo() {
    auto& s = steps_.back();
    messages_[s.message].type->undo(*this, s);
    if (queues_ != nullptr) [[unlikely]]
      undo_queues(s);
    unsend(s);
    auto& receiver = actors_[s.receiver];
    if (receiver.state_of_life != s.mode_before) [[unlikely]]
      set_mode(receiver, s.mode_before);
    receiver.draining = s.draining_before;
    receiver.awaited = s.awaited_before;
    receiver.activity = s.activity_before;
    receiver.last_step = s.previous;
    arena_.rewind(s.memory_before);
    const auto& m = messages_[s.message];
    messages_[m.previous].next = s.message;
    messages_[m.next].previous = s.message;
    steps_.pop();
  }

  /// Delivers what a schedule says, from here. @throws error at the first
  /// delivery that is not possible, with its number; the system stays there.
  void run(const schedule& planned);

  /// The code of the next combination of draws for the last step, in the order
  /// of an odometer; 0 if it was the last one.
  [[nodiscard]] std::uint64_t next_code() const {
    return steps_.back().first_choice == choices_.size() ? 0 : next_code_of_choices();
  }
  /// @}
  /// @name Ends
  /// @{

  /// A step ended the execution (failed requirement, exception).
  [[nodiscard]] bool aborted() const { return aborts_ > 0; }
  /// Lets a search run on after such a step, for what the other actors do: its
  /// actor takes nothing more and what it sent in that step is never delivered,
  /// so nothing that follows depends on it. Reductions need that: they run
  /// independent steps in one order only. Off by default.
  void go_on_after_abort(bool on) { go_on_after_abort_ = on; }
  /// The depth limit was reached while something could still be delivered.
  [[nodiscard]] bool truncated() const {
    return !aborted() && depth() >= depth_limit_ && deliverable_from(messages_[no_message].next) != no_message;
  }
  /// Number of actors blocked in a call.
  [[nodiscard]] int waiting_count() const { return waiting_; }
  /// Whether some actor's class tells when it is at rest.
  [[nodiscard]] bool rest_matters() const { return rest_matters_; }
  /// Executions end at that many deliveries, at least 1.
  void limit_depth(std::size_t deliveries);
  /// @}
  /// @name Watching
  /// @{

  /// Who is told of findings and polled; null: nobody. Not owned.
  /// @return who was told before.
  observer* observe(observer* watcher) { return std::exchange(observer_, watcher); }
  /// Asks `judge` after each delivery, and tells it of each undo; null: nobody.
  /// Not owned. Costs what the monitor does.
  void attach(monitor* judge);
  /// The records of the last step, oldest first.
  [[nodiscard]] std::span<const record> records_of_last_step() const { return records_of_step(steps_.size() - 1); }
  /// The records of step `i`, oldest first.
  [[nodiscard]] std::span<const record> records_of_step(std::size_t i) const;
  /// How often a delivery is run twice to see that the handler repeats itself:
  /// never, now and then (all of the first thousand, later at a cost below
  /// 5 %), or always.
  enum class repetition : std::uint8_t { off, sample, all };
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
  /// @}
  /// @name Names
  /// @{
  [[nodiscard]] identities& names() { return identities_; }
  /// `client_1`: class and number in creation order; `driver` for slot 0.
  [[nodiscard]] std::string actor_name(actor_slot a) const;
  /// `set(5)`.
  [[nodiscard]] std::string message_text(message_slot m) const;
  /// The actor's local state: `{value=5}`.
  [[nodiscard]] std::string state_text(actor_slot a) const;
  /// Where message `m` comes from, see trace_step::id.
  [[nodiscard]] std::string message_path(message_slot m) const;
  /// The message with that path in this execution; no_message if there is none.
  [[nodiscard]] message_slot message_at_path(const std::string& path) const;
  /// Stands for the whole configuration: actors in creation order and pending
  /// messages in sending order. O(size of the configuration).
  [[nodiscard]] fingerprint configuration() const;
  /// Writes what decides how actor `who`, blocked in a call, goes on once it has
  /// the reply; nothing for another actor. Two handlers that would go on alike
  /// may be written differently. The bytes mean nothing in another process.
  virtual void write_activity(actor_slot who, value_bytes& out) const {
    static_cast<void>(who);
    static_cast<void>(out);
  }
  /// @}

protected:
  /// @name For adapters, while a step runs
  /// @{

  /// Puts a message into the cloud. `payload` lies in memory().
  message_slot post(actor_slot receiver, const message_type& type, void* payload) {
    const auto m = append(receiver, type, payload);
    if (queues_ != nullptr) [[unlikely]]
      queue(m);
    return m;
  }
  message& sent(message_slot m) { return messages_[m]; }
  /// The receiver's local state decides whether `m` is deliverable.
  void guard(message_slot m) { messages_[m].guarded = messages_[m].constrained = true; }

  /// Adds an actor; `state` lies in memory().
  actor_slot add_actor(const actor_type& type, void* state);
  actor& actor_in(actor_slot a) { return actors_[a]; }
  void set_mode(actor& a, actor::mode mode) {
    waiting_ += (mode == actor::mode::waiting) - (a.state_of_life == actor::mode::waiting);
    a.state_of_life = mode;
  }
  /// Puts a message that no step sent: what starts the driver.
  message_slot post_from_outside(actor_slot receiver, const message_type& type, void* payload);
  step& running() { return steps_.back(); }
  arena& memory() { return arena_; }
  /// Makes a choice among `arity` values for the running step.
  std::uint64_t choose(std::uint64_t arity);
  /// Records a finding of the running step.
  void record_finding(finding_kind kind, std::string message, std::string file, std::uint32_t line) {
    record_finding({.kind = kind, .message = std::move(message), .file = std::move(file), .line = line});
  }
  void record_finding(record what);
  /// Ends the execution with the running step; its receiver takes nothing more.
  void abort_execution();
  /// Delivers what is deliverable, oldest first, until nothing is: the set-up.
  void run_setup();
  /// What was done so far becomes the initial configuration.
  void begin_exploration();
  void deliver_unwatched(message_slot m, std::uint64_t code) {
    const auto id = messages_[m].id;
    deliver_named(m, code, code == 0 ? id : identities_.alternative(id, code));
  }
  void deliver_named(message_slot m, std::uint64_t code, message_id label) {
    auto& s = steps_.push();
    auto& x = messages_[m];
    auto& receiver = actors_[x.receiver];
    s.message = m;
    s.receiver = x.receiver;
    s.label = label;
    s.first_sent = static_cast<message_slot>(messages_.size());
    s.first_created = static_cast<actor_slot>(actors_.size());
    s.previous = receiver.last_step;
    s.first_choice = static_cast<std::uint32_t>(choices_.size());
    s.code = code;
    s.mode_before = receiver.state_of_life;
    s.draining_before = receiver.draining;
    s.awaited_before = receiver.awaited;
    s.activity_before = receiver.activity;
    s.state_before = nullptr;
    s.memory_before = arena_.here();
    s.needs_cleaning = s.flagged = s.aborted = false;
    receiver.last_step = static_cast<step_index>(steps_.size() - 1);
    messages_[x.previous].next = x.next;
    messages_[x.next].previous = x.previous;
    sender_ = s.label;
    sent_any_ = created_any_ = false;
    if (steps_.size() > base_) {
      const auto depth = steps_.size() - base_;
      if (depth <= path_.size()) path_[depth - 1] = {code, m};
      record_->depth = static_cast<std::uint32_t>(depth);
    }
    if (queues_ != nullptr) [[unlikely]]
      take_from_queue(m);
    ++record_->begun;
    x.type->deliver(*this, s);
    ++record_->ended;
    if (has_mailboxes()) [[unlikely]]
      let_arrive();
    if (steps_.back().flagged) [[unlikely]]
      report_flagged_step();
  }
  /// @}

private:
  [[nodiscard]] message_slot deliverable_from(message_slot m) const {
    while (m != no_message && !deliverable(m)) m = messages_[m].next;
    return m;
  }
  [[nodiscard]] bool deliverable_if_accepted(message_slot m) const;
  [[nodiscard]] const void* state_before(actor_slot a, step_index e) const;
  [[nodiscard]] bool has_mailboxes() const { return model_ == delivery::mailbox_interleaved; }
  [[nodiscard]] message_slot twin_of(message_slot m, bool arrived) const;
  actor_slot add_one(const actor_type& type, void* state);
  void queue(message_slot m);
  void take_from_queue(message_slot m);
  void undo_queues(const step& s);
  void let_arrive();
  [[nodiscard]] fingerprint put_aside_from(message_slot sent) const;
  void post_arrival(message_slot sent);
  class arrival;
  class end_of_arrivals;
  class mailbox;
  [[nodiscard]] std::uint64_t next_code_of_choices() const;
  void deliver_watched(message_slot m, std::uint64_t code);
  void deliver_twice(message_slot m, std::uint64_t code);
  void ask_monitor();
  void schedule_watch();
  void report_flagged_step();

  message_slot append(actor_slot receiver, const message_type& type, void* payload) {
    const auto m = static_cast<message_slot>(messages_.size());
    auto& x = messages_.push();
    const auto last = messages_[no_message].previous;
    x.next = no_message;
    x.previous = last;
    messages_[last].next = m;
    messages_[no_message].previous = m;
    x.receiver = receiver;
    x.id = next_message_name();
    x.sent_by = static_cast<step_index>(steps_.size() - 1);
    x.answers = 0;
    x.kind = message::role::plain;
    x.guarded = x.dead = x.owns_payload = false;
    x.constrained = queues_ != nullptr;
    x.type = &type;
    x.payload = payload;
    const auto name = static_cast<std::uint32_t>(x.id);
    if (name >= slots_.size()) [[unlikely]]
      slots_.resize(identities_.message_count() + name / 2);
    slots_[name] = m;
    return m;
  }

  message_id next_message_name() {
    last_sent_ = sent_any_ ? identities_.next_sent(last_sent_) : identities_.first_sent(sender_);
    sent_any_ = true;
    return last_sent_;
  }
  /// Takes away what step `s` sent, created and chose.
  void unsend(step& s) {
    if (s.needs_cleaning) [[unlikely]]
      clean(s);
    if (messages_.size() != s.first_sent) {
      const auto last = messages_[s.first_sent].previous;
      messages_[last].next = no_message;
      messages_[no_message].previous = last;
      messages_.truncate(s.first_sent);
    }
    actors_.truncate(s.first_created);
  }
  void clean(step& s);

  delivery model_;
  std::unique_ptr<queues> queues_;  // null: unordered
  identities identities_;
  arena arena_;
  internal::raw_stack<message> messages_;  // slot 0 is the ring's head
  internal::raw_stack<actor> actors_;
  internal::raw_stack<step> steps_;
  std::vector<message_slot> slots_;      // by message_id
  std::vector<actor_slot> actor_slots_;  // by actor_id
  std::vector<choice> choices_;
  std::vector<record> records_;

  message_id sender_ = identities::origin;  // the running delivery
  message_id last_sent_{};
  actor_id last_created_{};
  bool sent_any_ = false;
  bool created_any_ = false;
  int waiting_ = 0;
  int aborts_ = 0;
  bool go_on_after_abort_ = false;
  bool rest_matters_ = false;  // since some execution of this system
  std::uint32_t outside_messages_ = 0;
  std::uint32_t base_ = 0;
  std::size_t horizon_ = std::numeric_limits<std::size_t>::max();
  std::size_t depth_limit_ = std::numeric_limits<std::uint32_t>::max();

  observer* observer_ = nullptr;
  monitor* monitor_ = nullptr;
  std::uint64_t until_watch_ = 1;
  std::uint64_t next_poll_ = 0;
  std::uint64_t poll_interval_ = 1;
  std::uint64_t next_repetition_ = 0;
  std::chrono::steady_clock::time_point polled_at_;
  repetition repetition_ = repetition::off;
  bool check_undo_ = false;
  std::uint64_t repetitions_ = 0;
  flight_record own_record_;
  flight_record* record_ = &own_record_;
  std::span<scheduled> path_;
};

}  // namespace harrier
