#pragma once

#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/native/checks.hpp>
#include <harrier/native/kinds.hpp>
#include <harrier/native/self.hpp>
#include <harrier/native/world.hpp>

/// What a handler asks of `self`, and awaits.
namespace harrier::detail {

template <class Actor, auto Handler>
message_slot pending_call<Actor, Handler>::request(frame* leaf, awaited_reply* reply) {
  asked_ = true;
  const auto callee = world_->resolve(callee_);
  if (!world_->awaits(leaf, reply)) return no_message;
  const auto request = world_->post_message<Actor, Handler>(callee, std::move(arguments_));
  world_->wait_for_reply(request);
  return request;
}

template <class Actor, auto Handler>
void limited_call<Actor, Handler>::request(frame* leaf) {
  call_.world_->check_timer(limit_);
  if (const auto request = call_.request(leaf, &call_.reply_); request != no_message)
    call_.world_->limit_wait(request, limit_);
}

template <class Actor, auto Handler>
auto limited_call<Actor, Handler>::await_resume() {
  if constexpr (std::is_void_v<value>) {
    if (!call_.reply_.expired) call_.await_resume();
    return !call_.reply_.expired;
  } else {
    return call_.reply_.expired ? std::optional<value>() : std::optional<value>(call_.await_resume());
  }
}

template <class Actor, auto Handler>
pending_call<Actor, Handler>::~pending_call() {
  if (!asked_) [[unlikely]]
    world_->call_was_dropped(type_name<Actor>(), handler_name<Handler>());
}

template <class Actor, auto Handler>
auto pending_call<Actor, Handler>::await_resume() -> result {
  if (reply_.failure != nullptr) throw call_failed(reply_.failure);
  if constexpr (std::is_copy_constructible_v<result>) return *static_cast<const result*>(reply_.value);
}

template <class Actor, auto Handler>
template <auto OnValue, auto OnError>
void pending_call<Actor, Handler>::then() && {
  asked_ = true;
  using next = traits<OnValue>;
  using expected = std::conditional_t<std::is_void_v<result>, arguments<>, arguments<result>>;
  constexpr bool fits = std::is_same_v<typename next::parameters::payload, expected>;
  static_assert(!next::is_handler || fits,
                "harrier: then<&me::on_value>: the handler takes exactly the callee's result");
  if constexpr (check_then<OnValue>() && fits) {
    const continuation* failure = nullptr;
    if constexpr (!std::is_same_v<decltype(OnError), std::nullptr_t>) {
      constexpr bool takes_text = std::is_same_v<typename traits<OnError>::parameters::payload, arguments<std::string>>;
      static_assert(takes_text, "harrier: then<..., &me::on_error>: the handler takes a const std::string&");
      if constexpr (takes_text && check_then<OnError>())
        failure = &continuation_to<typename traits<OnError>::actor, OnError, true>;
    }
    const auto callee = world_->resolve(callee_);
    if (world_->is_over()) return;
    if constexpr (is_rebuilt<typename next::actor>)
      if (world_->muted()) return world_->repeat_send(type_of<Actor, Handler>, callee, &arguments_);
    world_->continues_with(continuation_to<typename next::actor, OnValue, !std::is_void_v<result>>, failure);
    world_->wait_for_reply(world_->post_message<Actor, Handler>(callee, std::move(arguments_)));
  }
}

}  // namespace harrier::detail

