#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <harrier/core/dependence.hpp>

namespace harrier {

/// What a step touches of its receiver: fields of its state, and two things that
/// are none. As a touched_set it means the same in every system: the low half says
/// what is left alone, the high half what is not written. So touched_set::nothing, in place
/// of what is not known, is what writes everything.
class field_set {
public:
  /// Fields from number 13 on are told apart from the others only.
  static constexpr std::size_t fields = 14;

  static constexpr touched_set everything = touched_set::nothing;

  void add(std::size_t field, bool writes) { (writes ? written_ : read_) |= bit(std::min(field, fields - 1)); }
  void read_all_fields() { read_ |= bit(fields) - 1; }
  /// The order of what it sends matters.
  void send_in_order() { written_ |= bit(fields); }

  /// Every step looks at whether its receiver lives: what ends it is dependent on all.
  [[nodiscard]] touched_set code() const {
    const auto touched = read_ | written_ | bit(fields + 1);
    return static_cast<touched_set>((~touched & all) | (~written_ & all) << 16U);
  }

  /// Whether one of two steps writes what the other touches.
  [[nodiscard]] static bool conflict(touched_set a, touched_set b) {
    return (written(a) & touched(b)) != 0 || (written(b) & touched(a)) != 0;
  }

private:
  static constexpr std::uint32_t all = 0xffff;
  static constexpr std::uint32_t bit(std::size_t i) { return std::uint32_t{1} << i; }
  static std::uint32_t touched(touched_set a) { return ~static_cast<std::uint32_t>(a) & all; }
  static std::uint32_t written(touched_set a) { return ~(static_cast<std::uint32_t>(a) >> 16U) & all; }

  std::uint32_t read_ = 0;
  std::uint32_t written_ = 0;
};

}  // namespace harrier
