#include <harrier/core/happens_before.hpp>

namespace harrier {

/// Twice as many words a row; the rows there are keep their contents.
void happens_before::widen() {
  const auto words = words_ == 0 ? 1 : 2 * words_;
  std::vector<std::uint64_t> wider(std::min(words * 64, rows_) * words, 0);
  for (std::size_t i = 0; i < count_; ++i) std::copy_n(row(i), words_, wider.begin() + static_cast<long>(i * words));
  bits_ = std::move(wider);
  words_ = words;
}

void happens_before::begin_clock(step_index f) {
  auto& own = clocks_.push();
  own.first = static_cast<std::uint32_t>(components_.size());
  own.size = execution_->step_at(f).first_created;  // actors there were before it
  own.index = 1;
  std::fill_n(components_.push_many(own.size), own.size, 0U);
}

void happens_before::join_clock(step_index f, step_index e) {
  const auto& own = clocks_[f - base_];
  const auto& other = clocks_[e - base_];
  for (std::uint32_t a = 0; a < other.size; ++a) {
    auto& component = components_[own.first + a];
    component = std::max(component, components_[other.first + a]);
  }
}

void happens_before::end_clock(step_index f) {
  auto& own = clocks_[f - base_];
  const auto& s = execution_->step_at(f);
  if (is_explored(s.previous)) own.index = clocks_[s.previous - base_].index + 1;
  components_[own.first + s.receiver] = own.index;
}

void happens_before::pop_clock() {
  components_.truncate(clocks_.back().first);
  clocks_.pop();
  deep_ = count_ > 0;
}

bool happens_before::before_by_clock(step_index e, step_index f) const {
  const auto& later = clocks_[f - base_];
  const auto a = execution_->step_at(e).receiver;
  return a < later.size && components_[later.first + a] >= clocks_[e - base_].index;
}

}  // namespace harrier
