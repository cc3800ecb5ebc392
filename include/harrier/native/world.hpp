#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <source_location>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include <harrier/core/system.hpp>
#include <harrier/native/handler.hpp>
#include <harrier/native/task.hpp>

namespace harrier {
class group;
class self;
}  // namespace harrier

/// The `system` of native actors: what a delivery does, and how it is undone.
///
/// Before a macro-step the receiver's state alone is copied into the arena; the
/// handler runs in place, so suspended coroutines keep their `this`; going back
/// moves the copy back. What becomes of suspended handlers: src/native.
namespace harrier::detail {

class object_maker;
class rebuilding;
class rebuilt_class;
struct rebuilt_state;
class receive_pattern;
class remembered_steps;
class suspended_handlers;
class virtual_clock;

/// A message type of this kit: it may start a coroutine.
class native_message : public message_type {
public:
  /// Calls the handler again for `rebuild`; the frame is not started.
  virtual frame* start(world& world, void* state, const void* payload) const = 0;
  /// Whether an actor in `state` accepts it. Asked only of guarded messages.
  [[nodiscard]] virtual bool accepts(const void* state, const void* payload) const = 0;
  /// Takes the result of a finished coroutine and replies with it if asked.
  virtual void finish(world& world, frame& finished, message_slot request) const = 0;
  /// Calls the handler again of an actor that is made anew; `object` is that. @param answers  whether it is a request
  virtual void repeat(world& world, void* object, const void* payload, bool answers) const {
    static_cast<void>(world), static_cast<void>(object), static_cast<void>(payload), static_cast<void>(answers);
  }

protected:
  constexpr ~native_message() = default;
};

class native_actor : public actor_type {
public:
  constexpr native_actor(std::size_t bytes, std::size_t aligned_to) : size(bytes), alignment(aligned_to) {}
  std::size_t size;
  std::size_t alignment;

  /// Whether that is among the plain messages that the class lists, if it does.
  [[nodiscard]] virtual bool may_be_sent(const std::type_info& message) const {
    return static_cast<void>(message), true;
  }

  /// What becomes of an actor in `state` that crashes.
  [[nodiscard]] virtual crash_rules rules_of_crash(const void* state) const {
    return static_cast<void>(state), crash_rules();
  }
  /// Makes of `state` what `created` was, but for what survives: that is as in `kept`.
  virtual void restart(void* state, const void* created, const void* kept) const {
    static_cast<void>(state), static_cast<void>(created), static_cast<void>(kept);
  }
  /// `state` is a copy of another world's: from now on it is that of actor `a` of `by`, which has taken nothing yet.
  virtual void adopt(world& by, actor_slot a, void* state) const {
    static_cast<void>(by), static_cast<void>(a), static_cast<void>(state);
  }
  /// Calls the handler for that, if there is one.
  virtual void restarted(world& in, void* state) const { static_cast<void>(in), static_cast<void>(state); }

protected:
  constexpr ~native_actor() = default;
};

/// How `then` wants its reply: which message, and how to make its payload.
struct continuation {
  const message_type* type;
  /// The payload in `memory`, made from the callee's result (null for void).
  void* (*payload)(arena& memory, const void* result);
  bool guarded;
  bool owns_payload;
};

/// Thrown by `require` to leave the handler; the execution has been ended.
struct execution_over {};

/// What must only look at an actor of that class has changed it. @param what  the guard of which handler, or at_rest.
/// @throws system::nondeterminism
[[noreturn]] void changed_by_a_look(std::string_view actor, std::string_view what);

/// What the handlers of all kinds need of their system; all that depends on
/// their types is in kinds.hpp and bodies.hpp.
class world : public system {
public:
  using system::actor_in;
  using system::add_actor;
  using system::leave_note;
  using system::memory;
  using system::running;
  using system::wait_for_reply;

  ~world() override;
  void write_activity(actor_slot who, value_bytes& out) const override;
  [[nodiscard]] bool shows_changes() const override { return true; }
  bool memoise(memoising how) override;
  [[nodiscard]] std::optional<memoised_steps> memoised() const override;

