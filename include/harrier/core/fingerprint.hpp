#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace harrier {

/// 128 bits that stand for a value. Sums of fingerprints stand for multisets:
/// they are added, never xor-ed, so that two equal members do not cancel.
struct fingerprint {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  /// The order means nothing, but is the same everywhere.
  // clang-tidy 14 takes the 0 with which it is compared for a null pointer.
  constexpr auto operator<=>(const fingerprint&) const = default;  // NOLINT(modernize-use-nullptr)

  constexpr fingerprint& operator+=(fingerprint other) {
    low += other.low;
    high += other.high + (low < other.low ? 1U : 0U);
    return *this;
  }
  constexpr fingerprint& operator-=(fingerprint other) {
    high -= other.high + (low < other.low ? 1U : 0U);
    low -= other.low;
    return *this;
  }
  friend constexpr fingerprint operator+(fingerprint a, fingerprint b) { return a += b; }
  friend constexpr fingerprint operator-(fingerprint a, fingerprint b) { return a -= b; }
};

/// The fingerprint of `size` bytes (XXH3, 128 bits), seeded.
fingerprint hash_bytes(const void* bytes, std::size_t size, std::uint64_t seed = 0);

}  // namespace harrier
