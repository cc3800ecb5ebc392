#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/accesses.hpp>
#include <harrier/core/arena.hpp>
#include <harrier/core/execution.hpp>
#include <harrier/core/invariant.hpp>
#include <harrier/core/memoising.hpp>
#include <harrier/core/supervision.hpp>
#include <harrier/core/value_bytes.hpp>

namespace harrier {

struct specification;
class specifications;
class stages;

/// A program in one of its configurations: what can be delivered now, deliver
/// it, go back.
///
/// The one seam between programs and searches. The cloud of messages, the
/// predicate `deliverable` and the stack of steps are the same for every
/// adapter and live here and in execution; what a delivery does is the
/// message_type's, and what a receiver takes is asked of the adapter, which
/// derives from this class (docs/architecture.md has the contract on one page).
///
/// A system starts in the program's initial configuration (the driver has run)
/// and is always at the end of one execution, a stack of steps. Iteration over
/// the cloud is in the order in which messages were sent; deliver and undo keep
/// that order exactly, so a loop may deliver, undo and go on where it was.
/// Deliver and undo cost O(size of the receiver's state + sends) for an adapter
/// that copies states.
///
/// A system belongs to one thread. Two systems of one program share nothing.
class system : public execution {
public:
  /// A handler did not repeat what it did before. what() says which, and the
  /// first difference; the step in question is the last one of the system.
  class nondeterminism : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
  };

  virtual ~system();

  /// @name What can be delivered
  /// @{

  /// The oldest deliverable message, or no_message: then the execution is at
  /// its end (or at the depth limit, see truncated()).
  [[nodiscard]] message_slot first_deliverable() const {
    return steps_.size() >= horizon_ ? deliverable_alone() : deliverable_from(messages_[no_message].next);
  }
  /// The next deliverable message sent after `m`, or no_message.
  [[nodiscard]] message_slot next_deliverable(message_slot m) const {
    return steps_.size() >= horizon_ ? no_message : deliverable_from(messages_[m].next);
  }

  /// Whether pending message `m` may be delivered now: its receiver is alive
  /// and would take it, and the delivery model lets it come before all others
  /// that it would take.
  [[nodiscard]] bool deliverable(message_slot m) const {
    const auto& x = messages_[m];
    if (actors_[x.receiver].state_of_life == actor::mode::open && !x.constrained) [[likely]]
      return true;
    return deliverable_if_taken(m);
  }

  /// Whether `m`, had it been pending then, could have been delivered in place
  /// of step `e`, a step of the same receiver.
  [[nodiscard]] bool was_deliverable(message_slot m, step_index e) const {
    HARRIER_INVARIANT(steps_[e].receiver == messages_[m].receiver,
                      "was_deliverable asks about steps of the message's receiver");
    if (steps_[e].mode_before == actor::mode::open && !messages_[m].constrained) [[likely]]
      return true;
    return was_deliverable_if_taken(m, e);
  }

  /// Whether message `earlier` of the same receiver is in a queue of the delivery
  /// model before `later`: `later` is never taken before it where the receiver
  /// would take both.
  [[nodiscard]] bool comes_first_in_queue(message_slot earlier, message_slot later) const {
    return queues_ != nullptr && is_queued_before(earlier, later);
  }

  /// @}
  /// @name Going forth and back
  /// @{

  /// Delivers `m`, which must be deliverable. The handler's draws follow `code`
  /// (see step::code); draws beyond it give 0.
  /// @throws nondeterminism if the handler does not repeat what it did before;
  ///         the system can then only be asked for descriptions or destroyed.
  void deliver(message_slot m, std::uint64_t code = 0) {
    if (watch_.is_due()) [[unlikely]]
      return watch_.deliver(*this, m, code);
    deliver_unwatched(m, code);
  }

