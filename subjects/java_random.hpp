#pragma once

#include <cstdint>

namespace harrier::subjects {

/// The numbers of java.util.Random: the literature's programs were written in
/// Java, and their data decides how far they can be explored.
struct java_random {
  std::uint64_t state;

  static java_random seeded(std::int64_t seed) { return {(static_cast<std::uint64_t>(seed) ^ multiplier) & mask}; }

  /// nextInt(bound): from 0 to bound - 1. As Java's for bounds that are no power of 2.
  int next_int(int bound) {
    for (;;) {
      state = (state * multiplier + 0xB) & mask;
      const auto bits = static_cast<std::int64_t>(state >> 17);
      const auto value = bits % bound;
      if (bits - value + (bound - 1) <= 0x7fffffff) return static_cast<int>(value);
    }
  }

private:
  static constexpr std::uint64_t multiplier = 0x5DEECE66D;
  static constexpr std::uint64_t mask = (std::uint64_t{1} << 48) - 1;
};

}  // namespace harrier::subjects
