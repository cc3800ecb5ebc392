#pragma once

#include <cstdint>

namespace harrier::internal {

/// The hash of a sequence goes on: `hash` of what was there before, and `more`.
/// For tables in memory only; what is kept or compared is hash_bytes.
///
/// @par Source  the multiplier and the shift are MurmurHash3's finaliser's.
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t more) noexcept {
  hash = (hash ^ more) * 0xff51afd7ed558ccdU;
  return hash ^ (hash >> 32);
}

}  // namespace harrier::internal
