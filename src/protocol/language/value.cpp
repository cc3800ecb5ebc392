#include <harrier/protocol/value.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "../../core/base/mix.hpp"

namespace harrier::protocol {
namespace {

__extension__ using int128 = __int128;

enum class rank : std::uint8_t { nil, boolean, number, string, keyword, function, list, set };

rank rank_of(const value& v) {
  constexpr rank by_index[] = {rank::nil,    rank::boolean, rank::number,   rank::number, rank::number,
                               rank::string, rank::keyword, rank::function, rank::list,   rank::set};
  return by_index[v.content().index()];
}

std::strong_ordering order(auto a, auto b) {
  if (a < b) return std::strong_ordering::less;
  return b < a ? std::strong_ordering::greater : std::strong_ordering::equal;
}

double as_double(const value& v) {
  if (const auto* i = v.get_if<std::int64_t>()) return static_cast<double>(*i);
  if (const auto* r = v.get_if<ratio>()) return static_cast<double>(r->numerator) / static_cast<double>(r->denominator);
  return *v.get_if<double>();
}

std::strong_ordering compare_doubles(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return order(std::isnan(a), std::isnan(b));
  return order(a, b);
}

// Exact among integers and ratios; otherwise by size, then by kind, so that 1 and 1.0 differ.
std::strong_ordering compare_numbers(const value& a, const value& b) {
  const auto* double_a = a.get_if<double>();
  const auto* double_b = b.get_if<double>();
  if (double_a != nullptr && double_b != nullptr) return compare_doubles(*double_a, *double_b);
  if (double_a != nullptr || double_b != nullptr) {
    const auto by_size = compare_doubles(as_double(a), as_double(b));
    return by_size != 0 ? by_size : order(double_a != nullptr, double_b != nullptr);
  }
  const auto fraction = [](const value& v) {
    const auto* r = v.get_if<ratio>();
    return r != nullptr ? *r : ratio{*v.get_if<std::int64_t>(), 1};
  };
  const ratio left = fraction(a);
  const ratio right = fraction(b);
  return order(static_cast<int128>(left.numerator) * right.denominator,
               static_cast<int128>(right.numerator) * left.denominator);
}

std::strong_ordering compare_elements(const std::vector<value>& a, const std::vector<value>& b) {
  if (a.size() != b.size()) return order(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (const auto result = compare(a[i], b[i]); result != 0) return result;
  }
  return std::strong_ordering::equal;
}

std::string join(const std::vector<value>& elements) {
  std::string text;
  for (const auto& e : elements) text += (text.empty() ? "" : " ") + to_string(e);
  return text;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

value value::list(std::vector<value> elements) {
  return value(std::make_shared<const std::vector<value>>(std::move(elements)));
}

value value::set(std::vector<value> elements) {
  std::sort(elements.begin(), elements.end(), [](const value& a, const value& b) { return compare(a, b) < 0; });
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return value(value_set{std::make_shared<const std::vector<value>>(std::move(elements))});
}

bool value::truthy() const noexcept {
  if (const auto* b = get_if<bool>()) return *b;
  return !std::holds_alternative<std::monostate>(content_);
}

bool value::is_number() const noexcept {
  return get_if<std::int64_t>() != nullptr || get_if<ratio>() != nullptr || get_if<double>() != nullptr;
}

const std::vector<value>* value::elements() const noexcept {
  static const std::vector<value> none;
  if (const auto* list = get_if<value_list>()) return list->get();
  if (const auto* set = get_if<value_set>()) return set->elements.get();
  return std::holds_alternative<std::monostate>(content_) ? &none : nullptr;
}

std::strong_ordering compare(const value& a, const value& b) {
  if (rank_of(a) != rank_of(b)) return order(rank_of(a), rank_of(b));
  switch (rank_of(a)) {
    case rank::nil: return std::strong_ordering::equal;
    case rank::boolean: return order(*a.get_if<bool>(), *b.get_if<bool>());
    case rank::number: return compare_numbers(a, b);
    case rank::string: return *a.get_if<std::string>() <=> *b.get_if<std::string>();
    case rank::keyword: return a.get_if<keyword>()->text <=> b.get_if<keyword>()->text;
    case rank::function: return a.get_if<function_name>()->text <=> b.get_if<function_name>()->text;
    default: return compare_elements(*a.elements(), *b.elements());
  }
}

std::string to_string(const value& v) {
  if (const auto* s = v.get_if<std::string>()) return quoted(*s);
  if (std::holds_alternative<std::monostate>(v.content())) return "nil";
  return display(v);
}

std::string display(const value& v) {
  struct writer {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return fmt::to_string(i); }
    std::string operator()(const ratio& r) const { return fmt::format("{}/{}", r.numerator, r.denominator); }
    std::string operator()(double d) const {
      auto text = fmt::format("{}", d);
      return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
    }
    std::string operator()(const std::string& s) const { return s; }
    std::string operator()(const keyword& k) const { return k.text; }
    std::string operator()(const function_name& f) const { return f.text; }
    std::string operator()(const value_list& l) const { return "(" + join(*l) + ")"; }
    std::string operator()(const value_set& s) const { return "#{" + join(*s.elements) + "}"; }
  };
  return std::visit(writer{}, v.content());
}

std::size_t hash_of(const value& v) {
  using harrier::internal::mix;
  std::size_t seed = v.content().index() + 1;
  if (const auto* elements = v.elements()) {
    for (const auto& e : *elements) seed = mix(seed, hash_of(e));
    return seed;
  }
  if (const auto* i = v.get_if<std::int64_t>()) return mix(seed, static_cast<std::size_t>(*i));
  return mix(seed, std::hash<std::string>{}(display(v)));
}

}  // namespace harrier::protocol