namespace harrier {

template <auto Handler, class Actor, class... Arguments>
void self::send(ref<Actor> to, Arguments&&... arguments) {  // harrier: overload<int>(&server::set) or &server::set<int>
  if constexpr (detail::check_handler<Actor, Handler>() && detail::check_arguments<Handler, Arguments...>() &&
                detail::is_usable_actor<Actor>) {
    const auto receiver = world_->resolve(to.id());
    typename detail::traits<Handler>::parameters::payload payload(
        std::forward<Arguments>(arguments)...);  // also if muted: it may throw, or move something away
    if (world_->muted()) [[unlikely]]
      return world_->repeat_send(detail::type_of<Actor, Handler>, receiver, &payload);
    world_->post_message<Actor, Handler>(receiver, std::move(payload));
  }
}

template <auto Handler, class... To>
  requires(!detail::begin_with_address<To...>)
void self::send(To&&...) { detail::refuse_receiver<To...>(); }

template <auto Handler, class Actor, class... Arguments>
  requires(detail::traits<Handler>::is_handler)
detail::pending_call<Actor, Handler> self::call(  // harrier: overload<int>(&server::get) or &server::get<int>
    ref<Actor> callee, Arguments&&... arguments) {
  detail::check_call_arguments<Arguments...>();
  if constexpr (detail::check_handler<Actor, Handler>() && detail::check_arguments<Handler, Arguments...>() &&
                detail::check_reply<Handler>() && detail::is_usable_actor<Actor>)
    return {*world_, callee.id(),
            typename detail::traits<Handler>::parameters::payload(std::forward<Arguments>(arguments)...)};
  else
    throw error("a call that does not compile");
}

template <auto Handler, class... To>
  requires(!detail::begin_with_address<To...> || !detail::traits<Handler>::is_handler)
detail::wrong_call self::call(To&&...) {
  if constexpr (detail::traits<Handler>::is_handler)
    detail::refuse_receiver<To...>();
  else
    detail::check_handler<detail::no_class, Handler>();
  return {};
}

template <class... None, class... To>
detail::wrong_call self::call(To&&...) {
  detail::check_names_handler<None..., self>();
  return {};
}

template <auto None, class... Fields>
ref<detail::no_class> self::create(Fields&&...) {
  detail::check_actor_class<std::remove_const_t<decltype(None)>>();
  return {};
}

template <class Actor, class... Fields>
ref<Actor> self::create(Fields&&... fields) {
  constexpr bool is_actor = detail::check_actor_class<Actor>();
  constexpr bool fits = [] {
    if constexpr (!is_actor)
      return false;
    else if constexpr (detail::is_rebuilt<Actor>)
      return requires { Actor{std::declval<const std::decay_t<Fields>&>()...}; };
    else
      return requires { Actor{std::declval<Fields>()...}; };
  }();
  static_assert(fits || !is_actor,
                "harrier: create<actor>(fields...): the actor cannot be initialised from these fields, in this order");
  if constexpr (!is_actor || !fits) {
    return {};
  } else if constexpr (!detail::check_actor_hooks<Actor>() || !detail::check_state<Actor>()) {
    return {};
  } else if constexpr (detail::is_rebuilt<Actor>) {
    constexpr bool are_kept = (std::is_constructible_v<std::decay_t<Fields>, Fields> && ...);
    static_assert(are_kept,
                  "harrier: create<actor>(fields...) of an actor that is made anew keeps what it is made of, by value");
    if constexpr (!are_kept) return {};
    if (world_->muted()) [[unlikely]]
      return ref<Actor>(world_->recreated(detail::class_of<Actor>), world_->names());
    using maker = detail::maker_of<Actor, std::decay_t<Fields>...>;
    const auto slot =
        world_->add_rebuilt(detail::class_of<Actor>, std::make_shared<const maker>(std::forward<Fields>(fields)...));
    return ref<Actor>(world_->actor_at(slot).id, world_->names());
  } else {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
    if (world_->muted()) [[unlikely]] {
      [[maybe_unused]] const Actor as_before{std::forward<Fields>(fields)...};  // it may throw, or move something away
      return ref<Actor>(world_->recreated(detail::class_of<Actor>), world_->names());
    }
    auto* state = world_->memory().allocate(sizeof(Actor), alignof(Actor));
    ::new (state) Actor{std::forward<Fields>(fields)...};
#pragma GCC diagnostic pop
    return ref<Actor>(world_->add_object(detail::class_of<Actor>, state, !std::is_trivially_destructible_v<Actor>),
                      world_->names());
  }
}

inline void self::destroy() { world_->destroy_running(); }

template <auto Handler, class... Arguments>
void self::after(std::chrono::nanoseconds when, Arguments&&... arguments) {  // harrier: a duration, after<&me::on>(5ms)
  static_assert(
      detail::traits<Handler>::is_handler,
      "harrier: after<&me::on_time>(duration): a timer sends its message to the actor that arms it, to one of "
      "its own handlers");
  if constexpr (detail::traits<Handler>::is_handler) {
    using actor_class = typename detail::traits<Handler>::actor;
    if constexpr (detail::check_handler<actor_class, Handler>() && detail::check_arguments<Handler, Arguments...>() &&
                  detail::is_usable_actor<actor_class>) {
      const auto receiver = world_->resolve(me<actor_class>().id());
      world_->check_timer(when);
      typename detail::traits<Handler>::parameters::payload payload(std::forward<Arguments>(arguments)...);
      if (world_->muted()) [[unlikely]]
        return world_->repeat_send(detail::type_of<actor_class, Handler>, receiver, &payload);
      world_->arm(world_->post_message<actor_class, Handler>(receiver, std::move(payload), lane::timer), when);
    }
  }
}

template <auto Handler>
void self::cancel() {
  static_assert(
      detail::traits<Handler>::is_handler,
      "harrier: after<&me::on_time>(duration): a timer sends its message to the actor that arms it, to one of "
      "its own handlers");
  if constexpr (detail::traits<Handler>::is_handler) {
    if (!world_->muted()) world_->disarm(detail::type_of<typename detail::traits<Handler>::actor, Handler>);
  }
}

inline std::chrono::nanoseconds self::now() const { return world_->time_now(); }

inline void self::sync() {
  if (!world_->muted() && !world_->is_over()) world_->sync();
}

inline void self::check(bool condition, std::string_view text, const std::source_location& where) {
  if (!condition) [[unlikely]]
    world_->record_check(text, where);
}

inline void self::require(bool condition, std::string_view text, const std::source_location& where) {
  if (condition) [[likely]]
    return;
  world_->record_check(text, where);
  world_->end_execution();
}

inline void self::assume(bool condition) {
  if (!condition) [[unlikely]]
    world_->discard();
}

inline void self::note(std::string_view outcome) {
  if (!world_->muted() && !world_->is_over()) world_->leave_note(std::string(outcome));
}

inline void self::cover(std::string_view point) { world_->cover(point); }
inline void self::partition(const group& first, const group& second, cuts how) {
  world_->name_partition(first, second, how);
}

inline std::uint64_t self::choose(std::uint64_t n) {
  if (n == 0) throw error("choose(0): there is nothing to choose from");
  return world_->choose_value(n);
}

template <class Actor>
ref<Actor> self::me() const {  // harrier: me<server>()
  const auto& running = world_->actor_at(detail::is_rebuilt<Actor> ? world_->acting() : world_->running().receiver);
  if (running.type != &detail::class_of<Actor>)
    throw error("self.me<" + std::string(detail::type_name<Actor>()) + ">() in an actor of class " +
                running.type->name());
  return ref<Actor>(running.id, world_->names());
}

}  // namespace harrier
