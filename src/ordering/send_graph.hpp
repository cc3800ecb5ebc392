#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// Who sent to whom, at some point of the exploration; edges are never removed.
/// Keeps the transitive closure: a row of bits an actor, O(actors^2/64) for a
/// new edge, O(1) to ask.
class send_graph {
public:
  /// Adds the edges of step `i`.
  void learn(const system& s, std::size_t i) {
    const auto& step = s.step_at(i);
    for (auto m = step.first_sent; m < s.sent_end(i); ++m) add(step.receiver, s.message_at(m).receiver);
  }

  /// Whether `a` comes after `b`: b reaches a and not conversely, or else by
  /// number. Not transitive.
  [[nodiscard]] bool goes_after(actor_slot a, actor_slot b) const {
    const bool ab = reaches(a, b);
    const bool ba = reaches(b, a);
    return ab != ba ? ba : a > b;
  }

  void save(archive_writer& to) const {
    to.list(rows_, [&](const row& r) { to.list(r, [&](std::uint64_t word) { to.number(word); }); });
  }
  void load(archive_reader& from) {
    rows_.clear();
    from.list([&] {
      auto& r = rows_.emplace_back();
      from.list([&] { r.push_back(from.number()); });
    });
  }

private:
  using row = std::vector<std::uint64_t>;

  [[nodiscard]] bool reaches(actor_slot a, actor_slot b) const {
    return a < rows_.size() && b / 64 < rows_[a].size() && (rows_[a][b / 64] >> (b % 64) & 1U) != 0;
  }
  void add(actor_slot from, actor_slot to) {
    const auto needed = std::max(from, to) + std::size_t{1};
    if (rows_.size() < needed) {
      rows_.resize(needed);
      for (auto& r : rows_) r.resize(needed / 64 + 1);
    }
    if (reaches(from, to)) return;
    row gained = rows_[to];
    gained[to / 64] |= std::uint64_t{1} << (to % 64);
    for (actor_slot a = 0; a < rows_.size(); ++a)
      if (a == from || reaches(a, from))
        for (std::size_t w = 0; w < gained.size(); ++w) rows_[a][w] |= gained[w];
  }

  std::vector<row> rows_;
};

/// Sorts as java.util.Collections.sort did when the published figures were
/// measured: insertion sort below 7 elements, top-down merge sort above. The
/// result differs from other sorts, since the order is not transitive.
template <class T, class After>
void sort_like_java(std::vector<T>& list, std::vector<T>& scratch, After after) {
  const auto insertion_sort = [&](std::size_t low, std::size_t high) {
    for (auto i = low; i < high; ++i)
      for (auto j = i; j > low && after(list[j - 1], list[j]); --j) std::swap(list[j - 1], list[j]);
  };
  const auto merge_sort = [&](auto&& self, std::size_t low, std::size_t high) -> void {
    if (high - low < 7) return insertion_sort(low, high);
    const auto middle = (low + high) / 2;
    self(self, low, middle);
    self(self, middle, high);
    if (!after(list[middle - 1], list[middle])) return;
    scratch.assign(list.begin() + static_cast<std::ptrdiff_t>(low), list.begin() + static_cast<std::ptrdiff_t>(high));
    auto p = std::size_t{0};
    auto q = middle - low;
    for (auto i = low; i < high; ++i)
      list[i] = q >= high - low || (p < middle - low && !after(scratch[p], scratch[q])) ? scratch[p++] : scratch[q++];
  };
  merge_sort(merge_sort, 0, list.size());
}

}  // namespace harrier
