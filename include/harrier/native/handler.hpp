#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

#include <harrier/native/arguments.hpp>
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
  using payload = arguments<std::remove_cvref_t<P>...>;
  using values = std::tuple<std::remove_cvref_t<P>...>;
  static constexpr bool by_value_or_const_reference =
      ((!std::is_reference_v<P> || (std::is_lvalue_reference_v<P> && std::is_const_v<std::remove_reference_t<P>>)) &&
       ...);
  static constexpr bool copyable = (std::is_copy_constructible_v<std::remove_cvref_t<P>> && ...);
  static constexpr bool mention_self = (std::is_same_v<std::remove_cvref_t<P>, self> || ...);
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
  using result = std::remove_cvref_t<typename result_of<Result>::value>;  // it travels in a message, by value
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
  using parameters = parameter_list<>;
  using result = void;
};
template <class R, class A, class... P>
struct member_function<R (A::*)(P...)> : member_function_of<A, R, false, P...> {};
template <class R, class A, class... P>
struct member_function<R (A::*)(P...) const> : member_function_of<A, R, true, P...> {};
template <class R, class A, class... P>
struct member_function<R (A::*)(P...)&> : member_function_of<A, R, false, P...> {};
template <class R, class A, class... P>
struct member_function<R (A::*)(P...) const&> : member_function_of<A, R, true, P...> {};
template <class R, class A, class... P>
struct member_function<R (A::*)(P...)& noexcept> : member_function_of<A, R, false, P...> {};
template <class R, class A, class... P>
struct member_function<R (A::*)(P...) const& noexcept> : member_function_of<A, R, true, P...> {};
template <class R, class A, class... P>
struct member_function<R (A::*)(P...) noexcept> : member_function_of<A, R, false, P...> {};
template <class R, class A, class... P>
struct member_function<R (A::*)(P...) const noexcept> : member_function_of<A, R, true, P...> {};

template <auto Handler>
using traits = member_function<std::remove_const_t<decltype(Handler)>>;

}  // namespace detail
}  // namespace harrier
