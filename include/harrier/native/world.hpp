#pragma once

#include <concepts>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/system.hpp>
#include <harrier/native/handler.hpp>
#include <harrier/native/names.hpp>
#include <harrier/native/reflect.hpp>
#include <harrier/native/self.hpp>
#include <harrier/native/task.hpp>

/// The `system` of native actors: what a delivery does, and how it is undone.
///
/// Before a macro-step the receiver's state alone is copied into the arena; the
/// handler runs in place, so suspended coroutines keep their `this`; going back
/// moves the copy back. A suspended coroutine cannot be copied: when a step
/// that resumed it is undone, its frame is thrown away and, only when it is
/// resumed again, made anew: from the copy taken before its handler started, by
/// feeding it the replies that it had received, with everything it does muted.
namespace harrier::detail {

struct activity;

/// A message type of this kit: it may start a coroutine.
class native_message : public message_type {
public:
  /// Calls the handler again for `rebuild`; the frame is not started.
  virtual frame* start(world& world, void* state, const void* payload) const = 0;
  /// Whether an actor in `state` accepts it. Asked only of guarded messages.
  [[nodiscard]] virtual bool accepts(const void* state, const void* payload) const = 0;
  /// Takes the result of a finished coroutine and replies with it if asked.
  virtual void finish(world& world, frame& finished, message_slot request) const = 0;

protected:
  constexpr ~native_message() = default;
};

class native_actor : public actor_type {
public:
  constexpr native_actor(std::size_t bytes, std::size_t aligned_to) : size(bytes), alignment(aligned_to) {}
  std::size_t size;
  std::size_t alignment;

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

/// A handler that waits for a reply. In the arena, as old as the step that
/// started it (or, for `then`, the step that called).
struct activity {
  const native_message* handler = nullptr;
  step_index started = no_step;
  frame* outermost = nullptr;
  frame* leaf = nullptr;
  awaited_reply* awaiting = nullptr;
  /// The frame is where the execution is; if not, it must be rebuilt.
  bool live = false;
  const continuation* on_value = nullptr;
  const continuation* on_error = nullptr;
};

/// Thrown by `require` to leave the handler; the execution has been ended.
struct execution_over {};

class world : public system {
public:
  using system::actor_in;
  using system::add_actor;
  using system::memory;
  using system::running;
  using system::wait_for_reply;

  void write_activity(actor_slot who, value_bytes& out) const override;

  self& handle() { return self_; }

  template <class Actor>
  Actor& state_of(actor_slot a) {
    return *static_cast<Actor*>(actor_in(a).state);
  }
  template <class Actor>
  void save(step& s);
  template <class Actor>
  void restore(step& s);
  void save_by_type(step& s);
  void restore_by_type(step& s);

  /// The actor an address refers to; throws the user's error if there is none.
  actor_slot resolve(actor_id id) {
    if (!exists(id)) [[unlikely]]
      nobody(id);
    return slot_of(id);
  }

  template <class Actor, auto Handler>
  message_slot post_message(actor_slot to, typename traits<Handler>::parameters::payload arguments);

  [[nodiscard]] bool muted() const { return muted_; }
  actor_id recreated();
  std::uint64_t choose_value(std::uint64_t arity);
  /// A coroutine awaits its calls; `then` would leave it behind.
  void reject_then_in_coroutine();
  activity& running_activity() { return *static_cast<activity*>(actor_in(running().receiver).activity); }
  activity& new_activity();

  /// Replies to `request` with a T (or nothing for void).
  template <class T>
  void reply(message_slot request, const T& value);
  void reply(message_slot request);
  void reply_failure(message_slot request, const std::string& what);

  /// Starts a coroutine handler in the running step.
  void start_activity(const native_message& handler, void* state, const void* payload);
  void undo_start(step& s);
  void resume(step& s, awaited_reply reply);
  void undo_resume(step& s);

  /// In a catch block: what the handler threw becomes a failed reply, or a
  /// finding that ends the execution.
  void handler_threw(message_slot request);
  void record_check(std::string_view text, const std::source_location& where) {
    record_finding(finding_kind::assertion, std::string(text), where.file_name(), where.line());
  }
  [[noreturn]] void end_execution() {
    abort_execution();
    throw execution_over{};
  }

