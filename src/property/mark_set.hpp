#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace harrier::internal {

/// A set of acceptance marks, numbered from 0. The first 64 need no memory of their own.
class mark_set {
public:
  /// The marks below `count`.
  [[nodiscard]] static mark_set below(std::size_t count) {
    mark_set all;
    for (std::size_t mark = 0; mark < count; ++mark) all.insert(mark);
    return all;
  }

  void insert(std::size_t mark) {
    if (mark < 64) {
      low_ |= std::uint64_t{1} << mark;
      return;
    }
    const auto word = mark / 64 - 1;
    if (high_.size() <= word) high_.resize(word + 1);
    high_[word] |= std::uint64_t{1} << (mark % 64);
  }

  mark_set& operator|=(const mark_set& other) {
    low_ |= other.low_;
    if (high_.size() < other.high_.size()) high_.resize(other.high_.size());
    for (std::size_t i = 0; i < other.high_.size(); ++i) high_[i] |= other.high_[i];
    return *this;
  }

  mark_set& operator-=(const mark_set& other) {
    low_ &= ~other.low_;
    for (std::size_t i = 0; i < std::min(high_.size(), other.high_.size()); ++i) high_[i] &= ~other.high_[i];
    return *this;
  }

  [[nodiscard]] bool is_empty() const noexcept {
    return low_ == 0 && std::all_of(high_.begin(), high_.end(), [](std::uint64_t word) { return word == 0; });
  }

  [[nodiscard]] bool includes(const mark_set& other) const noexcept {
    if ((other.low_ & ~low_) != 0) return false;
    for (std::size_t i = 0; i < other.high_.size(); ++i) {
      if ((other.high_[i] & ~(i < high_.size() ? high_[i] : 0)) != 0) return false;
    }
    return true;
  }

  [[nodiscard]] bool intersects(const mark_set& other) const noexcept {
    if ((low_ & other.low_) != 0) return true;
    for (std::size_t i = 0; i < std::min(high_.size(), other.high_.size()); ++i) {
      if ((high_[i] & other.high_[i]) != 0) return true;
    }
    return false;
  }

private:
  std::uint64_t low_ = 0;
  std::vector<std::uint64_t> high_;
};

}  // namespace harrier::internal
