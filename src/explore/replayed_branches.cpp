#include "replayed_branches.hpp"

#include <algorithm>

#include <harrier/core/error.hpp>

namespace harrier {

replayed_branches::replayed_branches(const program& tested, const options& how)
    : other_(tested.start(how.search.delivery)) {
  other_->limit_depth(how.limits.max_depth);
  other_->watch().check_determinism(repetition::off);
  other_->memoise(how.search.memoise);
}

void replayed_branches::list(const system& searched, std::vector<branching>& path) {
  const auto there = searched.current_schedule();
  const auto apart = std::mismatch(here_.begin(), here_.end(), there.begin(), there.end());
  while (other_->depth() > static_cast<std::size_t>(apart.first - here_.begin())) {
    other_->undo();
    of_step_.pop_back();
  }
  for (auto next = apart.second; next != there.end(); ++next) go_on(*next);
  here_ = there;
  path.clear();
  for (const auto& places : of_step_) path.insert(path.end(), places.begin(), places.end());
}

void replayed_branches::go_on(const scheduled& next) {
  auto& places = of_step_.emplace_back();
  auto& order = places.emplace_back(branching{0, 0});
  bool is_begun = true;
  for (auto m = other_->first_deliverable(); m != no_message; m = other_->next_deliverable(m)) {
    ++(is_begun ? order.begun : order.planned);
    if (m == next.message) is_begun = false;
  }
  if (is_begun) throw error("the program does not follow its own schedule");
  other_->deliver(next.message, next.code);
  const auto f = other_->last_step();
  for (const auto& c : other_->choices_of(f)) {
    const auto value = next.code / c.scale % c.arity;
    places.push_back({value + 1, c.arity - 1 - value});
  }
}

}  // namespace harrier
