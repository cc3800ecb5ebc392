#include <harrier/core/dependence.hpp>

#include <utility>

namespace harrier {

bool dependence::meet(touched_set a, touched_set b) const {
  const auto& x = sets_[index(a)];
  const auto& y = sets_[index(b)];
  return std::any_of(x.begin(), x.end(), [&](actor_id i) { return std::binary_search(y.begin(), y.end(), i); });
}

touched_set dependence::seen_of_last_step() {
  members_.clear();
  if (touches_memory_)
    for (const auto& t : system_.touches_of(system_.last_step())) members_.push_back(system_.actor_at(t.what).id);
  if (!touches_mailboxes_) return number_of_members();
  for (const auto m : system_.sent_by(system_.last_step()))
    if (!system_.message_at(m).dead) members_.push_back(system_.actor_at(system_.message_at(m).receiver).id);
  return number_of_members();
}

touched_set dependence::number(std::vector<actor_id> actors) {
  members_ = std::move(actors);
  return number_of_members();
}

touched_set dependence::number_of_members() {
  std::sort(members_.begin(), members_.end());
  members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
  const auto [known, is_new] = numbers_.try_emplace(members_, static_cast<touched_set>(sets_.size()));
  if (is_new) sets_.push_back(members_);
  return known->second;
}

}  // namespace harrier
