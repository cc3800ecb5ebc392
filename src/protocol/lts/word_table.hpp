#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include <harrier/core/error.hpp>

#include "../../core/base/mix.hpp"

namespace harrier::protocol::internal {

/// Numbers words of 32-bit integers, each different one once; all are kept in one array. Open addressing; words are
/// never removed.
///
/// Memory: 4 bytes a letter, and 9 to 15 a word.
class word_table {
public:
  using word = std::span<const std::uint32_t>;

  word_table() = default;
  word_table(const word_table&) = delete;
  word_table& operator=(const word_table&) = delete;
  word_table(word_table&&) = default;
  word_table& operator=(word_table&&) = default;
  ~word_table() = default;

  /// The number of `w`, a new one if it is new: dense, from 0.
  /// @pre `w` is no part of this table
  std::uint32_t number(word w) {
    if (4 * (size() + 1) > 3 * slots_.size()) grow();
    auto& slot = slots_[slot_of(w)];
    if (slot == free_slot) {
      if (letters_.size() + w.size() > std::numeric_limits<std::uint32_t>::max()) {
        throw error("the states take too much memory; a smaller limit of states?");
      }
      slot = static_cast<std::uint32_t>(size());
      letters_.insert(letters_.end(), w.begin(), w.end());
      ends_.push_back(static_cast<std::uint32_t>(letters_.size()));
    }
    return slot;
  }

  /// Valid until the next call of `number`.
  [[nodiscard]] word operator[](std::uint32_t number) const {
    const auto start = number == 0 ? 0 : ends_[number - 1];
    return word(letters_).subspan(start, ends_[number] - start);
  }
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  /// Of all words together.
  [[nodiscard]] std::size_t letters() const noexcept { return letters_.size(); }

private:
  static constexpr auto free_slot = std::numeric_limits<std::uint32_t>::max();

  // Where `w` is, or would be.
  [[nodiscard]] std::size_t slot_of(word w) const {
    std::uint64_t hash = 1;
    for (const auto letter : w) hash = harrier::internal::mix(hash, letter);
    const auto mask = slots_.size() - 1;
    auto at = hash & mask;
    while (slots_[at] != free_slot && !is_same((*this)[slots_[at]], w)) at = (at + 1) & mask;
    return at;
  }
  static bool is_same(word a, word b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
  }

  void grow() {
    const auto count = slots_.empty() ? 64 : 2 * slots_.size();
    slots_ = {};  // both at once would be the most that this ever takes
    slots_.assign(count, free_slot);
    for (std::uint32_t i = 0; i < size(); ++i) slots_[slot_of((*this)[i])] = i;
  }

  std::vector<std::uint32_t> letters_;
  std::vector<std::uint32_t> ends_;   // by number, where the word after it begins
  std::vector<std::uint32_t> slots_;  // a power of two, at most three quarters full
};

}  // namespace harrier::protocol::internal
