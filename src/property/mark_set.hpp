#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace harrier::internal {

/// A set of acceptance marks, numbered from 0. The first 64 need no memory of their own: a search keeps two sets for
/// each step of the way that it is on.
class mark_set {
public:
  mark_set() = default;
  mark_set(const mark_set& other)
      : low_(other.low_), high_(other.high_ ? std::make_unique<words>(*other.high_) : nullptr) {}
  mark_set(mark_set&&) noexcept = default;
  mark_set& operator=(const mark_set& other) { return *this = mark_set(other); }
  mark_set& operator=(mark_set&&) noexcept = default;
  ~mark_set() = default;

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
    at_least(word + 1)[word] |= std::uint64_t{1} << (mark % 64);
  }

  mark_set& operator|=(const mark_set& other) {
    low_ |= other.low_;
    const auto more = other.high();
    if (more.empty()) return *this;
    auto& mine = at_least(more.size());
    for (std::size_t i = 0; i < more.size(); ++i) mine[i] |= more[i];
    return *this;
  }

  mark_set& operator-=(const mark_set& other) {
    low_ &= ~other.low_;
    const auto less = other.high();
    for (std::size_t i = 0; i < std::min(high().size(), less.size()); ++i) (*high_)[i] &= ~less[i];
    return *this;
  }

  [[nodiscard]] bool is_empty() const noexcept {
    const auto all = high();
    return low_ == 0 && std::all_of(all.begin(), all.end(), [](std::uint64_t word) { return word == 0; });
  }

  [[nodiscard]] bool includes(const mark_set& other) const noexcept {
    if ((other.low_ & ~low_) != 0) return false;
    const auto mine = high();
    const auto theirs = other.high();
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      if ((theirs[i] & ~(i < mine.size() ? mine[i] : 0)) != 0) return false;
    }
    return true;
  }

  [[nodiscard]] bool intersects(const mark_set& other) const noexcept {
    if ((low_ & other.low_) != 0) return true;
    const auto mine = high();
    const auto theirs = other.high();
    for (std::size_t i = 0; i < std::min(mine.size(), theirs.size()); ++i) {
      if ((mine[i] & theirs[i]) != 0) return true;
    }
    return false;
  }

private:
  using words = std::vector<std::uint64_t>;

  [[nodiscard]] std::span<const std::uint64_t> high() const noexcept {
    return high_ ? std::span<const std::uint64_t>(*high_) : std::span<const std::uint64_t>();
  }
  words& at_least(std::size_t size) {
    if (!high_) high_ = std::make_unique<words>();
    if (high_->size() < size) high_->resize(size);
    return *high_;
  }

  std::uint64_t low_ = 0;
  std::unique_ptr<words> high_;  // of the marks from 64 on; null if there never was one
};

}  // namespace harrier::internal
