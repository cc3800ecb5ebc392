#pragma once

#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/native/kinds.hpp>
#include <harrier/native/self.hpp>
#include <harrier/native/world.hpp>

/// What a handler asks of `self`, and awaits.
namespace harrier::detail {

template <class Actor, auto Handler>
void pending_call<Actor, Handler>::request(frame* leaf, awaited_reply* reply) {
  if (!world_->awaits(leaf, reply)) return;
  const auto callee = world_->resolve(callee_);
  world_->wait_for_reply(world_->post_message<Actor, Handler>(callee, std::move(arguments_)));
}

template <class Actor, auto Handler>
auto pending_call<Actor, Handler>::await_resume() -> result {
  if (reply_.failure != nullptr) throw call_failed(reply_.failure);
  if constexpr (!std::is_void_v<result>) return *static_cast<const result*>(reply_.value);
}

template <class Actor, auto Handler>
template <auto OnValue, auto OnError>
void pending_call<Actor, Handler>::then() && {
  using next = traits<OnValue>;
  check_handler<typename next::actor, OnValue>();
  using expected = std::conditional_t<std::is_void_v<result>, std::tuple<>, std::tuple<result>>;
  static_assert(std::is_same_v<typename next::parameters::payload, expected>,
                "harrier: then<&me::on_value>: the handler takes exactly the callee's result");
  const continuation* failure = nullptr;
  if constexpr (!std::is_same_v<decltype(OnError), std::nullptr_t>) {
    static_assert(std::is_same_v<typename traits<OnError>::parameters::payload, std::tuple<std::string>>,
                  "harrier: then<..., &me::on_error>: the handler takes a const std::string&");
    failure = &continuation_to<typename traits<OnError>::actor, OnError, true>;
  }
  const auto callee = world_->resolve(callee_);
  world_->continues_with(continuation_to<typename next::actor, OnValue, !std::is_void_v<result>>, failure);
  world_->wait_for_reply(world_->post_message<Actor, Handler>(callee, std::move(arguments_)));
}

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