  /// Delivers the event called `label`, a message or one of its alternatives,
  /// which must be deliverable; as deliver does.
  void deliver_event(message_id label) {
    const auto m = slot_of(identities_.message_of(label));
    if (watch_.is_due()) [[unlikely]]
      return watch_.deliver(*this, m, identities_.code_of(label));
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

  /// Delivers what a schedule says, from here, also what follows a delivery that
  /// failed (see go_on_after_abort). @throws error at the first delivery that is
  /// not possible, with its number; the system stays there.
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
  /// A step assumed what does not hold: the execution does not count. It is then
  /// aborted, too.
  [[nodiscard]] bool discarded() const { return discards_ > 0; }
  /// Whether the execution, as far as it has come, is one of the program at all: a library may deliver less than the
  /// delivery model that is searched. What is not is run, since a search needs what it sees in it, but is not judged
  /// and counts as assumed away. What can be, can be continued, and so can all that leads to a part of it.
  [[nodiscard]] virtual bool can_be() const { return true; }
  /// Whether it still is with the delivery of `next`, which was not made, whatever that does.
  [[nodiscard]] virtual bool can_be_with(message_slot next) const { return static_cast<void>(next), can_be(); }
  /// Where in this process the code is that an actor goes on with which is in the middle of a handler; null where that
  /// is not known, as unless overridden.
  [[nodiscard]] virtual const void* code_of_suspended(actor_slot who) const { return static_cast<void>(who), nullptr; }
  /// Lets a search run on after such a step, for what the other actors do: its
  /// actor takes nothing more and what it sent in that step is never delivered,
  /// so nothing that follows depends on it. Reductions need that: they run
  /// independent steps in one order only. Off by default.
  /// @return whether it was on.
  bool go_on_after_abort(bool on) { return std::exchange(go_on_after_abort_, on); }
  /// Where an execution begins for those who search it, and how long it may be.
  struct beginning {
    std::uint32_t steps;
    std::size_t depth_limit;
  };
  /// What follows is searched as if the execution began here: depth(),
  /// setup_steps(), current_schedule() and the depth limit count from here.
  /// @return where it began before, for begin_at. What a finding is told with
  ///         must count from there again.
  beginning begin_here();
  /// @return where it began until now.
  beginning begin_at(const beginning& there);
  /// What a run is to reach at some time, and whether some execution of this system did: what its actors say
  /// (self::cover), that a timer fires which was armed, that an actor restarts which can.
  [[nodiscard]] const std::map<std::string, bool>& points() const { return points_; }
  void know_point(std::string name) { points_.try_emplace(std::move(name), false); }
  /// What is seen while it heals (lift_timeouts) is no part of an execution.
  void reach_point(std::string name) {
    if (!timeouts_are_lifted_) points_.insert_or_assign(std::move(name), true);
  }
  /// Whether an actor has armed a timer, in this or an earlier execution of this system.
  [[nodiscard]] bool has_timers() const { return has_timers_; }
  /// In what time a timer that was armed fires, in nanoseconds; `m` is what it sends.
  [[nodiscard]] std::int64_t delay_of(message_slot m) const;
  /// @name Where timers fire earliest first (faults::earliest_first)
  /// @{

  /// How much time has passed, in nanoseconds.
  [[nodiscard]] std::int64_t now() const { return releases_.empty() ? 0 : releases_.back().at; }
  /// When the timer that sends `m` fires, by that clock.
  [[nodiscard]] std::int64_t due_time(message_slot m) const;
  /// Whether its actor would take what timer `m` sends, if that fired now.
  [[nodiscard]] bool would_fire(message_slot m) const;
  /// @}
  /// Timers may fire as often as they like, or not: to see how an execution goes on that ended because of that.
  /// @return whether that was so.
  bool lift_timeouts(bool on) { return std::exchange(timeouts_are_lifted_, on); }
  /// The depth limit was reached while something could still be delivered.
  [[nodiscard]] bool truncated() const {
    return !aborted() && depth() >= depth_limit_ && deliverable_from(messages_[no_message].next) != no_message;
  }
  /// Whether the last step took a message back (see withdraw).
  [[nodiscard]] bool last_step_withdrew() const {
    return !withdrawals_.empty() && withdrawals_.back().by == last_step();
  }
  /// Number of actors in the middle of a handler.
  [[nodiscard]] int waiting_count() const { return waiting_; }
  /// Whether some timer could still fire, had its actor's not fired as often as they may (faults::timeouts): then the
  /// execution ends because of that budget.
  [[nodiscard]] bool is_out_of_timeouts() const;
  /// Whether some actor's class tells when it is at rest.
  [[nodiscard]] bool rest_matters() const { return rest_matters_; }
  /// Executions end at that many deliveries, at least 1.
  void limit_depth(std::size_t deliveries);
  /// From now on that may befall what steps send. Before the first explored step. (with_faults() does it for all
  /// systems of a program.)
  void allow(const faults& may_happen);
  [[nodiscard]] const faults& allowed_faults() const { return allowed_; }
  /// Stands for what has befallen `a` and its messages, how often its timers fired, and which recorded operations had
  /// returned before its own (histories), as far as that decides what can happen later; nothing if nothing has.
  void write_used_faults(actor_slot a, value_bytes& out) const;
  /// The same of what the receiver of `m` will know.
  void write_known_cuts(message_slot m, value_bytes& out) const;

  /// @}
  /// @name What a person or a search wants to know of it
  /// @{

  /// Who watches the deliveries.
  [[nodiscard]] supervision& watch() { return watch_; }
  [[nodiscard]] const supervision& watch() const { return watch_; }
  /// The stages of a program that goes on by itself when nothing more can be
  /// delivered (stages.hpp); null: it does not.
  [[nodiscard]] virtual stages* in_stages() { return nullptr; }
  /// `set(5)`.
  [[nodiscard]] std::string message_text(message_slot m) const;
  /// The actor's local state: `{value=5}`.
  [[nodiscard]] std::string state_text(actor_slot a) const;
  /// Stands for the whole configuration: actors in creation order and pending
  /// messages in sending order. O(size of the configuration).
  [[nodiscard]] fingerprint configuration() const;
  /// The same in parts: one an actor, one a pending message, in these orders, and one for the rest.
  [[nodiscard]] std::vector<fingerprint> configuration_parts() const;
  /// Whether steps may touch memory that several actors share, so that more than their receivers makes them dependent.
  [[nodiscard]] bool shares_memory() const { return shares_memory_; }
  /// Whether each step keeps a copy of its receiver's state before it
  /// (step::state_before, or step::keeps_state), so that it shows whether the step
  /// changed anything, and nothing but the state remembers that it was there.
  [[nodiscard]] virtual bool shows_changes() const { return false; }
  /// Whether messages of the program can be lost and doubled, and its actors crash (faults).
  [[nodiscard]] virtual bool can_be_befallen() const { return shows_changes(); }
  /// From now on handlers need not be called again for what they did before, where the adapter can do without.
  /// What a delivery does stays the same. @return whether the adapter can do as it is told; unless overridden it
  /// calls all handlers.
  virtual bool memoise(memoising how) { return how != memoising::on; }
  /// How much that was of use; nothing if it was not done, or to no avail.
  [[nodiscard]] virtual std::optional<memoised_steps> memoised() const { return std::nullopt; }
  /// From now on steps note in `log` which tracked fields their handlers touch, as
  /// far as the adapter can tell; null, as at the beginning: nobody wants to know.
  void log_accesses(access_log* log) { accesses_ = log; }
  [[nodiscard]] access_log* accesses() const { return accesses_; }
  /// From now on one path is searched for all that lead to a state, or that differ in the order of some steps of one
  /// actor: `who` does so. What an adapter does that depends on the path, it refuses. @throws untestable_program  it
  /// did
  virtual void merge_paths(std::string_view who);
  /// Whether something was done that depends on the path.
  [[nodiscard]] virtual bool depends_on_path() const;
  /// Adds what is to hold, before the first delivery. @throws untestable_program  if states cannot be seen
  void specify(specification what);
  /// Whether one of these looks at several actors at once, so that more than their receivers makes steps dependent.
  [[nodiscard]] bool looks_at_several() const;
  /// Whether one is asked between two deliveries, of one actor or of several.
  [[nodiscard]] bool looks_at_configurations() const;
  /// What of it the end of this execution breaks.
  [[nodiscard]] std::vector<record> broken_by_end() const;
  /// Writes what decides how actor `who`, in the middle of a handler, goes on
  /// once it has what it waits for; nothing for another actor. Two handlers that
  /// would go on alike may be written differently. The bytes are the same in
  /// every process that runs this binary (see place_in_binary).
  virtual void write_activity(actor_slot who, value_bytes& out) const {
    static_cast<void>(who);
    static_cast<void>(out);
  }
  /// What actor `who` receives, in words; of one that does not receive nothing sensible.
  [[nodiscard]] virtual std::string what_is_received(actor_slot who) const {
    static_cast<void>(who);
    return "a message";
  }
  /// @}

protected:
  explicit system(delivery model = delivery::unordered);

  /// @name What an adapter answers
  /// @{

  /// Brings the program into its initial configuration: creates the driver, runs
  /// what is not explored, and ends with begin_exploration(). Called once.
  /// @throws untestable_program if the program fails before its first message;
  ///         what was done until then is taken back.
  virtual void begin() = 0;

  /// Whether the receiver of `m`, as it was before its step `e` (or as it is
  /// now, if e is no_step), would take `m`, as far as that is up to the receiver:
  /// whether its guards accept it; if it was in the middle of a handler, whether
  /// it is what that waits for. Asked only where the message is guarded or the
  /// receiver was waiting, never of one that was gone.
  ///
  /// A function of what the receiver took before, and of `m`, alone: the same in
  /// every interleaving in which those are the same. `m` may have been sent later
  /// than e. An adapter that keeps copies of states looks at the copy (see
  /// state_before); one that re-executes must not answer from the state it is in.
  [[nodiscard]] virtual bool takes(message_slot m, step_index e) const = 0;

  /// @}
  /// @name For adapters, while a step runs
  /// @{

  /// Puts a message into the cloud. `payload` lies in memory().
  message_slot post(actor_slot receiver, const message_type& type, void* payload, lane in = lane::normal) {
    const auto m = append(receiver, type, payload);
    if (queues_ != nullptr) [[unlikely]]
      queue(m, in);
    return m;
  }
  message& sent(message_slot m) { return messages_[m]; }
  /// takes() decides whether `m` is deliverable.
  void guard(message_slot m) { messages_[m].guarded = messages_[m].constrained = true; }
  /// To ask takes() costs more than to walk along a queue.
  void guards_are_dear() { guards_are_dear_ = true; }
  /// @name For adapters whose programs have stages (see in_stages())
  /// @{

  /// step_ended() is called from now on, at the end of each step.
  void tell_ends_of_steps() { steps_end_with_more_ = tells_ends_ = true; }
  /// The running step, a timer's, is complete.
  virtual void timer_fired() {}
  /// The running step is complete, but for this: it may still post what alone
  /// can be delivered next, and record findings.
  virtual void step_ended() {}
  /// For a step whose handler sends after it has been delivered: what it sent is
  /// on its way.
  void complete_last_step() {
    if (has_mailboxes()) let_arrive();
  }
  /// Posts what begins a stage: a message that no step sent, and that comes after
  /// everything.
  message_slot post_next_stage(actor_slot receiver, const message_type& type) {
    const auto m = post_from_outside(receiver, type, nullptr);
    messages_[m].makes = step_kind::stage;
    return m;
  }
  /// Takes the last message away again, which post_next_stage posted and nobody took.
  void take_back_next_stage();
  /// Nothing but pending message `m` can be delivered until let_go(). Whoever
  /// undoes a step in which that was called, or what it posted, sees to it that
  /// the same is held as before.
  /// @pre  nothing else that could be delivered is dependent with `m`, or could
  ///       come to be before it: then reductions lose nothing by it.
  void hold_all_but(message_slot m);
  /// Nothing can be delivered until let_go().
  void hold_everything() { hold_all_but(no_message); }
  void let_go();
  [[nodiscard]] bool is_held() const { return is_held_; }
  /// Whether something could be delivered if nothing held it and no limit were there.
  [[nodiscard]] bool anything_deliverable() const { return deliverable_from(messages_[no_message].next) != no_message; }
  /// Changes the names with `other`, an execution of the same program: what has
  /// happened in both has one name.
  void exchange_names(system& other) { std::swap(identities_, other.identities_); }
  /// @}

  /// Takes back pending message `m`, whose receiver is the running actor: from
  /// now on it is not deliverable, and holds nothing back. Going back restores it.
  void withdraw(message_slot m);
  /// The running step looked for such messages: where there are some, it withdraws them.
  void withdraw_none();
  /// `m`, just posted, stands for something that befalls its receiver, not for a
  /// message of the program. How often that may happen is takes()'s to say: see
  /// times_taken.
  void mark_environment(message_slot m) { messages_[m].makes = step_kind::environment; }
  /// `m`, just posted in lane::timer by the running actor to itself, is what a timer sends that has been armed.
  void mark_timer(message_slot m, std::int64_t nanoseconds);
  /// @name Crashes (faults::crash), and the clock (faults::earliest_first)
  /// @{

  [[nodiscard]] virtual crash_rules rules_of_crash(actor_slot a) const { return static_cast<void>(a), crash_rules(); }
  /// How many messages the running step had sent from `from` on, each time when its handler saw to it that what it
  /// keeps is kept; since it restarted last, if it has in this step.
  [[nodiscard]] virtual std::vector<std::size_t> synced_after(message_slot from) const {
    return static_cast<void>(from), std::vector<std::size_t>();
  }
  virtual void forget_synced() {}
  /// The running actor crashes: after its step, or in it, after `synced` of synced_after(). It drops what it waits for.
  /// Unless overridden it stays away.
  virtual void crash_running(bool is_complete, std::size_t synced);
  /// @}
  /// @name What befalls messages (faults::lose, ::duplicate, ::partition)
  /// @{

  /// Whether something may befall message `m`, which the running step sent from one actor to another.
  [[nodiscard]] virtual bool may_be_befallen(message_slot m) const { return static_cast<void>(m), true; }
  /// Message `m` of the running step is lost: nobody will take it.
  virtual void message_lost(message_slot m) { static_cast<void>(m); }
  /// Whether message `m` of the running step may arrive twice.
  [[nodiscard]] virtual bool may_come_twice(message_slot m) const;
  /// The running step sends `m` a second time. @return the second one
  virtual message_slot send_again(message_slot m);
  /// @}
  /// @name What crashes, and the clock
  /// @{

  /// Of an adapter whose driver is run again elsewhere: what the driver creates does not crash before its first step.
  void spare_what_is_created() { draws_of_created_ = false; }
  [[nodiscard]] bool draws_for_created() const { return draws_of_created_; }
  /// The driver, whose step runs, has named two groups. What is not between two such groups is never cut.
  void add_partition(named_partition groups);
  /// From now on timers fire when their time has come: see release().
  virtual void prepare_clock() {}
  /// Time has passed until timer `m` is due, which can fire from now on.
  void release(message_slot m);
  [[nodiscard]] bool timeouts_are_lifted() const { return timeouts_are_lifted_; }
  /// From now on actors may crash: each that is there restarts as it is now.
  virtual void prepare_restarts() {}
  /// @}
  /// How many messages of `type` actor `a` took before its step `e` (no_step: so
  /// far): what a budget of one actor or channel is counted by. O(steps of a).
  [[nodiscard]] std::uint32_t times_taken(actor_slot a, const message_type& type, step_index e) const;

  /// Adds an actor; `state` lies in memory().
  actor_slot add_actor(const actor_type& type, void* state);
  actor& actor_in(actor_slot a) { return actors_[a]; }
  void set_mode(actor& a, actor::mode mode) {
    waiting_ += (mode == actor::mode::waiting) - (a.state_of_life == actor::mode::waiting);
    a.state_of_life = mode;
  }
  /// `m`, just posted, is a request: the running actor waits for its reply.
  void wait_for_reply(message_slot m);
  /// `m`, just posted, is the reply to `request`, which the running actor took.
  void mark_reply(message_slot m, message_slot request);
  /// actor::awaited of `a` before its step `e`; what it is, if e is no_step.
  [[nodiscard]] message_slot awaited_before(actor_slot a, step_index e) const {
    return e == no_step ? actors_[a].awaited : steps_[e].awaited_before;
  }
  /// Whether `m` is the reply for which its receiver waited before step `e`.
  [[nodiscard]] bool is_awaited(message_slot m, step_index e) const;
  /// What actor `a` was before its step `e`; what it is, if e is no_step.
  [[nodiscard]] actor::mode mode_before(actor_slot a, step_index e) const {
    return e == no_step ? actors_[a].state_of_life : steps_[e].mode_before;
  }
  /// Of an adapter that keeps copies of states in step::state_before: the local
  /// state of `a` before its step `e`.
  [[nodiscard]] const void* state_before(actor_slot a, step_index e) const;
  step& running() { return steps_.back(); }
  /// Whether the running handler has to be called, since it is watched whether it does what it did before.
  [[nodiscard]] bool is_repeating() const { return is_repeating_; }
  /// What the running step does was remembered; its handler was not called.
  void mark_recalled() { was_recalled_ = true; }
  arena& memory() { return arena_; }
  /// Makes a choice among `arity` values for the running step.
  std::uint64_t choose(std::uint64_t arity);
  /// Records a finding of the running step.
  void record_finding(finding_kind kind, std::string message, std::string file, std::uint32_t line) {
    record_finding({.kind = kind, .message = std::move(message), .file = std::move(file), .line = line});
  }
  void record_finding(record what);
  /// What steps touch besides their receivers makes them dependent. Before the first step of all.
  void share_memory() { shares_memory_ = true; }
  /// The running step touches memory that several actors share. For that memory stands the name of actor `what`, one
  /// that has it in every interleaving. Steps that touch the same are dependent, if memory is shared.
  void touch(actor_slot what);
  /// Leaves a word of the running step for the tally of outcomes.
  void leave_note(std::string word);
  /// Ends the execution with the running step; its receiver takes nothing more.
  void abort_execution();
  /// The same, and the execution does not count.
  void discard_execution();

  /// @}
  /// @name For adapters, in begin()
  /// @{

  /// Puts a message that no step sent: what starts the driver.
  message_slot post_from_outside(actor_slot receiver, const message_type& type, void* payload);
  /// Delivers `m`; nobody watches.
  void deliver_in_setup(message_slot m) { deliver_unwatched(m, 0); }
  /// Delivers what is deliverable, oldest first, until nothing is.
  void run_setup();
  /// Delivers `m`, and what it sends to others, not what these send.
  void run_start_up(message_slot m);
  /// What was done so far becomes the initial configuration.
  void begin_exploration();
  /// Goes back over all steps and destroys what is there. take_down does; an
  /// adapter that start_system did not make does in the destructor of its last
  /// class.
  void take_back_everything();
  /// @}

private:
  friend class names_in_use;
  friend class supervision;
  friend struct take_down;
  template <class Adapter, class... Arguments>
  friend auto start_system(Arguments&&... arguments);
  class arrival;
  class end_of_arrivals;
  class mailbox;

  [[nodiscard]] message_slot deliverable_from(message_slot m) const {
    while (m != no_message && !deliverable(m)) m = messages_[m].next;
    return m;
  }
  void deliver_all(const schedule& planned);
  [[nodiscard]] message_slot deliverable_alone() const {
    return is_held_ && depth() < depth_limit_ ? held_but_ : no_message;
  }
  void end_step_with_more() {
    if (allowed_.any()) draw_fates();
    if (allowed_.crash != 0) forget_synced();
    if (has_mailboxes()) let_arrive();
    if (tells_ends_) step_ended();
    if (specifications_ != nullptr) look_at_states();
    if (steps_.back().kind == step_kind::timeout) timer_fired();
  }
  [[nodiscard]] bool deliverable_if_taken(message_slot m) const;
  [[nodiscard]] bool was_deliverable_if_taken(message_slot m, step_index e) const;
  [[nodiscard]] bool was_withdrawn(message_slot m, step_index e) const {
    return !withdrawals_.empty() && is_among_withdrawn(m, e);
  }
  [[nodiscard]] bool is_among_withdrawn(message_slot m, step_index e) const;
  [[nodiscard]] bool is_held_back(message_slot m, step_index e) const;
  [[nodiscard]] bool is_queued_before(message_slot earlier, message_slot later) const;

  void deliver_unwatched(message_slot m, std::uint64_t code) {
    const auto id = messages_[m].id;
    deliver_named(m, code, code == 0 ? id : alternative(id, code));
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
    s.kind = x.makes;
    s.keeps_state = s.needs_cleaning = s.flagged = s.aborted = s.discarded = false;
    receiver.last_step = static_cast<step_index>(steps_.size() - 1);
    messages_[x.previous].next = x.next;
    messages_[x.next].previous = x.previous;
    sender_ = s.label;
    sent_any_ = created_any_ = false;
    if (steps_.size() > origin_) watch_.begin(steps_.size() - origin_, code, m);
    if (queues_ != nullptr) [[unlikely]]
      take_from_queue(m);
    watch_.handler_begins();
    x.type->deliver(*this, s);
    watch_.handler_ended();
    if (steps_end_with_more_) [[unlikely]]
      end_step_with_more();
    if (steps_.back().flagged) [[unlikely]]
      watch_.step_flagged(*this);
  }
  [[nodiscard]] std::uint64_t next_code_of_choices() const;

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
    x.makes = step_kind::delivery;
    x.guarded = x.dead = x.owns_payload = false;
    x.may_be_left = x.withdrawn = x.expires = false;
    x.posthumous = message::when_gone::left;
    x.constrained = queues_ != nullptr;
    x.type = &type;
    x.payload = payload;
    const auto name = static_cast<std::uint32_t>(x.id);
    if (name >= slots_.size()) [[unlikely]]
      make_room_for(x.id);
    slots_[name] = m;
    return m;
  }
  void make_room_for(message_id name);
  message_id alternative(message_id message, std::uint64_t code);
  void hold_names(std::function<void(name_keeper&)> tell) { tell_names_ = std::move(tell); }
  /// Gives names back if there are many. @param next  what is about to be delivered.
  void collect_names(message_id next);

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
  actor_slot add_one(const actor_type& type, void* state);

