#pragma once

#include <cstdint>
#include <cstdlib>

namespace harrier::litmus {

/// How many random programs a test tries: `usual`, which is what fits into a run of all tests, or HARRIER_MORE_SEEDS=N
/// times as many.
inline std::uint64_t so_many(std::uint64_t usual) {
  const char* const factor = std::getenv("HARRIER_MORE_SEEDS");
  return factor == nullptr ? usual : usual * std::strtoull(factor, nullptr, 10);
}

}  // namespace harrier::litmus
