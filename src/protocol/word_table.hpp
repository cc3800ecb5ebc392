#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <unordered_set>
#include <vector>

#include "../core/mix.hpp"

namespace harrier::protocol::internal {

/// Numbers words of 32-bit integers, each different one once; all are kept in one array.
class word_table {
public:
  using word = std::span<const std::uint32_t>;

  word_table() : known_(16, hash{this}, same{this}) {}
  word_table(const word_table&) = delete;
  word_table& operator=(const word_table&) = delete;

  /// The number of `w`, a new one if it is new: dense, from 0.
  std::uint32_t number(word w) {
    const auto candidate = static_cast<std::uint32_t>(starts_.size());
    starts_.push_back(letters_.size());
    letters_.insert(letters_.end(), w.begin(), w.end());
    const auto [place, is_new] = known_.insert(candidate);
    if (!is_new) {
      letters_.resize(starts_.back());
      starts_.pop_back();
    }
    return *place;
  }

  /// Valid until the next call of `number`.
  [[nodiscard]] word operator[](std::uint32_t number) const {
    const auto end = number + 1 < starts_.size() ? starts_[number + 1] : letters_.size();
    return word(letters_).subspan(starts_[number], end - starts_[number]);
  }
  [[nodiscard]] std::size_t size() const noexcept { return starts_.size(); }

private:
  struct hash {
    const word_table* owner;
    std::size_t operator()(std::uint32_t number) const noexcept {
      std::uint64_t result = 1;
      for (const auto letter : (*owner)[number]) result = harrier::internal::mix(result, letter);
      return result;
    }
  };
  struct same {
    const word_table* owner;
    bool operator()(std::uint32_t a, std::uint32_t b) const noexcept {
      const auto x = (*owner)[a];
      const auto y = (*owner)[b];
      return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size_bytes()) == 0);
    }
  };

  std::vector<std::uint32_t> letters_;
  std::vector<std::size_t> starts_;
  std::unordered_set<std::uint32_t, hash, same> known_;
};

}  // namespace harrier::protocol::internal
