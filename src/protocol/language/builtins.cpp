#include "builtins.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace harrier::protocol::internal {
namespace {

using arguments = std::vector<value>;
constexpr std::int64_t zero = 0;
constexpr std::int64_t one = 1;
constexpr std::size_t unlimited = static_cast<std::size_t>(-1);

const arguments& elements(const value& v) {
  const auto* found = v.elements();
  if (found == nullptr) throw builtin_failure{fmt::format("`{}` is not a list or set", to_string(v))};
  return *found;
}

const std::string& text(const value& v) {
  const auto* found = v.get_if<std::string>();
  if (found == nullptr) throw builtin_failure{fmt::format("`{}` is not a string", to_string(v))};
  return *found;
}

const arguments& set_elements(const value& v) {
  if (v.get_if<value_set>() == nullptr) throw builtin_failure{fmt::format("`{}` is not a set", to_string(v))};
  return elements(v);
}

template <value (*Step)(const value&, const value&)>
value fold(const arguments& a, std::int64_t unit) {
  value result(unit);
  for (const auto& next : a) result = Step(result, next);
  return result;
}

// `-` and `/`: with one argument, from the unit.
template <value (*Step)(const value&, const value&)>
value reduce(const arguments& a, std::int64_t unit) {
  if (a.size() == 1) return Step(value(unit), a[0]);
  value result = a[0];
  for (std::size_t i = 1; i < a.size(); ++i) result = Step(result, a[i]);
  return result;
}

template <class Question>
value ordered(const arguments& a, Question&& holds) {
  for (std::size_t i = 0; i + 1 < a.size(); ++i) {
    const auto difference = subtract(a[i], a[i + 1]);
    if (!holds(to_double(difference))) return value(false);
  }
  if (a.size() == 1) static_cast<void>(to_double(a[0]));
  return value(true);
}

value range(const arguments& a, const builtin_context& context) {
  const value first = a.size() > 1 ? a[0] : value(std::int64_t{0});
  const value last = a.size() > 1 ? a[1] : a[0];
  const value step = a.size() > 2 ? a[2] : value(std::int64_t{1});
  const double direction = to_double(step);
  if (direction == 0) throw builtin_failure{"a step of 0 never ends"};
  arguments result;
  for (value next = first; to_double(subtract(last, next)) * direction > 0; next = add(next, step)) {
    context.spend(1);
    result.push_back(next);
  }
  return value::list(std::move(result));
}

template <bool Keep>
value select(const arguments& a, const builtin_context& context) {
  arguments result;
  for (const auto& e : elements(a[1])) {
    if (context.apply(a[0], e).truthy() == Keep) result.push_back(e);
  }
  return value::list(std::move(result));
}

value map_over(const arguments& a, const builtin_context& context) {
  arguments result;
  for (const auto& e : elements(a[1])) result.push_back(context.apply(a[0], e));
  return value::list(std::move(result));
}

value without(const arguments& a, const builtin_context&) {
  arguments result = set_elements(a[0]);
  std::erase_if(result, [&](const value& e) { return std::find(a.begin() + 1, a.end(), e) != a.end(); });
  return value::set(std::move(result));
}

value set_union(const arguments& a, const builtin_context& context) {
  arguments result;
  for (const auto& each : a) {
    context.spend(set_elements(each).size());
    result.insert(result.end(), set_elements(each).begin(), set_elements(each).end());
  }
  return value::set(std::move(result));
}

value difference(const arguments& a, const builtin_context&) {
  arguments result = set_elements(a[0]);
  for (std::size_t i = 1; i < a.size(); ++i) {
    const auto& out = set_elements(a[i]);
    std::erase_if(result, [&](const value& e) { return std::find(out.begin(), out.end(), e) != out.end(); });
  }
  return value::set(std::move(result));
}

value power_set(const arguments& a, const builtin_context& context) {
  const auto& all = set_elements(a[0]);
  if (all.size() > 16) throw builtin_failure{fmt::format("2^{} subsets are too many (at most 2^16)", all.size())};
  arguments subsets;
  for (std::uint32_t chosen = 0; chosen < (1U << all.size()); ++chosen) {
    context.spend(1 + static_cast<std::size_t>(std::popcount(chosen)));
    arguments subset;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((chosen >> i & 1U) != 0) subset.push_back(all[i]);
    }
    subsets.push_back(value::set(std::move(subset)));
  }
  return value::set(std::move(subsets));
}

