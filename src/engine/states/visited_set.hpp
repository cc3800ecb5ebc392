#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include <harrier/core/fingerprint.hpp>

namespace harrier {

/// States seen before, 96 bits of fingerprint and one word of the caller's each:
/// part of a visited_set.
///
/// Open addressing in one piece of memory that grows by a quarter, where it is. The
/// states are in ascending order throughout, empty cells between them: so a state
/// that is not there is missed as soon as one that is there is found, and growing
/// is two walks through the table from end to end.
///
/// @par Source  O. Amble, D. Knuth: Ordered hash tables, The Computer Journal 17(2), 1974.
class visited_table {
  struct cell {
    std::uint64_t low;  // `empty`: it holds nothing
    std::uint32_t high;
    std::uint32_t word;
  };

public:
  struct entry {
    bool is_new;
    /// The caller's word, 0 when new. Valid until the next insert.
    std::uint32_t* word;
  };

  visited_table();

  /// Finds `state`, or adds it. O(1) expected.
  entry insert(fingerprint state) {
    const auto low = low_of(state);
    const auto high = high_of(state);
    auto* const c = find(low, high);
    if (c->low == low && c->high == high) return {false, &c->word};
    return {true, add(c, low, high)};
  }
  /// `state` will be asked for soon.
  void expect(fingerprint state) const { __builtin_prefetch(&cells_[place(low_of(state))], 1); }

  /// Where the cells are, for threads that do not hold the table now: they may be elsewhere already.
  class whereabouts {
  public:
    /// `state` will be asked for soon.
    void expect(fingerprint state) const {
      const auto place = place_among(places_.load(std::memory_order_relaxed), low_of(state));
      const auto address = cells_.load(std::memory_order_relaxed) + place * sizeof(cell);
      __builtin_prefetch(reinterpret_cast<const void*>(address), 1);  // what is not there does no harm
    }
    void are(const visited_table& t) {
      const auto cells = reinterpret_cast<std::uintptr_t>(t.cells_.get());
      if (cells_.load(std::memory_order_relaxed) == cells && places_.load(std::memory_order_relaxed) == t.places_)
        return;
      cells_.store(cells, std::memory_order_relaxed);
      places_.store(t.places_, std::memory_order_relaxed);
    }

  private:
    std::atomic<std::uintptr_t> cells_ = 0;
    std::atomic<std::size_t> places_ = 0;
  };

  [[nodiscard]] std::uint64_t size() const { return used_; }
  [[nodiscard]] std::uint64_t bytes() const { return all_ * sizeof(cell); }

  /// Calls `visit(state, word)` for each state, in ascending order. The bits of `state` that are not kept are 0.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < all_; ++i)
      if (const auto& c = cells_[i]; c.low != empty) visit(fingerprint{c.low, std::uint64_t{c.high} << 32}, c.word);
  }

private:
  __extension__ using wide = unsigned __int128;
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  static constexpr std::size_t least_places = 16;
  /// Cells behind the last place, for those that are crowded out of it; the last of them stays empty.
  static constexpr std::size_t least_behind = 16;

  static std::uint64_t low_of(fingerprint state) { return state.low - (state.low == empty ? 1 : 0); }
  static std::uint32_t high_of(fingerprint state) {
    return static_cast<std::uint32_t>(state.high >> 32) - (state.low == empty ? 1 : 0);
  }
  /// Where the search for it begins; rises with `low`.
  [[nodiscard]] std::size_t place(std::uint64_t low) const { return place_among(places_, low); }
  static std::size_t place_among(std::size_t places, std::uint64_t low) {
    return static_cast<std::size_t>((static_cast<wide>(low) * places) >> 64);
  }
  /// Where the state is or, if it is not there, belongs.
  [[nodiscard]] cell* find(std::uint64_t low, std::uint32_t high) const {
    auto* c = &cells_[place(low)];
    while (c->low < low) ++c;
    while (c->low == low && c->high < high) ++c;
    return c;
  }
  /// Puts it where find() says it belongs. @return its word.
  std::uint32_t* add(cell* at, std::uint64_t low, std::uint32_t high) {
    if (used_ == most_used_) [[unlikely]] {
      grow();
      at = find(low, high);
    }
    ++used_;
    auto next = *at;
    *at = {low, high, 0};
    auto* c = at;
    while (next.low != empty) std::swap(*++c, next);
    if (c + 1 == cells_.get() + all_) [[unlikely]] {
      lengthen(all_ + all_ / 4);
      return &find(low, high)->word;
    }
    return &at->word;
  }
  void grow();
  cell* make_room(std::size_t at, std::size_t read);
  void lengthen(std::size_t cells);

  struct give_back {
    void operator()(cell* c) const { std::free(c); }
  };

  std::unique_ptr<cell[], give_back> cells_;
  std::size_t places_ = 0;
  std::size_t all_ = 0;  // places, and the cells behind them
  std::size_t used_ = 0;
  std::size_t most_used_ = 0;
};

/// States seen before (hash compaction: two states may be taken for one, see
/// expected_misses).
///
/// Several tables, which grow one at a time, always at least 0.68 full: at most 24
/// bytes a state once there are some thousands, and never a table twice.
///
/// @par Source  U. Stern, D. Dill: Improved probabilistic verification by hash
///      compaction, CHARME 1995.
class visited_set {
public:
  using entry = visited_table::entry;

  /// Finds `state`, or adds it. O(1) expected.
  entry insert(fingerprint state) { return tables_[state.high % tables].insert(state); }
  /// `state` will be asked for soon.
  void expect(fingerprint state) const { tables_[state.high % tables].expect(state); }

  [[nodiscard]] std::uint64_t size() const;
  /// Bytes taken by the tables.
  [[nodiscard]] std::uint64_t bytes() const;
  /// How many states are expected to have been taken for another one, if there are so many: n^2 / 2^97.
  [[nodiscard]] static double expected_misses(std::uint64_t states);
  [[nodiscard]] double expected_misses() const { return expected_misses(size()); }

private:
  static constexpr std::size_t tables = 16;

  std::array<visited_table, tables> tables_;
};

}  // namespace harrier