  /// The actor no longer waits.
  void open(actor& a);
  void destroy_running() { destroying_ = !muted_; }
  /// To be called at the end of each macro-step.
  void end_step() {
    if (destroying_) [[unlikely]]
      finish_destroying();
  }
  [[nodiscard]] message_slot request_of(const step& s) {
    return sent(s.message).kind == message::role::request ? s.message : no_message;
  }

protected:
  explicit world(delivery model) : system(model) {}
  /// Delivers what was posted last, the driver's start-up, and what it sends.
  void start_up_driver();
  /// Delivers what was posted last, the driver's test: from there it is explored.
  /// @throws untestable_program if the program has failed by then.
  void test_driver();

private:
  [[nodiscard]] bool takes(message_slot m, step_index e) const final;
  [[noreturn]] void nobody(actor_id id);
  void advance(activity& a);
  void conclude(activity& a);
  void drop_frame(activity& a);
  void rebuild(activity& a, actor_slot who);
  [[noreturn]] void rebuilt_differently(const activity& a);
  void finish_destroying();
  message_slot post_reply(message_slot request, const message_type& type, void* payload);
  message_slot post_continuation(message_slot request, const continuation& next, const void* result);
  activity* continuation_of(message_slot request);

  self self_{*this};
  bool destroying_ = false;
  // While a coroutine is rebuilt it repeats step `muted_step_` without effect.
  bool muted_ = false;
  step_index muted_step_ = no_step;
  activity* muted_activity_ = nullptr;
  std::uint32_t muted_creations_ = 0;
  std::uint32_t muted_choices_ = 0;
  std::vector<step_index> rebuild_scratch_;
  friend class harrier::self;
  template <class, auto>
  friend class pending_call;
};

template <class Driver>
constexpr bool is_opaque_driver = false;

template <class Actor>
class actor_class final : public native_actor {
  static_assert(std::is_copy_constructible_v<Actor>,
                "harrier: an actor is copied before each of its steps, so that going back can restore it; make it "
                "copyable");
  static_assert(!std::is_polymorphic_v<Actor>, "harrier: an actor is a plain struct without virtual functions");

public:
  /// `bool at_rest() const` in an actor: whether an execution may end with it
  /// so; if not, it is a deadlock.
  static constexpr bool has_rest = requires(const Actor& a) {
    { a.at_rest() } -> std::convertible_to<bool>;
  };

  /// `static constexpr bool interchangeable = true;` in an actor: see actor_type::interchangeable.
  static constexpr bool is_interchangeable = [] {
    if constexpr (requires { Actor::interchangeable; })
      return static_cast<bool>(Actor::interchangeable);
    else
      return false;
  }();

  constexpr actor_class() : native_actor(sizeof(Actor), alignof(Actor)) {}

