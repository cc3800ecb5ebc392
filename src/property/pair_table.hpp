#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../core/base/mix.hpp"

namespace harrier::internal {

/// Numbers pairs of 32-bit values in the order in which they are first seen. Open addressing; pairs are never removed.
class pair_table {
public:
  struct pair {
    std::uint32_t first;
    std::uint32_t second;
    friend bool operator==(const pair&, const pair&) = default;
  };

  [[nodiscard]] std::size_t size() const noexcept { return pairs_.size(); }
  [[nodiscard]] const pair& operator[](std::uint32_t number) const noexcept { return pairs_[number]; }

  std::uint32_t number(pair wanted) {
    if (2 * (pairs_.size() + 1) > slots_.size()) grow();
    auto& slot = slots_[slot_of(wanted)];
    if (slot == free_slot) {
      slot = static_cast<std::uint32_t>(pairs_.size());
      pairs_.push_back(wanted);
    }
    return slot;
  }

private:
  static constexpr auto free_slot = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] std::size_t slot_of(pair wanted) const noexcept {
    const auto mask = slots_.size() - 1;
    auto at = mix(mix(1, wanted.first), wanted.second) & mask;
    while (slots_[at] != free_slot && pairs_[slots_[at]] != wanted) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), free_slot);
    for (std::uint32_t i = 0; i < pairs_.size(); ++i) slots_[slot_of(pairs_[i])] = i;
  }

  std::vector<pair> pairs_;
  std::vector<std::uint32_t> slots_;  // a power of two, at most half full
};

}  // namespace harrier::internal
