#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>

#include <harrier/protocol/value.hpp>

namespace harrier::protocol::internal {

/// Numbers values, equal ones alike. Whole numbers that are not large need no place of their own.
class value_table {
public:
  std::uint32_t number(const value& v) {
    if (const auto* whole = v.get_if<std::int64_t>(); whole != nullptr && *whole >= -half && *whole < half) {
      return static_cast<std::uint32_t>(*whole + half);
    }
    const auto [place, is_new] = numbers_.try_emplace(v, static_cast<std::uint32_t>(values_.size()) | kept);
    if (is_new) values_.push_back(&place->first);
    return place->second;
  }

  [[nodiscard]] value operator[](std::uint32_t number) const {
    if ((number & kept) != 0) return *values_[number & ~kept];
    return value(std::int64_t{number} - half);
  }

private:
  static constexpr std::uint32_t kept = std::uint32_t{1} << 31U;
  static constexpr std::int64_t half = std::int64_t{1} << 30U;

  struct hash {
    std::size_t operator()(const value& v) const { return hash_of(v); }
  };
  std::unordered_map<value, std::uint32_t, hash> numbers_;
  std::deque<const value*> values_;  // in the map
};

}  // namespace harrier::protocol::internal
