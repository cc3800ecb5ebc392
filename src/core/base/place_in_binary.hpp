#pragma once

#include <cstdint>

namespace harrier {

/// Stands for an object with static storage of this binary, the same in every
/// process that runs it, wherever it is loaded; for others in this process only.
/// 0 for null alone.
inline std::uint64_t place_in_binary(const void* object) {
  static constexpr char here = 0;
  if (object == nullptr) return 0;
  return reinterpret_cast<std::uintptr_t>(object) - reinterpret_cast<std::uintptr_t>(&here);
}

}  // namespace harrier
