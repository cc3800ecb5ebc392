#pragma once

#include <gtest/gtest.h>

#include <concepts>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include <harrier/native/names.hpp>
#include <harrier/native/test_body.hpp>
#include <harrier/native/usable.hpp>
#include <harrier/native/value_printer.hpp>

/// How GoogleTest shows values of which it knows nothing: it would dump their
/// bytes, and where these hold an address (a std::string does) the same failure
/// would read otherwise in each run. harrier shows them as in its traces:
/// `{round=2, name="two"}`, enumerators and actors by their names. A type with an
/// `operator<<`, a `PrintTo` or an `AbslStringify` of its own is shown by that.

namespace harrier::detail {

/// Looks for functions as GoogleTest does: by the arguments alone.
namespace looked_up {

struct nobody {};
void operator<<(nobody, nobody);
void PrintTo(nobody, nobody);
void AbslStringify(nobody, nobody);

struct any_sink {
  void Append(std::size_t, char);
  void Append(std::string_view);
};

template <class T>
concept streamed = requires(std::ostream& to, const T& x) {
  to << x;
};
template <class T>
concept printed = requires(std::ostream* to, const T& x) {
  PrintTo(x, to);
};
template <class T>
concept stringified = requires(any_sink& to, const T& x) {
  AbslStringify(to, x);
};

}  // namespace looked_up

template <class T>
constexpr bool is_of_a_library() {
  const auto name = argument(spelling_of_type<T>(), "T = ");
  return name.starts_with("std::") || name.starts_with("testing::");
}

/// What GoogleTest dumps byte by byte.
template <class T>
concept is_dumped = (std::is_class_v<T> || std::is_enum_v<T> || std::is_union_v<T>)&&requires {
  sizeof(T);
}
&&!looked_up::streamed<T> && !looked_up::printed<T> && !looked_up::stringified<T> &&
    !std::is_convertible_v<const T&, long long> && !std::is_convertible_v<const T&, std::string_view> && !requires {
  typename T::const_iterator;
};

template <class T>
concept shown_by_harrier = is_dumped<T> &&
    (!is_of_a_library<T>() || std::is_same_v<T, std::monostate> || is_duration<T> || is_time_point<T> || is_adaptor<T>);

/// As in a trace; a value with something in it that cannot be part of a state, by its class alone.
template <class T>
std::string text_of_value(const T& value) {
  if constexpr (is_usable_value<T>) {
    const auto* const system = system_of_test();
    auto printer = system != nullptr ? value_printer(*system) : value_printer();
    printer.add(value);
    return printer.take();
  } else {
    return std::string(type_name<T>()) + " (" + std::to_string(sizeof(T)) + " bytes)";
  }
}

}  // namespace harrier::detail

template <class T>
  requires ::harrier::detail::shown_by_harrier<T>
class testing::internal::UniversalPrinter<T> {
public:
  static void Print(const T& value, ::std::ostream* to) { *to << ::harrier::detail::text_of_value(value); }
};