  self& handle() { return *self_; }

  template <class Actor>
  Actor& state_of(actor_slot a) {
    return *static_cast<Actor*>(actor_in(a).state);
  }
  template <class Actor>
  void save(step& s);
  template <class Actor>
  void restore(step& s);

  /// The actor an address refers to; throws the user's error if there is none.
  actor_slot resolve(actor_id id) {
    if (!exists(id)) [[unlikely]]
      nobody(id);
    return slot_of(id);
  }

  template <class Actor, auto Handler>
  message_slot post_message(actor_slot to, typename traits<Handler>::parameters::payload&& arguments,
                            lane in = lane::normal);

  /// A suspended handler is made anew: what it does has no effect.
  [[nodiscard]] bool muted() const { return muted_; }
  actor_id recreated(const actor_type& type);
  std::uint64_t choose_value(std::uint64_t arity);

  /// @name Actors that are made anew (rebuilt)
  /// @{

  /// Adds one. @throws untestable_program  states are compared, and nothing stands for its
  actor_slot add_rebuilt(const rebuilt_class& type, std::shared_ptr<const object_maker> made_by);
  /// The object of the running step's receiver, as it is before the step, which is noted.
  void* begin_rebuilt(step& s);
  /// The handler has returned.
  void end_rebuilt(step& s);
  void undo_rebuilt(step& s);
  /// Sees to it that the object is there.
  void make_anew(rebuilt_state& state);
  /// What `type` may say of its actors in `state` now. @param taken  what the last step took, of one that shows nothing
  void look_at_rebuilt(const rebuilt_class& type, rebuilt_state& state, const step* taken);
  /// The actor of the running step has crashed in it, and begins again.
  void note_restart(const rebuilt_state& state);
  /// Whether an actor is being made anew.
  [[nodiscard]] bool makes_anew() const { return rebuilding_ != nullptr; }
  /// What is sent while a handler is repeated is compared with what was sent, where an actor is made anew.
  void repeat_send(const message_type& type, actor_slot to, const void* payload);
  /// The same of a reply. @param value  null: it is none
  template <class T>
  void repeat_reply(const T* value);
  void compare_reply(const message_type& type, const void* value);
  /// In a catch block: the same of what a repeated handler threw.
  void repeat_throw(bool answers);
  /// Whose handler runs, or is repeated.
  [[nodiscard]] actor_slot acting() const;
  /// @}

  /// The running coroutine waits for `reply` in `leaf`. @return whether it has
  /// to send its request.
  bool awaits(frame* leaf, awaited_reply* reply);
  /// Posts what starts a straight-line actor, which ends with it.
  template <class Actor, auto Run>
  void post_start(actor_slot to);
  /// Posts a plain message.
  template <class Message>
  message_slot post_plain(actor_slot to, Message message);
  /// The running coroutine receives in `leaf`. @param predicate  of `size` bytes, which `pattern` has a copy of
  /// @return whether that begins, and is not repeated
  /// @throws error if the predicate refers to a local variable of the coroutine, or to the actor
  bool receives(frame* leaf, awaited_reply* reply, const void* predicate, std::size_t size,
                std::unique_ptr<const receive_pattern, void (*)(const receive_pattern*)> pattern);
  /// @throws error if the class of the running actor lists what it receives, and that is not in the list
  void require_listed(const std::type_info& message, std::string_view name) const;
  /// Whether what is received may be none once that time is over; once nothing is there.
  void limit_receive(std::chrono::nanoseconds limit);
  void poll_receive();
  [[nodiscard]] bool can_be() const override;
  [[nodiscard]] const void* code_of_suspended(actor_slot who) const override;
  void merge_paths(std::string_view who) override;
  [[nodiscard]] bool depends_on_path() const override {
    return polls_ || unseen_ != nullptr || system::depends_on_path();
  }
  /// Tells who waits for it that the receiver of `watch` has ended.
  void tell_of_end(message_slot watch);
  /// The running coroutine waits for the end of `of`.
  void wait_for_end(frame* leaf, awaited_reply* reply, actor_id of);
  /// The step gives a coroutine what it received, if it did: no time has to be over for that any more.
  void end_of_receive(const step& s);
  /// A handler asked to receive, and did not wait for it.
  void receive_was_dropped(std::string_view what) noexcept;
  [[nodiscard]] std::string what_is_received(actor_slot who) const override;

