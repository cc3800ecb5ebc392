#include "visited_set.hpp"

namespace harrier {
namespace {

__extension__ using wide = unsigned __int128;

constexpr std::size_t least_cells = 16;

// Places rise with `low`, so that growing goes through both tables in order.
std::size_t place(std::uint64_t low, std::size_t cells) {
  return static_cast<std::size_t>((static_cast<wide>(low) * cells) >> 64);
}

bool is_full(std::size_t used, std::size_t cells) { return used * 100 >= cells * 85; }

}  // namespace

visited_set::visited_set() {
  for (auto& t : tables_) t.cells.resize(least_cells);
  cells_ = tables * least_cells;
}

visited_set::cell* visited_set::find(table& among, std::uint64_t low, std::uint32_t high) {
  auto* const first = among.cells.data();
  auto* const end = first + among.cells.size();
  auto* c = first + place(low, among.cells.size());
  while ((c->low != low || c->high != high) && (c->low != 0 || c->high != 0))
    if (++c == end) c = first;
  return c;
}

visited_set::entry visited_set::insert(fingerprint state) {
  auto& t = tables_[state.high % tables];
  const auto low = state.low;
  auto high = static_cast<std::uint32_t>(state.high >> 32);
  if (low == 0 && high == 0) high = 1;
  auto* c = find(t, low, high);
  if (c->low == low && c->high == high) return {false, &c->word};
  if (is_full(t.used + 1, t.cells.size())) [[unlikely]] {
    grow(t);
    c = find(t, low, high);
  }
  *c = {low, high, 0};
  ++t.used;
  ++size_;
  return {true, &c->word};
}

void visited_set::grow(table& full) {
  const auto before = full.cells.size();
  std::vector<cell> old(before + before / 4);
  old.swap(full.cells);
  cells_ += full.cells.size() - before;
  for (const auto& c : old)
    if (c.low != 0 || c.high != 0) *find(full, c.low, c.high) = c;
}

double visited_set::expected_misses() const {
  const auto n = static_cast<double>(size_);
  return n * n / 0x1p97;
}

}  // namespace harrier