  void copy(void* target, const void* state) const override { ::new (target) Actor(*static_cast<const Actor*>(state)); }
  void destroy(void* state) const override { std::destroy_at(static_cast<Actor*>(state)); }
  [[nodiscard]] std::string name() const override { return std::string(type_name<Actor>()); }
  [[nodiscard]] std::string describe(const system& system, const void* state) const override {
    if constexpr (is_opaque_driver<Actor>) {
      return {};
    } else {
      value_printer print(system);
      print.add(*static_cast<const Actor*>(state));
      auto text = print.take();
      return text == "{}" ? std::string() : text;
    }
  }
  [[nodiscard]] bool tells_rest() const override { return has_rest; }
  [[nodiscard]] bool at_rest(const void* state) const override {
    if constexpr (has_rest)
      return static_cast<const Actor*>(state)->at_rest();
    else
      return true;
  }
  [[nodiscard]] fingerprint hash(const void* state) const override {
    if constexpr (is_opaque_driver<Actor>)
      return {};
    else
      return hash_of(*static_cast<const Actor*>(state));
  }
  void write(const void* state, value_bytes& out) const override {
    if constexpr (!is_opaque_driver<Actor>) write_value(*static_cast<const Actor*>(state), out);
  }
  [[nodiscard]] std::vector<std::pair<std::string, fingerprint>> fields(const void* state) const override {
    std::vector<std::pair<std::string, fingerprint>> result;
    if constexpr (!is_opaque_driver<Actor>) {
      const auto add = [&](std::string_view name, const auto& field) { result.emplace_back(name, hash_of(field)); };
      for_each_field(*static_cast<const Actor*>(state), add);
    }
    return result;
  }
  [[nodiscard]] bool interchangeable() const override { return is_interchangeable; }
};

template <class Actor>
inline constexpr actor_class<Actor> class_of{};

template <class Actor, auto Handler, class Arguments>
constexpr bool guard_takes_arguments = false;
template <class Actor, auto Handler, class... T>
constexpr bool guard_takes_arguments<Actor, Handler, std::tuple<T...>> = requires(const Actor& a, const T&... x) {
  { a.accepts(handler<Handler>{}, x...) } -> std::convertible_to<bool>;
};

template <class Actor, auto Handler>
class handler_type final : public native_message {
  using h = traits<Handler>;
  using payload_tuple = typename h::parameters::payload;

public:
  static constexpr bool guarded_by_actor = requires(const Actor& a) {
    { a.accepts(handler<Handler>{}) } -> std::convertible_to<bool>;
  };
  static constexpr bool guarded_by_message = guard_takes_arguments<Actor, Handler, payload_tuple>;
  static constexpr bool is_guarded = guarded_by_actor || guarded_by_message;
  static constexpr bool owns_payload = !std::is_trivially_destructible_v<payload_tuple>;

  void deliver(system& s, step& st) const override {
    auto& w = static_cast<world&>(s);
    if constexpr (h::is_const || std::is_empty_v<Actor>)
      st.keeps_state = true;
    else
      w.save<Actor>(st);
    auto& actor = w.state_of<Actor>(st.receiver);
    const auto& m = w.message_at(st.message);
    const auto kind = m.kind;
    const auto request = kind == message::role::request ? st.message : no_message;
    if (kind == message::role::reply) w.open(w.actor_in(st.receiver));  // what a `then` waited for
    try {
      if constexpr (h::suspends) {
        w.start_activity(*this, &actor, m.payload);
      } else if constexpr (std::is_void_v<typename h::result>) {
        call(w, actor, m.payload);
        if (request != no_message) w.reply(request);
      } else {
        const auto result = call(w, actor, m.payload);
        if (request != no_message) w.reply(request, result);
      }
    } catch (...) {
      w.handler_threw(request);
    }
    w.end_step();
  }

  void undo(system& s, step& st) const override {
    auto& w = static_cast<world&>(s);
    if constexpr (h::suspends) w.undo_start(st);
    if constexpr (!h::is_const) w.restore<Actor>(st);
  }

  void destroy(void* payload) const override { std::destroy_at(static_cast<payload_tuple*>(payload)); }

  [[nodiscard]] bool accepts(const void* state, const void* payload) const override {
    if constexpr (guarded_by_actor)
      return static_cast<const Actor*>(state)->accepts(handler<Handler>{});
    else if constexpr (guarded_by_message)
      return std::apply(
          [&](const auto&... x) { return static_cast<const Actor*>(state)->accepts(handler<Handler>{}, x...); },
          *static_cast<const payload_tuple*>(payload));
    else
      return true;
  }

  [[nodiscard]] std::string describe(const system& system, const void* payload) const override {
    value_printer print(system);
    if constexpr (h::parameters::count == 0)
      print.add_arguments(std::tuple<>{});
    else
      print.add_arguments(*static_cast<const payload_tuple*>(payload));
    return std::string(handler_name<Handler>()) + print.take();
  }

