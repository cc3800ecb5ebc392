#include "visited_set.hpp"

#include <algorithm>
#include <new>

namespace harrier {

visited_table::visited_table() {
  places_ = least_places;
  most_used_ = places_ * 85 / 100;
  lengthen(places_ + least_behind);
}

/// More cells behind the last place.
void visited_table::lengthen(std::size_t cells) {
  // Of a large piece of memory the C library moves the pages, not what is in them.
  auto* const moved = static_cast<cell*>(std::realloc(cells_.get(), cells * sizeof(cell)));
  if (moved == nullptr) throw std::bad_alloc();
  static_cast<void>(cells_.release());
  cells_.reset(moved);
  std::fill(moved + all_, moved + cells, cell{empty, 0, 0});
  all_ = cells;
}

void visited_table::grow() {
  const auto old = all_;
  places_ += places_ / 4;
  most_used_ = places_ * 85 / 100;
  lengthen(std::max(old, places_ + least_behind));

  // All to the end.
  auto* packed = &cells_[all_ - 1] + 1;
  for (auto* c = &cells_[old - 1] + 1; c-- != cells_.get();)
    if (c->low != empty) *--packed = *c;

  // Then each to its place, the lowest first: before where it is read, or those that follow would not fit.
  auto* next = cells_.get();
  auto* first = next;
  auto* end = next + all_;
  for (; packed != end; ++packed) {
    const auto moved = *packed;
    const auto at = place(moved.low);
    if (at >= static_cast<std::size_t>(packed - first)) [[unlikely]] {
      const auto written = next - first;
      packed = make_room(at, static_cast<std::size_t>(packed - first));
      first = cells_.get();
      next = first + written;
      end = first + all_;
    }
    auto* const to = first + at;
    while (next < to) *next++ = {empty, 0, 0};
    *next++ = moved;
  }
  std::fill(next, end, cell{empty, 0, 0});
}

/// Those from number `read` on are moved back, so that the first of them can be put at place `at`, and one is left
/// empty behind them. @return where the first of them is now
visited_table::cell* visited_table::make_room(std::size_t at, std::size_t read) {
  const auto end = all_;
  lengthen(all_ + at - read + least_behind);
  return std::move_backward(&cells_[0] + read, &cells_[0] + end, &cells_[0] + all_);
}

std::uint64_t visited_set::size() const {
  std::uint64_t all = 0;
  for (const auto& t : tables_) all += t.size();
  return all;
}

std::uint64_t visited_set::bytes() const {
  std::uint64_t all = 0;
  for (const auto& t : tables_) all += t.bytes();
  return all;
}

double visited_set::expected_misses(std::uint64_t states) {
  const auto n = static_cast<double>(states);
  return n * n / 0x1p97;
}

}  // namespace harrier
