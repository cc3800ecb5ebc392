#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

/// How many fields an aggregate has. Boost.PFR gives the fields to whoever knows their number; its own count makes
/// GCC 12 fail on fields whose default is a list of lists, and is quadratic in the size of a class that has a field
/// without a default.
namespace harrier::detail {

/// Becomes a field, whatever that is.
struct lvalue_of_any {
  template <class T>
  operator T&() const&& noexcept;  // of two, neither is better for a field that takes all
  template <class T>
  operator T&() const& noexcept;
};
struct rvalue_of_any {
  template <class T>
  operator T() const&& noexcept;
};
template <class T>
using any_field_of = std::conditional_t<std::is_copy_constructible_v<T>, lvalue_of_any, rvalue_of_any>;
template <class As, std::size_t>
using each = As;

template <class T, std::size_t... I>
constexpr bool takes_fields(std::index_sequence<I...>) {
  return requires { T{each<any_field_of<T>, I>{}...}; };
}

/// Of what has more than that the fields cannot be enumerated.
inline constexpr std::size_t most_fields = 100;

/// An aggregate takes from as many initialisers as there are fields down to the last one that has no default.
template <class T, std::size_t N = 0, bool TakenBefore = false>
constexpr std::size_t count_fields() {
  constexpr bool taken = takes_fields<T>(std::make_index_sequence<N>{});
  if constexpr (TakenBefore && !taken)
    return N - 1;
  else if constexpr (N > most_fields)
    return taken ? N : 0;
  else
    return count_fields<T, N + 1, taken>();
}

/// The number of fields of aggregate T, most_fields + 1 if there are more. The elements of a C array are counted one by
/// one. It is 0 if there are none, or one cannot be made of anything.
template <class T>
inline constexpr std::size_t field_count = count_fields<std::remove_cv_t<T>>();

}  // namespace harrier::detail