  [[nodiscard]] fingerprint hash(const void* payload) const override {
    value_hasher hasher;
    hasher.add(handler_name<Handler>());
    if constexpr (h::parameters::count != 0) hasher.add(*static_cast<const payload_tuple*>(payload));
    return hasher.result();
  }
  void write(const void* payload, value_bytes& out) const override {
    if constexpr (h::parameters::count != 0) write_value(*static_cast<const payload_tuple*>(payload), out);
  }

  frame* start(world& w, void* state, const void* payload) const override {
    if constexpr (h::suspends)
      return call(w, *static_cast<Actor*>(state), payload).release();
    else
      return nullptr;
  }

  void finish(world& w, frame& finished, message_slot request) const override {
    if constexpr (h::suspends) {
      if (finished.error) std::rethrow_exception(finished.error);
      if (request == no_message) return;
      if constexpr (std::is_void_v<typename h::result>)
        w.reply(request);
      else
        w.reply(request, *static_cast<promise<typename h::result>&>(finished).value);
    }
  }

private:
  static decltype(auto) call(world& w, Actor& actor, const void* payload) {
    if constexpr (h::parameters::count == 0) {
      if constexpr (h::takes_self)
        return (actor.*Handler)(w.handle());
      else
        return (actor.*Handler)();
    } else {
      return std::apply(
          [&](const auto&... x) -> decltype(auto) {
            if constexpr (h::takes_self)
              return (actor.*Handler)(w.handle(), x...);
            else
              return (actor.*Handler)(x...);
          },
          *static_cast<const payload_tuple*>(payload));
    }
  }
};

template <class Actor, auto Handler>
inline constexpr handler_type<Actor, Handler> type_of{};

/// The reply to a call that is awaited.
template <class T>
class reply_type final : public message_type {
public:
  void deliver(system& s, step& st) const override {
    static_cast<world&>(s).resume(st, {.value = s.message_at(st.message).payload});
  }
  void undo(system& s, step& st) const override { static_cast<world&>(s).undo_resume(st); }
  void destroy(void* payload) const override {
    if constexpr (!std::is_void_v<T>) std::destroy_at(static_cast<T*>(payload));
  }
  [[nodiscard]] std::string describe(const system& system, const void* payload) const override {
    if constexpr (std::is_void_v<T>) {
      return "reply()";
    } else {
      value_printer print(system);
      print.add(*static_cast<const T*>(payload));
      return "reply(" + print.take() + ")";
    }
  }
  [[nodiscard]] fingerprint hash(const void* payload) const override {
    if constexpr (std::is_void_v<T>)
      return hash_bytes("reply", 5);
    else
      return hash_of(*static_cast<const T*>(payload));
  }
  void write(const void* payload, value_bytes& out) const override {
    if constexpr (!std::is_void_v<T>) write_value(*static_cast<const T*>(payload), out);
  }
};

template <class T>
inline constexpr reply_type<T> reply_of{};

template <class Actor>
void world::save(step& s) {
  if constexpr (!std::is_empty_v<Actor>) {
    auto* copy = memory().allocate(sizeof(Actor), alignof(Actor));
    ::new (copy) Actor(std::as_const(state_of<Actor>(s.receiver)));
    s.state_before = copy;
  }
}

template <class Actor>
void world::restore(step& s) {
  if constexpr (!std::is_empty_v<Actor>) {
    if (s.state_before == nullptr) return;  // the copy itself threw
    auto* const copy = static_cast<Actor*>(s.state_before);
    auto* const live = &state_of<Actor>(s.receiver);
    std::destroy_at(live);
    ::new (static_cast<void*>(live)) Actor(std::move(*copy));
    std::destroy_at(copy);
  }
}

template <class Actor, auto Handler>
message_slot world::post_message(actor_slot to, typename traits<Handler>::parameters::payload arguments) {
  using payload_tuple = typename traits<Handler>::parameters::payload;
  using type = handler_type<Actor, Handler>;
  void* payload = nullptr;
  if constexpr (traits<Handler>::parameters::count != 0) {
    payload = memory().allocate(sizeof(payload_tuple), alignof(payload_tuple));
    ::new (payload) payload_tuple(std::move(arguments));
  }
  const auto m = post(to, type_of<Actor, Handler>, payload);
  if constexpr (type::is_guarded) guard(m);
  if constexpr (type::owns_payload) sent(m).owns_payload = running().needs_cleaning = true;
  return m;
}

template <class T>
void world::reply(message_slot request, const T& value) {
  if (auto* a = continuation_of(request)) {
    post_continuation(request, *a->on_value, &value);
    return;
  }
  static_assert(std::is_copy_constructible_v<T>,
                "harrier: the result of a call travels in a message: make it copyable");
  auto* payload = memory().allocate(sizeof(T), alignof(T));
  ::new (payload) T(value);
  const auto m = post_reply(request, reply_of<T>, payload);
  if constexpr (!std::is_trivially_destructible_v<T>) sent(m).owns_payload = running().needs_cleaning = true;
}

template <class Actor, auto Handler>
void pending_call<Actor, Handler>::request(frame* leaf, awaited_reply* reply) {
  auto& waiting = world_->muted() ? *world_->muted_activity_ : world_->running_activity();
  waiting.leaf = leaf;
  waiting.awaiting = reply;
  if (world_->muted()) return;
  const auto callee = world_->resolve(callee_);
  world_->wait_for_reply(world_->post_message<Actor, Handler>(callee, std::move(arguments_)));
}

template <class Actor, auto Handler>
auto pending_call<Actor, Handler>::await_resume() -> result {
  if (reply_.failure != nullptr) throw call_failed(reply_.failure);
  if constexpr (!std::is_void_v<result>) return *static_cast<const result*>(reply_.value);
}

template <class Actor, auto Handler>
constexpr continuation continue_with(bool has_value) {
  using type = handler_type<Actor, Handler>;
  using tuple = typename traits<Handler>::parameters::payload;
  return {.type = &type_of<Actor, Handler>,
          .payload = has_value ? +[](arena& memory, const void* result) -> void* {
            if constexpr (traits<Handler>::parameters::count == 1) {
              using value = std::tuple_element_t<0, tuple>;
              auto* payload = memory.allocate(sizeof(tuple), alignof(tuple));
              return ::new (payload) tuple(*static_cast<const value*>(result));
            } else {
              return nullptr;
            }
          }
          : +[](arena&, const void*) -> void* { return nullptr; },
          .guarded = type::is_guarded,
          .owns_payload = type::owns_payload};
}

template <class Actor, auto Handler, bool HasValue>
inline constexpr continuation continuation_to = continue_with<Actor, Handler>(HasValue);

template <class Actor, auto Handler>
template <auto OnValue, auto OnError>
void pending_call<Actor, Handler>::then() && {
  using next = traits<OnValue>;
  check_handler<typename next::actor, OnValue>();
  using expected = std::conditional_t<std::is_void_v<result>, std::tuple<>, std::tuple<result>>;
  static_assert(std::is_same_v<typename next::parameters::payload, expected>,
                "harrier: then<&me::on_value>: the handler takes exactly the callee's result");
  world_->reject_then_in_coroutine();
  const auto callee = world_->resolve(callee_);
  auto& waiting = world_->new_activity();
  waiting.on_value = &continuation_to<typename next::actor, OnValue, !std::is_void_v<result>>;
  if constexpr (!std::is_same_v<decltype(OnError), std::nullptr_t>) {
    static_assert(std::is_same_v<typename traits<OnError>::parameters::payload, std::tuple<std::string>>,
                  "harrier: then<..., &me::on_error>: the handler takes a const std::string&");
    waiting.on_error = &continuation_to<typename traits<OnError>::actor, OnError, true>;
  }
  world_->wait_for_reply(world_->post_message<Actor, Handler>(callee, std::move(arguments_)));
}

/// A driver that is a function or lambda: an actor whose one message runs it.
template <class Function>
struct function_driver {
  Function run;
  auto test(self& me) { return run(me); }
};
template <class Function>
constexpr bool is_opaque_driver<function_driver<Function>> = true;

template <class Driver>
concept driver_struct = requires {
  &Driver::test;
};
template <class Driver>
concept has_set_up = requires {
  &Driver::set_up;
};
template <class Driver>
concept has_start_up = requires {
  &Driver::start_up;
};

}  // namespace harrier::detail

namespace harrier {

template <auto Handler, class Actor, class... Arguments>
void self::send(ref<Actor> to, Arguments&&... arguments) {
  detail::check_handler<Actor, Handler>();
  detail::check_arguments<Handler, Arguments...>();
  if constexpr (detail::traits<Handler>::is_handler) {
    if (world_->muted()) [[unlikely]]
      return;
    using tuple = typename detail::traits<Handler>::parameters::payload;
    if constexpr (detail::arguments_fit<tuple, Arguments...>::value)
      world_->post_message<Actor, Handler>(world_->resolve(to.id()), tuple(std::forward<Arguments>(arguments)...));
  }
}

template <auto Handler, class Actor, class... Arguments>
detail::pending_call<Actor, Handler> self::call(ref<Actor> callee, Arguments&&... arguments) {
  detail::check_handler<Actor, Handler>();
  detail::check_arguments<Handler, Arguments...>();
  detail::check_call_arguments<Arguments...>();
  return {*world_, callee.id(), {std::forward<Arguments>(arguments)...}};
}

template <class Actor, class... Fields>
ref<Actor> self::create(Fields&&... fields) {
  static_assert(
      requires { Actor{std::forward<Fields>(fields)...}; },
      "harrier: create<actor>(fields...): the actor cannot be initialised from these fields, in this order");
  if (world_->muted()) [[unlikely]]
    return ref<Actor>(world_->recreated());
  auto* state = world_->memory().allocate(sizeof(Actor), alignof(Actor));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
  ::new (state) Actor{std::forward<Fields>(fields)...};
#pragma GCC diagnostic pop
  const auto slot = world_->add_actor(detail::class_of<Actor>, state);
  if constexpr (!std::is_trivially_destructible_v<Actor>) world_->running().needs_cleaning = true;
  return ref<Actor>(world_->actor_at(slot).id);
}

inline void self::destroy() { world_->destroy_running(); }

inline void self::check(bool condition, std::string_view text, const std::source_location& where) {
  if (!condition && !world_->muted()) [[unlikely]]
    world_->record_check(text, where);
}

inline void self::require(bool condition, std::string_view text, const std::source_location& where) {
  if (condition) [[likely]]
    return;
  if (!world_->muted()) world_->record_check(text, where);
  world_->end_execution();
}

inline std::uint64_t self::choose(std::uint64_t n) {
  if (n == 0) throw error("choose(0): there is nothing to choose from");
  return world_->choose_value(n);
}

template <class Actor>
ref<Actor> self::me() const {
  const auto& running = world_->actor_at(world_->running().receiver);
  if (running.type != &detail::class_of<Actor>)
    throw error("self.me<" + std::string(detail::type_name<Actor>()) + ">() in an actor of class " +
                running.type->name());
  return ref<Actor>(running.id);
}

}  // namespace harrier

namespace harrier::detail {

/// The world that a driver starts: its `set_up` (if it has one) and all that
/// follows from it, its `start_up` (if it has one) and the messages it sends, not
/// what those send, then its `test`.
template <class Driver>
class world_of final : public world {
  static_assert(driver_struct<Driver>, "harrier: a driver is a function or a struct with a handler test(self&)");

public:
  world_of(Driver driver, delivery model) : world(model), driver_(std::move(driver)) {}

private:
  void begin() override {
    add_actor(class_of<Driver>, ::new (memory().allocate(sizeof(Driver), alignof(Driver))) Driver(driver_));
    if constexpr (has_set_up<Driver>) {
      post_from_outside(0, type_of<Driver, &Driver::set_up>, nullptr);
      run_setup();
    }
    if constexpr (has_start_up<Driver>) {
      post_from_outside(0, type_of<Driver, &Driver::start_up>, nullptr);
      start_up_driver();
    }
    post_from_outside(0, type_of<Driver, &Driver::test>, nullptr);
    test_driver();
  }

  Driver driver_;
};

}  // namespace harrier::detail