  /// The reply to what is posted next is delivered as `value` says, a failure as
  /// `failure` says, if anything.
  void continues_with(const continuation& value, const continuation* failure);

  /// Replies to `request` with a T (or nothing for void).
  template <class T>
  void reply(message_slot request, const T& value);
  void reply(message_slot request);

  /// Whether recall() is to be asked before the handler of the running step is called.
  bool looks_back() { return --until_looking_back_ == 0; }
  /// Does what the same handler did before, of the same actor in the same state with the same message, if that is
  /// remembered. @return whether it was.
  bool recall(step& s);

  /// Starts a coroutine handler in the running step, or goes on with it.
  void start_activity(const native_message& handler, void* state, const void* payload);
  void undo_start(step& s);
  void resume(step& s, awaited_reply reply);
  void undo_resume(step& s);

  /// In a catch block: what the handler threw becomes a failed reply, or a
  /// finding that ends the execution.
  void handler_threw(message_slot request);
  void record_check(std::string_view text, const std::source_location& where) {
    if (muted_ || over_) return;
    record_finding(finding_kind::assertion, std::string(text), where.file_name(), where.line());
  }
  /// A handler asked for a call, or made a task, and did not wait for it.
  void call_was_dropped(std::string_view actor, std::string_view handler) noexcept;
  void task_was_dropped() noexcept;
  /// Ends the execution and leaves the handler. If that catches it and goes on,
  /// it does so without effect.
  [[noreturn]] void end_execution();
  /// The running handler has ended the execution.
  [[nodiscard]] bool is_over() const { return over_; }

  /// The same: what the handler assumes does not hold.
  [[noreturn]] void discard();

  /// @name Timers and crashes
  /// @{

  /// @throws error if `when` is negative, or under delivery::mailbox_interleaved.
  void check_timer(std::chrono::nanoseconds when) const;
  /// Message `m`, just posted by the running actor to itself, is sent by a timer.
  void arm(message_slot m, std::chrono::nanoseconds when);
  void cover(std::string_view point) {
    if (!muted_ && !over_) reach_point(std::string(point));
  }
  /// See self::partition.
  void name_partition(const group& first, const group& second, cuts how);
  /// The running actor disarms its timers that send that.
  void disarm(const message_type& type);
  /// The running actor waits for the reply to `request` for so long.
  void limit_wait(message_slot request, std::chrono::nanoseconds limit);
  /// How much time has passed. @throws untestable_program unless timers fire earliest first.
  [[nodiscard]] std::chrono::nanoseconds time_now() const;
  /// Null unless timers fire earliest first.
  [[nodiscard]] virtual_clock* clock() { return clock_.get(); }
  stages* in_stages() override;
  /// What the running actor keeps in a crash is from now on as it is now.
  void sync();
  /// A new actor whose object is at `state`, in this world's memory. @param is_destroyed  whether its end does
  /// something
  actor_id add_object(const actor_type& type, void* state, bool is_destroyed);
  /// The actor was just created: so it is again when it restarts.
  void keep_as_created(actor_slot a);
  /// @}

  /// The actor no longer waits.
  void open(actor& a);
  void destroy_running() { destroying_ = step_needs_ending_ = !muted_; }
  /// To be called at the end of each macro-step.
  void end_step() {
    if (step_needs_ending_) [[unlikely]]
      finish_step();
  }

protected:
  explicit world(delivery model);
  /// What the last step did is not all that is to be known of it.
  void forget_last_step();
  /// Delivers what was posted last, the driver's start-up, and what it sends.
  void start_up_driver();
  /// Delivers what was posted last, the driver's test: from there it is explored.
  /// @throws untestable_program if the program has failed by then.
  void test_driver();

private:
  friend class remembered_steps;
  friend class rebuilding;
  friend class suspended_handlers;
  friend class virtual_clock;

