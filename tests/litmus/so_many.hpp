#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace harrier::litmus {

/// How many random programs a test tries: `usual`, which is what fits into a run of all tests, or HARRIER_MORE_SEEDS=N
/// times as many; never fewer, whatever N is.
inline std::uint64_t so_many(std::uint64_t usual) {
  const char* const factor = std::getenv("HARRIER_MORE_SEEDS");
  return factor == nullptr ? usual : std::max<std::uint64_t>(usual, usual * std::strtoull(factor, nullptr, 10));
}

}  // namespace harrier::litmus
