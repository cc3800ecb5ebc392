#pragma once

#include <array>
#include <cstdint>
#include <mutex>

#include <harrier/core/archive.hpp>

#include "../../core/base/cache_line.hpp"
#include "../../core/base/spin_lock.hpp"
#include "visited_set.hpp"

namespace harrier {

/// A visited_set that several threads may enter states into, each with the word
/// that stands for what sleeps there (S1 in depth_first_states.hpp).
class shared_visited_set {
public:
  struct visit {
    bool is_new;
    /// What slept in the state until now; 0 if it is new.
    std::uint32_t slept;
  };

  /// The state is entered, with `asleep` sleeping. What slept there and is awake
  /// now is left to this visit alone: nobody reads the word before it is changed.
  visit enter(fingerprint state, std::uint32_t asleep) {
    auto& p = parts_[state.high % parts];
    const std::lock_guard lock(p.guard);
    const auto found = p.table.insert(state);
    const auto slept = *found.word;
    *found.word = found.is_new ? asleep : slept & asleep;
    if (found.is_new) p.cells.are(p.table);
    return {found.is_new, slept};
  }
  /// `state` will be entered soon.
  void expect(fingerprint state) const {
    const auto& p = parts_[state.high % parts];
    __builtin_prefetch(&p, 1);
    p.cells.expect(state);
  }

  /// @name While nobody enters anything
  /// @{
  [[nodiscard]] std::uint64_t size() const {
    std::uint64_t all = 0;
    for (const auto& p : parts_) all += p.table.size();
    return all;
  }
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t all = 0;
    for (const auto& p : parts_) all += p.table.bytes();
    return all;
  }
  void save(archive_writer& to) const {
    for (const auto& p : parts_) {
      to.number(p.table.size());
      p.table.for_each([&](fingerprint state, std::uint32_t word) {
        to.bytes(&state.low, sizeof state.low);
        const auto high = static_cast<std::uint32_t>(state.high >> 32);
        to.bytes(&high, sizeof high);
        to.number(word);
      });
    }
  }
  /// @pre nothing was entered
  void load(archive_reader& from) {
    for (auto& p : parts_)
      from.list([&] {
        fingerprint state;
        std::uint32_t high = 0;
        from.bytes(&state.low, sizeof state.low);
        from.bytes(&high, sizeof high);
        state.high = std::uint64_t{high} << 32;
        *p.table.insert(state).word = static_cast<std::uint32_t>(from.number());
      });
  }
  /// @}

private:
  static constexpr std::size_t parts = 256;
  struct alignas(cache_line) part {
    spin_lock guard;
    visited_table table;
    alignas(cache_line) visited_table::whereabouts cells;  // read by all, written when the table grew
  };
  static_assert(sizeof(part) == 2 * cache_line);

  std::array<part, parts> parts_;
};

}  // namespace harrier
