#include <harrier/core/happens_before.hpp>

namespace harrier {

/// Twice as many words a row; the rows there are keep their contents.
void happens_before::widen() {
  const auto words = words_ == 0 ? 1 : 2 * words_;
  std::vector<std::uint64_t> wider(std::min(words * 64, rows_) * words, 0);
  for (std::size_t i = 0; i < count_; ++i) std::copy_n(row(i), words_, wider.begin() + static_cast<long>(i * words));
  bits_ = std::move(wider);
  words_ = words;
  none_.assign(words_, 0);
}

/// From rows to clocks, until the search is back at the start.
void happens_before::go_deep() {
  deep_ = true;
  for (std::size_t i = 0; i < count_; ++i) push_clock(base_ + static_cast<step_index>(i));
}

void happens_before::push_clock(step_index f) {
  const auto& s = system_->step_at(f);
  const auto by = system_->message_at(s.message).sent_by;
  auto& own = clocks_.push();
  own.first = static_cast<std::uint32_t>(components_.size());
  own.size = s.first_created;  // actors there were before it
  auto* const components = components_.push_many(own.size);
  std::fill_n(components, own.size, 0U);
  const auto join = [&](const clock& other) {
    for (std::uint32_t a = 0; a < other.size; ++a)
      components[a] = std::max(components[a], components_[other.first + a]);
  };
  own.index = 1;
  if (is_explored(s.previous)) {
    join(clocks_[s.previous - base_]);
    own.index = clocks_[s.previous - base_].index + 1;
  }
  if (is_explored(by)) join(clocks_[by - base_]);
  if (system_->model() == delivery::mailbox) for_each_sender_before(f, [&](step_index e) { join(clocks_[e - base_]); });
  components[s.receiver] = own.index;
}

void happens_before::pop_clock() {
  components_.truncate(clocks_.back().first);
  clocks_.pop();
  deep_ = count_ > 0;
}

bool happens_before::before_by_clock(step_index e, step_index f) const {
  const auto& later = clocks_[f - base_];
  const auto a = system_->step_at(e).receiver;
  return a < later.size && components_[later.first + a] >= clocks_[e - base_].index;
}

}  // namespace harrier