  void queue(message_slot m, lane in);
  void take_from_queue(message_slot m);
  void undo_queues(const step& s);
  void look_at_states();
  void draw_fates();
  struct armed {
    message_slot message;
    std::int64_t nanoseconds;
    std::int64_t due;
  };

  bool draw_crash(message_slot from, const crash_rules& rules);
  void draw_crashes();
  void draw_fate_of_created(actor_slot created);
  void draw_fate_of(message_slot m);
  [[nodiscard]] bool draw_cuts(message_slot m);
  void learn_of_cuts();
  void befall(fate drawn);
  [[nodiscard]] bool has_had_enough() const;
  [[nodiscard]] bool is_cut(actor_slot sender, actor_slot receiver) const;
  [[nodiscard]] const armed& armed_by(message_slot m) const;
  [[nodiscard]] bool takes_timer(message_slot m) const;
  [[nodiscard]] std::uint64_t times_fired(actor_slot a, step_index e) const;
  [[nodiscard]] bool fired_enough(actor_slot a, step_index e) const;
  [[nodiscard]] bool is_released(message_slot m, step_index e) const;
  [[nodiscard]] bool may_fire(message_slot m, step_index e) const {
    if (allowed_.earliest_first != 0 && !timeouts_are_lifted_ && !is_released(m, e)) return false;
    return !fired_enough(messages_[m].receiver, e);
  }
  [[nodiscard]] std::uint64_t times_befallen(fate::what happened, actor_slot sender, actor_slot receiver) const;
  void lose(message_slot m);
  [[nodiscard]] bool waits_for_first(message_slot m, step_index e) const;
  void let_arrive();
  [[nodiscard]] fingerprint put_aside_from(message_slot sent) const;
  void post_arrival(message_slot sent);

