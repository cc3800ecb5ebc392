#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

#include <harrier/native/ref.hpp>

namespace harrier {

class self;
template <class T>
class task_of;

/// Names a handler as a type: `handler<&server::set>`. An actor guards a
/// handler by a member function beside it,
///
///     bool accepts(harrier::handler<&fork::take>) const { return !held; }
///
/// declared after the handler; asked before each delivery of that message; with further parameters it is
/// given the message's arguments too. It must depend on the actor and the
/// arguments alone. A handler without one is always accepted.
template <auto Handler>
struct handler {};

/// Picks one of several handlers of the same name by its parameters (a leading
/// `self&` not counted): `self.send<harrier::overload<int>(&server::set)>(s, 5)`.
template <class... Parameters, class Result, class Actor>
consteval auto overload(Result (Actor::*h)(Parameters...)) {
  return h;
}
template <class... Parameters, class Result, class Actor>
consteval auto overload(Result (Actor::*h)(Parameters...) const) {
  return h;
}
template <class... Parameters, class Result, class Actor>
consteval auto overload(Result (Actor::*h)(self&, Parameters...)) {
  return h;
}
template <class... Parameters, class Result, class Actor>
consteval auto overload(Result (Actor::*h)(self&, Parameters...) const) {
  return h;
}

namespace detail {

template <class... P>
struct parameter_list {
  static constexpr std::size_t count = sizeof...(P);
  using payload = std::tuple<std::remove_cvref_t<P>...>;
  static constexpr bool by_value_or_const_reference =
      ((!std::is_reference_v<P> || (std::is_lvalue_reference_v<P> && std::is_const_v<std::remove_reference_t<P>>)) &&
       ...);
  static constexpr bool copyable = (std::is_copy_constructible_v<std::remove_cvref_t<P>> && ...);
};

template <class Result>
struct result_of {
  using value = Result;
  static constexpr bool suspends = false;
};
template <class T>
struct result_of<task_of<T>> {
  using value = T;
  static constexpr bool suspends = true;
};

template <class Actor, class Result, bool IsConst, class... P>
struct member_function_of {
  using actor = Actor;
  using result = typename result_of<Result>::value;
  using parameters = parameter_list<P...>;
  static constexpr bool is_handler = true;
  static constexpr bool suspends = result_of<Result>::suspends;
  static constexpr bool is_const = IsConst;
  static constexpr bool takes_self = false;
};
template <class Actor, class Result, bool IsConst, class... P>
struct member_function_of<Actor, Result, IsConst, self&, P...> : member_function_of<Actor, Result, IsConst, P...> {
  static constexpr bool takes_self = true;
};

template <class F>
struct member_function {
  static constexpr bool is_handler = false;
};
template <class R, class A, class... P>
struct member_function<R (A::*)(P...)> : member_function_of<A, R, false, P...> {};
template <class R, class A, class... P>
struct member_function<R (A::*)(P...) const> : member_function_of<A, R, true, P...> {};
template <class R, class A, class... P>
struct member_function<R (A::*)(P...) noexcept> : member_function_of<A, R, false, P...> {};
template <class R, class A, class... P>
struct member_function<R (A::*)(P...) const noexcept> : member_function_of<A, R, true, P...> {};

template <auto Handler>
using traits = member_function<std::remove_const_t<decltype(Handler)>>;

template <class From, class To>
constexpr bool loses_fraction = std::is_floating_point_v<std::remove_cvref_t<From>>&& std::is_integral_v<To>;

template <class Payload, class... Arguments>
struct arguments_fit : std::false_type {};
template <class... To, class... From>
  requires(sizeof...(To) == sizeof...(From))
struct arguments_fit<std::tuple<To...>, From...>
    : std::bool_constant<(std::is_convertible_v<From, To> && ...) && !(loses_fraction<From, To> || ...)> {};

/// Compile-time messages for what a handler must not be.
template <class Actor, auto Handler>
constexpr void check_handler() {
  using h = traits<Handler>;
  static_assert(h::is_handler,
                "harrier: a message is a member function of an actor: send<&server::set>(store, 5). For one of several "
                "overloads write send<harrier::overload<int>(&server::set)>");
  if constexpr (h::is_handler) {
    static_assert(std::is_base_of_v<typename h::actor, Actor>,
                  "harrier: the actor referred to has no such message: the handler belongs to another class than the "
                  "ref");
    static_assert(h::parameters::by_value_or_const_reference,
                  "harrier: a handler takes its arguments by value or const&: messages are immutable and shared, so a "
                  "parameter T& or T&& would change what other interleavings see");
    static_assert(h::parameters::copyable,
                  "harrier: a handler's argument is move-only; messages are delivered in many interleavings and must "
                  "be copyable (shared_ptr<const T> shares a large value)");
  }
}

/// Compile-time messages for arguments that do not fit the handler.
template <auto Handler, class... Arguments>
constexpr void check_arguments() {
  using h = traits<Handler>;
  if constexpr (h::is_handler) {
    static_assert(sizeof...(Arguments) == h::parameters::count,
                  "harrier: wrong number of arguments for this handler (a leading self& is not counted)");
    if constexpr (sizeof...(Arguments) == h::parameters::count)
      static_assert(arguments_fit<typename h::parameters::payload, Arguments...>::value,
                    "harrier: an argument does not convert to the handler's parameter (a floating-point number does "
                    "not silently become an integer)");
  }
}

/// GCC 12 destroys some temporaries of a full expression that contains co_await
/// twice: aggregates with a destructor, written in braces, among them.
template <class Argument>
constexpr bool gcc_12_destroys_twice =
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
    !std::is_reference_v<Argument> && std::is_aggregate_v<std::remove_cvref_t<Argument>> &&
    !std::is_trivially_destructible_v<std::remove_cvref_t<Argument>>;
#else
    false;
#endif

template <class... Arguments>
constexpr void check_call_arguments() {
  static_assert((!gcc_12_destroys_twice<Arguments> && ...),
                "harrier: GCC 12 miscompiles a temporary aggregate with a destructor in an expression with co_await; "
                "name the argument in a line of its own before the call");
}

}  // namespace detail
}  // namespace harrier
