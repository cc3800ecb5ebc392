#pragma once

#include <boost/pfr/core.hpp>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include <harrier/core/field_count.hpp>

/// Names of types, handlers and fields, as the program's author wrote them,
/// taken from the compiler's own spelling of a function (GCC and Clang).
namespace harrier::detail {

template <class T>
constexpr std::string_view spelling_of_type() {
  return __PRETTY_FUNCTION__;
}

template <auto Value>
constexpr std::string_view spelling_of_value() {
  return __PRETTY_FUNCTION__;
}

/// What follows `key` up to the end of that template argument.
constexpr std::string_view argument(std::string_view spelling, std::string_view key) {
  spelling.remove_prefix(spelling.find(key) + key.size());
  int nested = 0;
  for (std::size_t i = 0; i < spelling.size(); ++i) {
    const auto c = spelling[i];
    if (c == '<' || c == '(' || c == '[') ++nested;
    if ((c == ']' || c == ';') && nested == 0) return spelling.substr(0, i);
    if (c == '>' || c == ')' || c == ']') --nested;
  }
  return spelling;
}

/// Without the namespaces and classes it lies in: `a::b<c::d>::e` is `e`.
constexpr std::string_view unqualified(std::string_view name) {
  int nested = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    const auto c = name[i];
    if (c == '>' || c == ')') ++nested;
    if (c == '<' || c == '(') --nested;
    if (nested == 0 && (c == ':' || c == '&' || c == ' ' || c == '.')) return name.substr(i + 1);
  }
  return name;
}

/// `(a::color)7`, as compilers spell a value without a name. Clang has `(anonymous namespace)::` in names.
constexpr bool is_cast(std::string_view spelling) {
  const auto end = spelling.rfind(')');
  return end != std::string_view::npos && spelling.substr(end + 1, 1) != ":";
}

template <class T>
inline constexpr std::string_view spelt_type = unqualified(argument(spelling_of_type<T>(), "T = "));

/// `client` for struct client in any namespace.
template <class T>
constexpr std::string_view type_name() {
  return spelt_type<T>;
}

template <auto Handler>
constexpr std::string_view find_handler_name() {
  auto name = argument(spelling_of_value<Handler>(), "Value = ");
  // GCC spells a cast before an overloaded or inherited member: `(void (server::*)(int))(& server::set)`, or
  // `(& server::set)`.
  while (!name.empty() && name.back() == ')') {
    int nested = 0;
    std::size_t open = name.size();
    for (std::size_t i = name.size(); i-- > 0;) {
      if (name[i] == ')') ++nested;
      if (name[i] == '(' && --nested == 0) {
        open = i;
        break;
      }
    }
    name = name.substr(open + 1, name.size() - open - 2);
  }
  name = unqualified(name);
  return name.substr(0, name.find('<'));
}

template <auto Handler>
inline constexpr std::string_view spelt_handler = find_handler_name<Handler>();

/// `set` for &server::set; `put` for &server::put<int>.
template <auto Handler>
constexpr std::string_view handler_name() {
  return spelt_handler<Handler>;
}

template <class T>
struct holder {
  T value;
};

/// References to the fields of an aggregate.
template <class T>
constexpr auto tie_fields(T& value) {
  return boost::pfr::detail::tie_as_tuple(value, boost::pfr::detail::size_t_<field_count<T>>{});
}
template <std::size_t I, class T>
constexpr auto& field_of(T& value) {
  return boost::pfr::detail::sequence_tuple::get<I>(tie_fields(value));
}
/// The fields of a constant object are tied as those of another are: to tie them is most of what a class costs.
template <std::size_t I, class T>
constexpr const auto& field_of(const T& value) {
  return field_of<I>(const_cast<T&>(value));
}
/// What field number I of aggregate T is declared as.
template <class T, std::size_t I>
using field_type = std::remove_reference_t<decltype(field_of<I>(std::declval<T&>()))>;

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"  // of an actor in an unnamed namespace
#endif
/// Never defined: only addresses of its parts are named, in template arguments.
template <class T>
extern holder<T> somewhere;

template <class T, std::size_t I>
constexpr auto field_address() {
  return &field_of<I>(somewhere<T>.value);
}
#ifdef __clang__
#pragma clang diagnostic pop
#endif

template <class T, std::size_t I>
constexpr std::string_view find_field_name() {
  auto name = argument(spelling_of_value<field_address<T, I>()>(), "Value = ");
  if (!name.empty() && name.back() == ')') name.remove_suffix(1);
  return unqualified(name);
}

#if defined(__clang__) && __clang_major__ < 18
/// These cannot have the address of a field as a template argument: `field_007`
/// instead of its name, so that all else works.
template <std::size_t I>
inline constexpr char field_number[] = {'f', 'i', 'e', 'l', 'd', '_', '0' + I / 100, '0' + I / 10 % 10, '0' + I % 10};

template <class T, std::size_t I>
inline constexpr std::string_view spelt_field{field_number<I>, sizeof field_number<I>};
#else
template <class T, std::size_t I>
inline constexpr std::string_view spelt_field = find_field_name<T, I>();
#endif

/// Name of the I-th field of aggregate T.
template <class T, std::size_t I>
constexpr std::string_view field_name() {
  return spelt_field<T, I>;
}

}  // namespace harrier::detail