  struct released {
    step_index by;
    message_slot message;
    std::int64_t at;
  };
  struct withdrawal {
    message_slot message;
    step_index by;
  };

  arena arena_;
  supervision watch_;
  access_log* accesses_ = nullptr;
  message_id sender_ = identities::origin;  // the running delivery
  message_id last_sent_{};
  actor_id last_created_{};
  bool sent_any_ = false;
  bool created_any_ = false;
  bool go_on_after_abort_ = false;
  bool rest_matters_ = false;  // since some execution of this system
  bool steps_end_with_more_;
  bool has_timers_ = false;  // since some execution of this system
  bool draws_of_created_ = true;
  bool timeouts_are_lifted_ = false;
  bool has_befallen_[8] = {};  // by fate::what, since some execution of this system
  faults allowed_;
  bool guards_are_dear_ = false;
  bool shares_memory_ = false;
  bool tells_ends_ = false;
  bool is_held_ = false;
  bool is_repeating_ = false;
  bool was_recalled_ = false;
  message_slot held_but_ = no_message;
  std::uint32_t origin_ = 0;  // steps of the set-up
  int waiting_ = 0;
  int aborts_ = 0;
  int discards_ = 0;
  std::uint32_t outside_messages_ = 0;
  std::size_t horizon_ = std::numeric_limits<std::size_t>::max();
  std::size_t depth_limit_ = std::numeric_limits<std::uint32_t>::max();
  std::vector<withdrawal> withdrawals_;
  std::vector<armed> armed_;        // by message
  std::vector<released> releases_;  // if timers fire earliest first
  std::map<std::string, bool> points_;
  std::shared_ptr<specifications> specifications_;  // null: none
  std::function<void(name_keeper&)> tell_names_;    // null: names stay
};

/// Takes a system down: first all its steps back, while the adapter is whole.
struct take_down {
  void operator()(system* s) const;
};
using system_handle = std::unique_ptr<system, take_down>;

/// A new system of class `Adapter`, in its initial configuration.
/// @throws what Adapter's constructor and begin() throw.
template <class Adapter, class... Arguments>
auto start_system(Arguments&&... arguments) {
  std::unique_ptr<Adapter, take_down> made(new Adapter(std::forward<Arguments>(arguments)...));
  static_cast<system&>(*made).begin();
  return made;
}

}  // namespace harrier
