#include "plan.hpp"

#include <algorithm>

namespace harrier {

step_index first_step(const system& s) { return static_cast<step_index>(s.setup_steps()); }

std::uint64_t value_drawn(const system& s, step_index i, std::size_t draw) {
  const auto& choice = s.choices_of(i)[draw];
  return s.step_at(i).code / choice.scale % choice.arity;
}

bool is_own_draw(const system& s, step_index i, std::size_t draw) {
  const auto fates = s.fates_of(i);
  return std::none_of(fates.begin(), fates.end(), [draw](const fate& f) { return f.draw == draw; });
}

plan plan_of(const system& old) {
  plan all;
  for (auto i = first_step(old); i < old.step_count(); ++i) all.steps.push_back(i);
  return all;
}

std::optional<plan> without_fate(const system& old, step_index i, std::size_t f) {
  if (f >= old.fates_of(i).size() || !is_fault(old.fates_of(i)[f])) return std::nullopt;
  auto other = plan_of(old);
  other.without_at = i;
  other.without_fate = f;
  return other;
}

std::optional<plan> without_timeout(const system& old, step_index i) {
  if (old.step_at(i).kind != step_kind::timeout) return std::nullopt;
  auto other = plan_of(old);
  std::erase(other.steps, i);
  return other;
}

std::optional<plan> without_steps(const system& old, std::size_t from, std::size_t width) {
  auto other = plan_of(old);
  if (from >= other.steps.size()) return std::nullopt;
  const auto begin = other.steps.begin() + static_cast<std::ptrdiff_t>(from);
  other.steps.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(width, other.steps.size() - from)));
  return other;
}

std::optional<plan> before_younger(const system& old, std::size_t late) {
  auto other = plan_of(old);
  const auto sent = [&](std::size_t k) { return old.step_at(other.steps[k]).message; };
  auto to = late;
  while (to > 0 && sent(to - 1) > sent(late)) --to;
  if (to == late) return std::nullopt;
  const auto begin = other.steps.begin();
  std::rotate(begin + static_cast<std::ptrdiff_t>(to), begin + static_cast<std::ptrdiff_t>(late),
              begin + static_cast<std::ptrdiff_t>(late) + 1);
  return other;
}

std::optional<plan> drawing_lower(const system& old, step_index i, std::size_t draw, std::size_t how) {
  const auto value = value_drawn(old, i, draw);
  if (value == 0 || !is_own_draw(old, i, draw)) return std::nullopt;
  const std::uint64_t lower[ways_to_draw_lower] = {0, value / 2, value - 1};
  auto other = plan_of(old);
  other.drawing_at = i;
  other.code = old.step_at(i).code - (value - lower[how]) * old.choices_of(i)[draw].scale;
  return other;
}

void make_happen(const plan& p, step_index i, follower& along) {
  along.find_alike(i);
  if (i != p.drawing_at)
    along.deliver_as(i, i == p.without_at ? std::optional(p.without_fate) : std::nullopt);
  else if (along.can_be_made(i))
    along.deliver_drawing(i, p.code);
}

}  // namespace harrier
