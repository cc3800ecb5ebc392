#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include <harrier/core/states.hpp>
#include <harrier/native/handler.hpp>
#include <harrier/native/receive.hpp>
#include <harrier/native/usable.hpp>

/// What of an actor, a driver, a message or its arguments must not compile, and
/// the words in which it does not.
namespace harrier::detail {

/// @name The functions that harrier calls by their names
/// One that is there but cannot be called would be ignored without a word.
/// @{

/// Instantiated for an actor that has `accepts`: the compiler names one that is private.
template <class Actor>
struct accepts_is_to_be_public : Actor {
  using Actor::accepts;
};

template <class Guarded, class First, class As, std::size_t... I>
constexpr bool takes_first(std::index_sequence<I...>) {
  return requires(Guarded & a, First & h) { a.accepts(h, std::declval<each<As, I>>()...); }
  || requires(Guarded & a) { a.accepts(First{}, std::declval<each<As, I>>()...); };
}
template <class Guarded, class First>
constexpr bool takes_first() {
  return []<std::size_t... N>(std::index_sequence<N...>) {
    return ((takes_first<Guarded, First, anything>(std::make_index_sequence<N>{}) ||
             takes_first<Guarded, First, any_lvalue>(std::make_index_sequence<N>{})) ||
            ...);
  }
  (std::make_index_sequence<6>{});
}

/// Whether an argument of type From keeps its value: no fraction is lost.
template <class T>
struct as_it_is {
  operator const T&() const;
};
template <class T>
  requires std::is_floating_point_v<T>
struct as_it_is<T> {
  template <class U>
    requires(!std::is_integral_v<U>)
  operator U() const;
};

template <class Actor, auto Handler, class Arguments>
constexpr bool guard_takes_arguments = false;
template <class Actor, auto Handler, class... T>
constexpr bool guard_takes_arguments<Actor, Handler, arguments<T...>> = requires(const Actor& a, const T&... x) {
  { a.accepts(handler<Handler>{}, x...) } -> std::convertible_to<bool>;
};
template <class Actor, auto Handler>
concept guard_takes_none = requires(const Actor& a) {
  { a.accepts(handler<Handler>{}) } -> std::convertible_to<bool>;
};

/// Some `accepts` of the class is about this handler, whatever else it takes.
template <class Actor, auto Handler, class... T>
constexpr bool is_about(std::type_identity<arguments<T...>>) {
  return takes_first<Actor, handler<Handler>>() || requires(Actor & a, handler<Handler> h, T & ... x) {
    a.accepts(h, x...);
  }
  || requires(Actor & a, handler<Handler> h, self & s, T & ... x) { a.accepts(s, h, x...); }
  || requires(Actor & a, handler<Handler> h, self & s) { a.accepts(s, h); }
  || requires(Actor & a, handler<Handler> h, self & s) { a.accepts(h, s); }
  || requires(Actor & a, handler<Handler> h, T & ... x) { a.accepts(x..., h); };
}
template <class Actor, auto Handler, class... T>
constexpr bool loses_a_fraction(std::type_identity<arguments<T...>>) {
  return (std::is_floating_point_v<T> || ...) && !requires(const Actor& a, const as_it_is<T>&... x) {
    a.accepts(handler<Handler>{}, x...);
  };
}
/// `accept(handler<...>)`: a guard that is not called.
template <class Actor, auto Handler>
concept has_misspelt_guard = requires(Actor& a, handler<Handler> h) {
  a.accept(h);
}
|| requires(Actor& a, handler<Handler> h) { a.accept(h, anything{}); }
|| requires(Actor& a, handler<Handler> h) { a.is_accepted(h); }
|| requires(Actor& a, handler<Handler> h) { a.accepted(h); }
|| requires(Actor& a, handler<Handler> h) { a.Accepts(h); };

/// Whether `Actor` guards `Handler` in one way that can be called, or not at
/// all. If not, it does not compile.
template <class Actor, auto Handler>
constexpr bool check_guard() {
  using payload = typename traits<Handler>::parameters::payload;
  static_assert(
      !has_misspelt_guard<Actor, Handler>,
      "harrier: the guard of a message is called accepts: `bool accepts(harrier::handler<&lock::take>) const`");
  if constexpr (names_accepts<Actor>) {
    static_assert(sizeof(accepts_is_to_be_public<Actor>) != 0);
    constexpr bool by_actor = guard_takes_none<Actor, Handler>;
    constexpr bool by_message = guard_takes_arguments<Actor, Handler, payload>;
    static_assert(by_actor || by_message || !is_about<Actor, Handler>(std::type_identity<payload>{}),
                  "harrier: the guard of this message would not be called: a guard is public, const, returns bool, "
                  "takes its harrier::handler<...> first, and then either nothing or all of the message's arguments, "
                  "by value or const&: `bool accepts(harrier::handler<&lock::take>, int priority) const`");
    if constexpr (traits<Handler>::parameters::count > 0) {
      static_assert(!(by_actor && by_message),
                    "harrier: two guards for one message: accepts can be called with its arguments and without them; "
                    "keep one");
      if constexpr (by_message)
        static_assert(!loses_a_fraction<Actor, Handler>(std::type_identity<payload>{}),
                      "harrier: the guard of this message takes a floating-point argument as an integer");
    }
  }
  return true;
}

template <class Actor>
concept accepts_without_handler = requires(Actor& a) {
  { a.accepts() } -> std::convertible_to<bool>;
}
|| requires(Actor& a) {
  { a.accepts(std::declval<self&>()) } -> std::convertible_to<bool>;
};
template <class Actor>
concept has_misspelt_rest = requires(Actor& a) {
  { a.atRest() } -> std::convertible_to<bool>;
}
|| requires(Actor& a) {
  { a.AtRest() } -> std::convertible_to<bool>;
}
|| requires(Actor& a) {
  { a.atrest() } -> std::convertible_to<bool>;
}
|| requires(Actor& a) {
  { a.is_at_rest() } -> std::convertible_to<bool>;
}
|| requires(Actor& a) {
  { a.isAtRest() } -> std::convertible_to<bool>;
}
|| requires(Actor& a) {
  { a.in_rest() } -> std::convertible_to<bool>;
};
template <class Actor>
concept has_rest = requires(const Actor& a) {
  { a.at_rest() } -> std::convertible_to<bool>;
};
template <class Actor>
concept has_on_restart = requires(Actor& a, self& me) {
  { a.on_restart(me) } -> std::same_as<void>;
}
|| requires(Actor& a) {
  { a.on_restart() } -> std::same_as<void>;
};
/// `auto survives() const`: what of an actor that is made anew is still there after a crash.
template <class Actor>
concept has_survives = requires(const Actor& a) {
  a.survives();
};
template <class Actor>
concept restarts_with_what_survives = requires(Actor& a, self& me) {
  { a.on_restart(me, a.survives()) } -> std::same_as<void>;
};
template <class Actor>
concept has_fingerprint = requires(const Actor& a) {
  a.fingerprint();
};
template <class Actor>
concept has_clone = requires(const Actor& a) {
  { a.clone() } -> std::same_as<std::unique_ptr<Actor>>;
};
template <class Actor>
concept has_interchangeable = requires {
  typename std::bool_constant<static_cast<bool>(Actor::interchangeable)>;
};
template <class Actor>
concept has_must_end = requires {
  typename std::bool_constant<static_cast<bool>(Actor::must_end)>;
};

/// The same of what one offers that is made anew.
template <class Actor>
constexpr void check_rebuilt_hooks() {
  static_assert(
      !requires(Actor & a) { a.fingerprint(); } || has_fingerprint<Actor>,
      "harrier: fingerprint would not be asked: it is a public function `auto fingerprint() const`, and takes nothing");
  static_assert(
      !requires(Actor & a) { a.clone(); } || has_clone<Actor>,
      "harrier: clone would not be called: it is a public function `std::unique_ptr<my_class> clone() const`, "
      "and takes nothing");
  static_assert(
      !requires(Actor & a) { a.survives(); } || has_survives<Actor>,
      "harrier: survives would not be asked: it is a public function `auto survives() const`, and takes "
      "nothing");
  if constexpr (has_survives<Actor>)
    static_assert(restarts_with_what_survives<Actor>,
                  "harrier: an actor that says what survives a crash takes it when it restarts: `void "
                  "on_restart(harrier::self& self, const disk& survived)`");
  if constexpr (has_fingerprint<Actor>)
    check_value<std::remove_cvref_t<decltype(std::declval<const Actor&>().fingerprint())>>();
}

/// Whether `Actor` is the class of an actor, as far as its name says. If not, it does not compile.
template <class Actor>
constexpr bool check_actor_class() {
  constexpr bool is_class =
      std::is_class_v<Actor> && !std::is_const_v<Actor> && !address<Actor> && !std::is_same_v<Actor, no_class>;
  constexpr bool is_complete = is_class && requires { sizeof(Actor); };
  static_assert(
      is_class,
      "harrier: create<server>(fields...): in <> stands the class of the actor; no value, no handler, no ref, "
      "and not const");
  static_assert(is_complete || !is_class,
                "harrier: create<server>(fields...): the class of the actor is only declared here: `struct server;`; "
                "include what defines it");
  return is_complete;
}

/// Whether what an actor has of these functions can be called. If not, it does
/// not compile.
template <class Actor>
constexpr bool check_actor_hooks() {
  static_assert(!std::is_final_v<Actor>,
                "harrier: an actor is no final class: harrier could not see whether one of its functions is a guard "
                "that cannot be called; leave final out");
  static_assert(!names_at_rest<Actor> || has_rest<Actor>,
                "harrier: at_rest would not be asked: it is a public function `bool at_rest() const`, no field, and "
                "takes nothing");
  static_assert(!has_misspelt_rest<Actor>,
                "harrier: the function that says whether an execution may end is called at_rest: `bool at_rest() "
                "const`");
  static_assert(
      !names_on_restart<Actor> || has_on_restart<Actor> || (is_rebuilt<Actor> && restarts_with_what_survives<Actor>),
      "harrier: on_restart would not be called: it is a public function `void on_restart(harrier::self& self)`, "
      "or `void on_restart()`, and waits for nothing");
  static_assert(!names_interchangeable<Actor> || has_interchangeable<Actor>,
                "harrier: interchangeable would not be seen: it is public and `static constexpr bool interchangeable = "
                "true;`");
  static_assert(!names_must_end<Actor> || has_must_end<Actor>,
                "harrier: must_end would not be seen: it is public and `static constexpr bool must_end = true;`");
  static_assert(!names_receives<Actor> || lists_messages<Actor>,
                "harrier: receives would not be seen: it is public and `using receives = harrier::messages<increment, "
                "stop>;`");
  static_assert(
      !names_rebuilt<Actor> || requires { typename std::bool_constant<static_cast<bool>(Actor::rebuilt)>; },
      "harrier: rebuilt would not be seen: it is public and `static constexpr bool rebuilt = true;`");
  if constexpr (is_rebuilt<Actor>) check_rebuilt_hooks<Actor>();
  static_assert(!accepts_without_handler<Actor>,
                "harrier: a guard says first which message it is about: `bool accepts(harrier::handler<&lock::take>) "
                "const`");
  return !std::is_final_v<Actor>;
}

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

/// `void finally(final_states&) const` in a driver: the check of its program's ends.
template <class Driver>
concept has_finally = requires(const Driver& d, final_states& end) {
  d.finally(end);
};

template <auto Handler>
constexpr bool takes_self_alone = [] {
  if constexpr (traits<Handler>::is_handler)
    return traits<Handler>::parameters::count == 0;
  else
    return false;
}();
template <class Driver>
constexpr bool misspells_set_up = names_setup<Driver> || names_setUp<Driver> || names_SetUp<Driver>;
template <class Driver>
constexpr bool misspells_start_up = names_startup<Driver> || names_startUp<Driver> || names_StartUp<Driver>;

/// Whether what a driver has of these functions is called. If not, it does not
/// compile.
template <class Driver>
constexpr bool check_driver_hooks() {
  static_assert(!misspells_set_up<Driver>,
                "harrier: a driver's preparation is called set_up: `void set_up(harrier::self& self)`");
  static_assert(!misspells_start_up<Driver>,
                "harrier: a driver's begin is called start_up: `void start_up(harrier::self& self)`");
  static_assert(!names_set_up<Driver> || has_set_up<Driver>,
                "harrier: set_up would not be run: it is one public function `void set_up(harrier::self& self)`");
  static_assert(
      !names_finally<Driver> || has_finally<Driver>,
      "harrier: finally would not be asked: it is a public function `void finally(harrier::final_states& end) "
      "const`");
  static_assert(!names_start_up<Driver> || has_start_up<Driver>,
                "harrier: start_up would not be run: it is one public function `void start_up(harrier::self& self)`");
  bool runnable = true;
  if constexpr (driver_struct<Driver>) {
    static_assert(takes_self_alone<&Driver::test>, "harrier: a driver's test takes harrier::self& and nothing else");
    runnable = takes_self_alone<&Driver::test>;
  } else {
    static_assert(
        !names_set_up<Driver> && !names_start_up<Driver>,
        "harrier: a driver with set_up or start_up has a public `void test(harrier::self& self)` too: what it "
        "sends is explored");
  }
  if constexpr (has_set_up<Driver>) {
    static_assert(takes_self_alone<&Driver::set_up>,
                  "harrier: a driver's set_up takes harrier::self& and nothing else");
    runnable = runnable && takes_self_alone<&Driver::set_up>;
  }
  if constexpr (has_start_up<Driver>) {
    static_assert(takes_self_alone<&Driver::start_up>,
                  "harrier: a driver's start_up takes harrier::self& and nothing else");
    runnable = runnable && takes_self_alone<&Driver::start_up>;
  }
  return runnable;
}

/// A struct that is a driver is an actor as well.
template <class Driver>
constexpr bool check_driver_state() {
  static_assert(!is_rebuilt<Driver>, "harrier: a driver is copied; the actors that it creates may be made anew");
  return check_actor_hooks<Driver>() && check_state<Driver>();
}

/// @}
/// @name Messages and their arguments
/// @{

template <class... T>
constexpr bool check_values(std::type_identity<arguments<T...>>) {
  return (check_value<T>() && ...);
}

template <class From, class To>
constexpr bool loses_fraction = std::is_floating_point_v<std::remove_cvref_t<From>>&& std::is_integral_v<To>;

template <class Payload, class... Arguments>
struct arguments_fit : std::false_type {};
template <class... To, class... From>
  requires(sizeof...(To) == sizeof...(From))
struct arguments_fit<arguments<To...>, From...>
    : std::bool_constant<(std::is_convertible_v<From, To> && ...) && !(loses_fraction<From, To> || ...)> {};

/// Does not compile if a class is named where a handler is to be.
template <class... None>
constexpr void check_names_handler() {
  static_assert(
      sizeof...(None) == 0,
      "harrier: in <> stands the message, a handler of the actor, and no class: send<&server::set>(store, 5), "
      "co_await call<&server::get>(store)");
}

/// Does not compile, since a message cannot be sent to what is no `ref`: to one `To`, or to none.
template <class... To>
constexpr void refuse_receiver() {
  using first = std::tuple_element_t<0, std::tuple<std::remove_cvref_t<To>..., void>>;
  constexpr bool is_self = std::is_same_v<first, self>;
  constexpr bool is_object = std::is_class_v<first> || std::is_pointer_v<first>;
  static_assert(!is_self,
                "harrier: self is what a handler can do, and no actor; a message to the actor that runs is sent to its "
                "address: self.send<&server::set>(self.me<server>(), 5)");
  static_assert(is_self || !is_object,
                "harrier: a message is sent to an address, a harrier::ref<server>, as self.create<server>() and "
                "self.me<server>() return it, and not to an object or a pointer");
  static_assert(is_self || is_object,
                "harrier: to whom? What comes first is the address of an actor, and then what is sent: "
                "self.send<&server::set>(store, 5), where store is a harrier::ref<server>");
}

/// Whether `Handler` can be a message of `Actor`. If not, it does not compile.
template <class Actor, auto Handler>
constexpr bool check_handler() {
  using h = traits<Handler>;
  using pointer = std::remove_const_t<decltype(Handler)>;
  static_assert(!std::is_member_object_pointer_v<pointer>,
                "harrier: a message is a member function of an actor, and this is a field: write a handler, `void "
                "set(int v) { value = v; }`, and send<&server::set>(store, 5)");
  static_assert(h::is_handler || !std::is_member_function_pointer_v<pointer>,
                "harrier: a handler is called on an actor that stays: after its parameters stand const, & and noexcept "
                "at most, no && and no volatile, and its last parameter is no `...`");
  static_assert(h::is_handler || std::is_member_pointer_v<pointer>,
                "harrier: a message is a member function of an actor: send<&server::set>(store, 5). For one of several "
                "overloads write send<harrier::overload<int>(&server::set)>");
  if constexpr (!h::is_handler) {
    return false;
  } else {
    constexpr bool belongs = std::is_base_of_v<typename h::actor, Actor>;
    static_assert(belongs,
                  "harrier: the actor referred to has no such message: the handler belongs to another class than the "
                  "ref");
    using p = typename h::parameters;
    static_assert(!p::mention_self,
                  "harrier: a handler takes harrier::self& (by reference, not const) as its first parameter, before "
                  "the message's arguments");
    static_assert(p::mention_self || p::by_value_or_const_reference,
                  "harrier: a handler takes its arguments by value or const&: messages are immutable and shared, so a "
                  "parameter T& or T&& would change what other interleavings see");
    static_assert(p::mention_self || p::copyable,
                  "harrier: a handler's argument is move-only; messages are delivered in many interleavings and must "
                  "be copyable (shared_ptr<const T> shares a large value)");
    static_assert(!is_rebuilt<Actor> || !h::suspends,
                  "harrier: an actor that is made anew (rebuilt) has no coroutines; a call is continued by "
                  "`.then<&me::on_value>()`");
    if constexpr (belongs && !p::mention_self && p::copyable && p::by_value_or_const_reference &&
                  !(is_rebuilt<Actor> && h::suspends))
      return check_values(std::type_identity<typename p::payload>{}) && check_guard<Actor, Handler>();
    else
      return false;
  }
}

/// Whether the arguments fit the handler. If not, it does not compile.
template <auto Handler, class... Arguments>
constexpr bool check_arguments() {
  using h = traits<Handler>;
  constexpr bool as_many = h::is_handler && sizeof...(Arguments) == h::parameters::count;
  static_assert(as_many || !h::is_handler,
                "harrier: wrong number of arguments for this handler (a leading self& is not counted)");
  if constexpr (!as_many) {
    return false;
  } else {
    constexpr bool fit = arguments_fit<typename h::parameters::payload, Arguments...>::value;
    static_assert(fit,
                  "harrier: an argument does not convert to the handler's parameter (a floating-point number does not "
                  "silently become an integer)");
    return fit;
  }
}

/// What is wrong with an actor's state is said where it is created.
template <class Actor>
constexpr bool is_usable_actor = [] {
  if constexpr (is_rebuilt<Actor>)
    return true;
  else
    return is_usable_state<Actor> && std::is_copy_constructible_v<Actor>;
}();

/// Whether what `Handler` returns can travel in a message.
template <auto Handler>
constexpr bool check_reply() {
  using result = typename traits<Handler>::result;
  if constexpr (std::is_void_v<result>) {
    return true;
  } else {
    static_assert(std::is_copy_constructible_v<result>,
                  "harrier: the result of a call travels in a message: make it copyable");
    if constexpr (std::is_copy_constructible_v<result>)
      return check_value<result>();
    else
      return false;
  }
}
template <class T>
constexpr bool is_usable_reply = is_usable_value<T>&& std::is_copy_constructible_v<T>;
template <>
inline constexpr bool is_usable_reply<void> = true;

/// Whether `Handler` can take what a `then` gives it.
template <auto Handler>
constexpr bool check_then() {
  if constexpr (traits<Handler>::is_handler) {
    return check_handler<typename traits<Handler>::actor, Handler>();
  } else {
    static_assert(traits<Handler>::is_handler,
                  "harrier: then<&me::on_value>: what takes the reply is a member function of the calling actor");
    return false;
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

/// @}

}  // namespace harrier::detail