  [[nodiscard]] bool can_record_drop() const;
  [[nodiscard]] bool takes(message_slot m, step_index e) const final;
  [[nodiscard]] bool is_received(message_slot m, step_index e) const;
  message_slot post_limit(const message_type& type, std::chrono::nanoseconds limit);
  struct receive;
  void check_no_mailboxes(std::string_view what) const;
  [[noreturn]] void refuse_to_poll() const;
  void refuse_unseen() const;
  [[nodiscard]] bool is_nothing_there(actor_slot a, const receive& r, step_index e) const;
  [[nodiscard]] std::vector<message_slot> causal_past(step_index e) const;
  template <class Visit>
  void for_each_match(actor_slot a, const receive& r, step_index e, Visit visit) const;
  [[nodiscard]] crash_rules rules_of_crash(actor_slot a) const final;
  [[nodiscard]] std::vector<std::size_t> synced_after(message_slot from) const final;
  void forget_synced() final {
    syncs_.clear();
    kept_ = nullptr;
  }
  void crash_running(bool is_complete, std::size_t synced) final;
  void prepare_restarts() final;
  void prepare_clock() final;
  void step_ended() override;
  void timer_fired() final;
  [[nodiscard]] std::shared_ptr<void> copy_of_state(actor_slot a) const;
  [[nodiscard]] bool accepts_and_keeps(const message& m, const void* state) const;
  [[noreturn]] void nobody(actor_id id);
  void finish_step();
  void finish_destroying();
  void void_what_followed();
  void reply_failure(message_slot request, const std::string& what);
  message_slot post_reply(message_slot request, const message_type& type, void* payload);
  /// Replies as the caller's `then` says, if it is one.
  bool reply_to_then(message_slot request, const void* result);
  message_slot post_continuation(message_slot request, const continuation& next, const void* result);

  std::unique_ptr<self> self_;
  std::uint64_t until_looking_back_ = std::numeric_limits<std::uint64_t>::max();
  mutable std::uint64_t guards_asked_ = 0;
  bool step_needs_ending_ = false;
  bool destroying_ = false;
  bool over_ = false;
  bool muted_ = false;
  bool destroys_frames_ = false;  // of handlers that do not run
  std::unique_ptr<suspended_handlers> suspended_;
  std::unique_ptr<rebuilding> rebuilding_;  // null: no actor is being made anew
  const rebuilt_class* unseen_ = nullptr;   // a class of actors for whose states nothing stands
  std::shared_ptr<void> kept_;              // by the actor of the running step, when it restarted in that
  struct saved {
    message_slot sent_end;
    std::shared_ptr<void> state;
  };
  std::vector<std::shared_ptr<void>> created_as_;                            // by actor; empty where nobody may crash
  std::set<std::pair<const message_type*, const actor_type*>> armed_kinds_;  // since some execution
  std::set<std::pair<const message_type*, const actor_type*>> fired_kinds_;
  std::vector<saved> syncs_;  // of the step that is running
  /// What a coroutine receives, from that step on. While it does, its actor::awaited is the place here.
  struct receive {
    step_index since;
    std::unique_ptr<const receive_pattern, void (*)(const receive_pattern*)> pattern;
    message_slot otherwise;  // what says that there is none
  };
  std::vector<receive> receives_;  // some of steps that were taken back, which nobody refers to
  bool polls_ = false;             // some coroutine has looked whether a message is there
  std::string merges_paths_;       // who does
  std::unique_ptr<virtual_clock> clock_;
  std::unique_ptr<remembered_steps> remembered_;  // null: not
};

}  // namespace harrier::detail
