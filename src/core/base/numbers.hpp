#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

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
