#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include <harrier/core/error.hpp>

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

}  // namespace harrier
