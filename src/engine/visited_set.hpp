#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <harrier/core/fingerprint.hpp>

namespace harrier {

/// States seen before, 96 bits of fingerprint and one word of the caller's each
/// (hash compaction: two states may be taken for one, see expected_misses).
///
/// Open addressing in many small tables that grow one at a time by a quarter,
/// always at least 0.68 full: at most 24 bytes a state once there are some
/// thousands, and never two large tables at once.
///
/// @par Source  U. Stern, D. Dill: Improved probabilistic verification by hash
///      compaction, CHARME 1995.
class visited_set {
public:
  struct entry {
    bool is_new;
    /// The caller's word, 0 when new. Valid until the next insert.
    std::uint32_t* word;
  };

  visited_set();

  /// Finds `state`, or adds it. O(1) expected.
  entry insert(fingerprint state);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Bytes taken by the tables.
  [[nodiscard]] std::uint64_t bytes() const { return cells_ * sizeof(cell); }
  /// How many states are expected to have been taken for another one: n^2 / 2^97.
  [[nodiscard]] double expected_misses() const;

private:
  struct cell {
    std::uint64_t low;
    std::uint32_t high;  // 0 and low 0: empty
    std::uint32_t word;
  };
  struct table {
    std::vector<cell> cells;
    std::uint32_t used = 0;
  };
  static constexpr std::size_t tables = 256;

  static cell* find(table& among, std::uint64_t low, std::uint32_t high);
  void grow(table& full);

  std::array<table, tables> tables_;
  std::uint64_t size_ = 0;
  std::uint64_t cells_ = 0;
};

}  // namespace harrier
