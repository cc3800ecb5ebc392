#pragma once

#include <type_traits>

#include <harrier/native/handler.hpp>

namespace harrier {

/// Fields that a handler may read, as pointers to members: of a declaration.
template <auto... Field>
struct reads {};
/// Fields that a handler may write, and read; those that it writes need not be said twice.
template <auto... Field>
struct writes {};
/// Handlers whose messages a handler may send.
template <auto... Handler>
struct sends {};

/// What a handler does at most, in `reads`, `writes` and `sends` in any order. What
/// is not said of fields or of sends is not known of them; said with nothing in it
/// (`reads<>`), it does nothing of that.
///
/// Declared beside the handler, after it, by a function that has no body,
///
///     void put(int x) { value = x; }
///     static harrier::declaration<harrier::writes<&cell::value>> declares(harrier::handler<&cell::put>);
///
/// or outside of the class, after it, by a specialisation of `declared`:
///
///     template <>
///     struct harrier::declared<&cell::put> {
///       using type = harrier::declaration<harrier::writes<&cell::value>>;
///     };
///
/// A handler whose declaration names neither `reads` nor `writes` is taken for one that
/// reads all that is not tracked. Declarations are used by `--independence fields`,
/// and checked where they are: one that a run shows to be wrong ends the
/// exploration with both messages (docs/algorithms/independence.md).
template <class... What>
struct declaration {};

/// A declaration outside of the handler's class, in its member `type`.
template <auto Handler>
struct declared {};

namespace detail {

template <class What>
constexpr bool is_about_fields = false;
template <auto... Field>
constexpr bool is_about_fields<reads<Field...>> = true;
template <auto... Field>
constexpr bool is_about_fields<writes<Field...>> = true;
template <class What>
constexpr bool is_about_sends = false;
template <auto... Handler>
constexpr bool is_about_sends<sends<Handler...>> = true;

template <class T>
struct as_declaration {
  static constexpr bool is_one = false, tells_fields = false, tells_sends = false;
};
template <class... What>
struct as_declaration<declaration<What...>> {
  static_assert(((is_about_fields<What> || is_about_sends<What>)&&...),
                "harrier: a declaration is made of reads<...>, writes<...> and sends<...>");
  static constexpr bool is_one = true;
  static constexpr bool tells_fields = (is_about_fields<What> || ...);
  static constexpr bool tells_sends = (is_about_sends<What> || ...);
};

struct no_declaration {};

template <class Actor, auto Handler>
constexpr auto find_declaration() {
  if constexpr (requires { Actor::declares(handler<Handler>{}); }) {
    using found = decltype(Actor::declares(handler<Handler>{}));
    static_assert(as_declaration<found>::is_one,
                  "harrier: declares(handler<...>) returns a harrier::declaration<reads<...>, writes<...>>");
    static_assert(
        !requires { typename declared<Handler>::type; },
        "harrier: this handler is declared twice, beside it and by harrier::declared");
    return std::type_identity<found>{};
  } else if constexpr (requires { typename declared<Handler>::type; }) {
    using found = typename declared<Handler>::type;
    static_assert(as_declaration<found>::is_one,
                  "harrier: `type` in harrier::declared is a harrier::declaration<reads<...>, writes<...>>");
    return std::type_identity<found>{};
  } else {
    return std::type_identity<no_declaration>{};
  }
}

template <class Actor, auto Handler>
using declaration_of = typename decltype(find_declaration<Actor, Handler>())::type;

}  // namespace detail
}  // namespace harrier
