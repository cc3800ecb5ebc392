#include "visited_set.hpp"

#include <algorithm>
#include <new>

namespace harrier {
namespace {

/// Fewer places (256 KiB) are doubled, since room is cheap then and moving states is not; of more, a quarter is added.
constexpr std::size_t few_places = std::size_t{1} << 14;

}  // namespace

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
  places_ += places_ < few_places ? places_ : places_ / 4;
  most_used_ = places_ * 85 / 100;
  lengthen(std::max(old, places_ + least_behind));

  // All to the end, the highest first. Where the lowest of n states that follow one another has its place p, they reach
  // to p + n at least.
  auto* packed = &cells_[all_ - 1] + 1;
  std::size_t needed = 0;
  for (auto* c = &cells_[old - 1] + 1; c-- != cells_.get();) {
    if (c->low == empty) continue;
    *--packed = *c;
    needed = std::max(needed, place(c->low) + static_cast<std::size_t>(&cells_[all_ - 1] + 1 - packed));
  }
  if (needed >= all_) {
    const auto first = packed - cells_.get();
    const auto end = all_;
    lengthen(needed + least_behind);
    packed = std::move_backward(&cells_[0] + first, &cells_[0] + end, &cells_[0] + all_);
  }

  // Then each to its place, the lowest first: never beyond where it is read, or those that follow would not fit.
  auto* next = cells_.get();
  auto* const end = next + all_;
  for (; packed != end; ++packed) {
    const auto moved = *packed;
    auto* const at = &cells_[place(moved.low)];
    while (next < at) *next++ = {empty, 0, 0};
    *next++ = moved;
  }
  std::fill(next, end, cell{empty, 0, 0});
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