value conj(const arguments& a, const builtin_context& context) {
  arguments result = elements(a[0]);
  context.spend(result.size());
  result.insert(result.end(), a.begin() + 1, a.end());
  return a[0].get_if<value_set>() != nullptr ? value::set(std::move(result)) : value::list(std::move(result));
}

value nth(const arguments& a, const builtin_context&) {
  const auto& all = elements(a[0]);
  const auto index = to_integer(a[1]);
  if (index < 0 || static_cast<std::size_t>(index) >= all.size()) {
    throw builtin_failure{fmt::format("there is no element {} in {}", index, all.size())};
  }
  return all[static_cast<std::size_t>(index)];
}

value count(const arguments& a, const builtin_context&) {
  if (const auto* s = a[0].get_if<std::string>()) return value(static_cast<std::int64_t>(s->size()));
  return value(static_cast<std::int64_t>(elements(a[0]).size()));
}

value str(const arguments& a, const builtin_context& context) {
  std::string result;
  for (const auto& v : a) {
    result += display(v);
    context.spend(1 + result.size() / 64);
  }
  return value(std::move(result));
}

value parse_long(const arguments& a, const builtin_context&) {
  std::string_view digits = text(a[0]);
  const auto radix = a.size() > 1 ? to_integer(a[1]) : 10;
  if (radix < 2 || radix > 36) throw builtin_failure{fmt::format("{} is not a radix (2 to 36)", radix)};
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  std::int64_t result = 0;
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), result, static_cast<int>(radix));
  if (problem != std::errc{} || end != digits.data() + digits.size()) {
    throw builtin_failure{fmt::format("{} is not a number in radix {}", to_string(a[0]), radix)};
  }
  return value(result);
}

value extreme(const arguments& a, int sign) {
  value best = a[0];
  for (const auto& v : a) {
    if (to_double(subtract(v, best)) * sign > 0) best = v;
  }
  return best;
}

value contains(const arguments& a, const builtin_context&) {
  const auto& all = set_elements(a[0]);
  return value(std::find(all.begin(), all.end(), a[1]) != all.end());
}

value equal_all(const arguments& a) {
  return value(std::all_of(a.begin(), a.end(), [&](const value& v) { return v == a[0]; }));
}

value absolute(const arguments& a, const builtin_context&) {
  return to_double(a[0]) < 0 ? subtract(value(std::int64_t{0}), a[0]) : a[0];
}

#define HARRIER_BUILTIN(expression)                                 \
  [](const arguments& a, const builtin_context& context) -> value { \
    static_cast<void>(a);                                           \
    static_cast<void>(context);                                     \
    return value(expression);                                       \
  }

