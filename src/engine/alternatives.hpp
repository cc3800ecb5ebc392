#pragma once

#include <algorithm>
#include <vector>

#include <harrier/core/dependence.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// Calls `visit(label)` for each event that step `e` would have been, had one of
/// its draws given another value and the later ones none.
template <class Visit>
void for_each_alternative(system& s, step_index e, Visit visit) {
  const auto& step = s.step_at(e);
  const auto message = s.message_at(step.message).id;
  for (const auto& c : s.choices_of(e))
    for (std::uint64_t value = 0; value < c.arity; ++value)
      if (const auto code = with_draw(step.code, c, value); code != step.code)
        visit(s.names().alternative(message, code));
}

/// Adds to `tried` what the alternatives of the last step touch, where that is
/// known only once they were run: each of them is run, and taken back. The last
/// step is `ran`, and is so again afterwards.
template <class Parts>
void try_other_draws(system& s, typename Parts::dependence& depends, const event& ran, std::vector<event>& tried) {
  if (depends.foresees_all() || s.choices_of(s.last_step()).empty()) return;
  const auto known = tried.size();
  for_each_alternative(s, s.last_step(), [&](message_id label) {
    if (std::none_of(tried.begin(), tried.end(), [&](const event& e) { return e.label == label; }))
      tried.push_back({label, {ran.touched.receiver}});
  });
  if (tried.size() == known) return;
  auto* const watching = s.watch().observe(nullptr);
  s.undo();
  for (auto i = known; i < tried.size(); ++i) {
    Parts::deliver_event(s, tried[i].label);
    tried[i].touched.touches = depends.touched_by_last_step();
    s.undo();
  }
  Parts::deliver_event(s, ran.label);
  s.watch().observe(watching);
}

}  // namespace harrier
