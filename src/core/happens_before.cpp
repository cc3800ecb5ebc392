#include <harrier/core/happens_before.hpp>

#include <algorithm>

namespace harrier {

/// Twice as many words a row; the rows there are keep their contents.
void happens_before::widen() {
  const auto words = words_ == 0 ? 1 : 2 * words_;
  std::vector<std::uint64_t> wider(std::min(words * 64, rows_) * words, 0);
  for (std::size_t i = 0; i < count_; ++i) std::copy_n(row(i), words_, wider.begin() + static_cast<long>(i * words));
  bits_ = std::move(wider);
  words_ = words;
}

std::uint32_t happens_before::add_part(const part& p) {
  parts_.push() = p;
  return static_cast<std::uint32_t>(parts_.size() - 1);
}

void happens_before::begin_clock() {
  if (parts_.empty()) static_cast<void>(add_part({}));
  clocks_.push() = {.root = 0, .levels = 1, .index = 1, .parts_before = static_cast<std::uint32_t>(parts_.size())};
}

/// The greater of both, component by component. What is the same in both, or
/// greater in one of them altogether, is not copied.
std::uint32_t happens_before::joined(std::uint32_t x, std::uint32_t y, std::uint32_t level) {
  if (x == y || y == 0) return x;
  if (x == 0) return y;
  part both{};
  bool is_x = true;
  bool is_y = true;
  for (std::uint32_t i = 0; i < width; ++i) {
    const auto of_x = parts_[x].at[i];
    const auto of_y = parts_[y].at[i];
    both.at[i] = level == 0 ? std::max(of_x, of_y) : joined(of_x, of_y, level - 1);
    is_x = is_x && both.at[i] == of_x;
    is_y = is_y && both.at[i] == of_y;
  }
  return is_x ? x : is_y ? y : add_part(both);
}

/// The same components in a tree of more levels.
std::uint32_t happens_before::raised(std::uint32_t root, std::uint32_t from, std::uint32_t to) {
  for (; from < to && root != 0; ++from) {
    part above{};
    above.at[0] = root;
    root = add_part(above);
  }
  return root;
}

std::uint32_t happens_before::with_component(std::uint32_t x, std::uint32_t level, actor_slot a, std::uint32_t value) {
  auto changed = parts_[x];
  auto& there = changed.at[a >> (level * bits) & (width - 1)];
  there = level == 0 ? value : with_component(there, level - 1, a, value);
  if (x < clocks_.back().parts_before) return add_part(changed);
  parts_[x] = changed;  // it is this clock's
  return x;
}

void happens_before::join_clock(step_index e) {
  const auto other = clocks_[e - base_];
  auto& own = clocks_.back();
  const auto levels = std::max(own.levels, other.levels);
  own.root = joined(raised(own.root, own.levels, levels), raised(other.root, other.levels, levels), levels - 1);
  own.levels = levels;
}

void happens_before::end_clock(step_index f) {
  auto& own = clocks_.back();
  const auto& s = execution_->step_at(f);
  if (is_explored(s.previous)) own.index = clocks_[s.previous - base_].index + 1;
  auto levels = own.levels;
  while (static_cast<std::uint64_t>(s.receiver) >> (levels * bits) != 0) ++levels;
  own.root = with_component(raised(own.root, own.levels, levels), levels - 1, s.receiver, own.index);
  own.levels = levels;
}

void happens_before::pop_clock() {
  parts_.truncate(clocks_.back().parts_before);
  clocks_.pop();
  deep_ = count_ > 0;
}

bool happens_before::before_by_clock(step_index e, step_index f) const {
  const auto& later = clocks_[f - base_];
  const auto a = execution_->step_at(e).receiver;
  if (a >> ((later.levels - 1) * bits) >= width) return false;
  auto x = later.root;
  for (auto level = later.levels - 1; level > 0; --level) x = parts_[x].at[a >> (level * bits) & (width - 1)];
  return parts_[x].at[a & (width - 1)] >= clocks_[e - base_].index;
}

}  // namespace harrier