const std::map<std::string_view, builtin>& table() {
  static const std::map<std::string_view, builtin> all{
      {"+", {{0, unlimited}, HARRIER_BUILTIN(fold<add>(a, zero))}},
      {"-", {{1, unlimited}, HARRIER_BUILTIN(reduce<subtract>(a, zero))}},
      {"*", {{0, unlimited}, HARRIER_BUILTIN(fold<multiply>(a, one))}},
      {"/", {{1, unlimited}, HARRIER_BUILTIN(reduce<divide>(a, one))}},
      {"inc", {{1, 1}, HARRIER_BUILTIN(add(a[0], value(one)))}},
      {"dec", {{1, 1}, HARRIER_BUILTIN(subtract(a[0], value(one)))}},
      {"mod", {{2, 2}, HARRIER_BUILTIN(modulo(a[0], a[1]))}},
      {"quot", {{2, 2}, HARRIER_BUILTIN(quotient(a[0], a[1]))}},
      {"rem", {{2, 2}, HARRIER_BUILTIN(subtract(a[0], multiply(a[1], quotient(a[0], a[1]))))}},
      {"long", {{1, 1}, HARRIER_BUILTIN(truncate(a[0]))}},
      {"int", {{1, 1}, HARRIER_BUILTIN(truncate(a[0]))}},
      {"min", {{1, unlimited}, HARRIER_BUILTIN(extreme(a, -1))}},
      {"max", {{1, unlimited}, HARRIER_BUILTIN(extreme(a, 1))}},
      {"=", {{1, unlimited}, HARRIER_BUILTIN(equal_all(a))}},
      {"not=", {{1, unlimited}, HARRIER_BUILTIN(!equal_all(a).truthy())}},
      {"<", {{1, unlimited}, HARRIER_BUILTIN(ordered(a, [](double d) { return d < 0; }))}},
      {">", {{1, unlimited}, HARRIER_BUILTIN(ordered(a, [](double d) { return d > 0; }))}},
      {"<=", {{1, unlimited}, HARRIER_BUILTIN(ordered(a, [](double d) { return d <= 0; }))}},
      {">=", {{1, unlimited}, HARRIER_BUILTIN(ordered(a, [](double d) { return d >= 0; }))}},
      {"not", {{1, 1}, HARRIER_BUILTIN(!a[0].truthy())}},
      {"and", {{0, unlimited}, HARRIER_BUILTIN(a.empty() ? value(true) : a.back())}},
      {"or", {{0, unlimited}, HARRIER_BUILTIN(a.empty() ? value() : a.back())}},
      {"zero?", {{1, 1}, HARRIER_BUILTIN(to_double(a[0]) == 0)}},
      {"pos?", {{1, 1}, HARRIER_BUILTIN(to_double(a[0]) > 0)}},
      {"neg?", {{1, 1}, HARRIER_BUILTIN(to_double(a[0]) < 0)}},
      {"even?", {{1, 1}, HARRIER_BUILTIN(to_integer(a[0]) % 2 == 0)}},
      {"odd?", {{1, 1}, HARRIER_BUILTIN(to_integer(a[0]) % 2 != 0)}},
      {"nil?", {{1, 1}, HARRIER_BUILTIN(a[0] == value())}},
      {"range", {{1, 3}, range}},
      {"list", {{0, unlimited}, HARRIER_BUILTIN(value::list(a))}},
      {"vector", {{0, unlimited}, HARRIER_BUILTIN(value::list(a))}},
      {"vec", {{1, 1}, HARRIER_BUILTIN(value::list(elements(a[0])))}},
      {"set", {{1, 1}, HARRIER_BUILTIN(value::set(elements(a[0])))}},
      {"hash-set", {{0, unlimited}, HARRIER_BUILTIN(value::set(a))}},
      {"count", {{1, 1}, count}},
      {"disj", {{1, unlimited}, without}},
      {"conj", {{1, unlimited}, conj}},
      {"union", {{0, unlimited}, set_union}},
      {"difference", {{1, unlimited}, difference}},
      {"power-set", {{1, 1}, power_set}},
      {"contains?", {{2, 2}, contains}},
      {"empty?", {{1, 1}, HARRIER_BUILTIN(elements(a[0]).empty())}},
      {"first", {{1, 1}, HARRIER_BUILTIN(elements(a[0]).empty() ? value() : elements(a[0]).front())}},
      {"last", {{1, 1}, HARRIER_BUILTIN(elements(a[0]).empty() ? value() : elements(a[0]).back())}},
      {"nth", {{2, 2}, nth}},
      {"filter", {{2, 2}, select<true>}},
      {"remove", {{2, 2}, select<false>}},
      {"map", {{2, 2}, map_over}},
      {"str", {{0, unlimited}, str}},
      {".replaceFirst", {{3, 3}, HARRIER_BUILTIN(replace_first(text(a[0]), text(a[1]), text(a[2]), context))}},
      {"Math/ceil", {{1, 1}, HARRIER_BUILTIN(std::ceil(to_double(a[0])))}},
      {"Math/floor", {{1, 1}, HARRIER_BUILTIN(std::floor(to_double(a[0])))}},
      {"Math/sqrt", {{1, 1}, HARRIER_BUILTIN(std::sqrt(to_double(a[0])))}},
      {"Math/abs", {{1, 1}, absolute}},
      {"Long/toBinaryString",
       {{1, 1}, HARRIER_BUILTIN(fmt::format("{:b}", static_cast<std::uint64_t>(to_integer(a[0]))))}},
      {"Long/parseLong", {{1, 2}, parse_long}},
  };
  return all;
}
#undef HARRIER_BUILTIN

}  // namespace

const builtin* builtin_named(std::string_view name) {
  if (name.starts_with("s/")) name.remove_prefix(2);
  const auto found = table().find(name);
  return found == table().end() ? nullptr : &found->second;
}

}  // namespace harrier::protocol::internal
