#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#ifndef __cpp_lib_to_chars
#include <locale>
#include <sstream>
#include <string>
#endif

namespace harrier {

/// The whole of `text` as a number; nothing if it is none or out of range.
template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stop != end || text.empty()) return std::nullopt;
  return value;
}

#ifndef __cpp_lib_to_chars
/// libc++ before its version 20 has std::from_chars for integers alone. A number that is too small is 0 here.
template <>
inline std::optional<double> number_in(std::string_view text) {
  if (text.find_first_not_of("0123456789.eE+-") != std::string_view::npos || text.starts_with('+')) return std::nullopt;
  std::istringstream in{std::string(text)};
  in.imbue(std::locale::classic());
  double value = 0;
  if (!(in >> value) || in.peek() != std::istringstream::traits_type::eof()) return std::nullopt;
  return value;
}
#endif

/// `30`, `30s`, `500ms`, `5m` or `2h`, in seconds.
inline std::optional<double> seconds_in(std::string_view text) {
  double unit = 1;
  for (const auto& [suffix, seconds] :
       {std::pair<std::string_view, double>{"ms", 0.001}, {"s", 1}, {"m", 60}, {"h", 3600}}) {
    if (!text.ends_with(suffix)) continue;
    text.remove_suffix(suffix.size());
    unit = seconds;
    break;
  }
  const auto value = number_in<double>(text);
  if (!value) return std::nullopt;
  return *value * unit;
}

}  // namespace harrier
