#pragma once

#include <algorithm>
#include <vector>

#include <harrier/core/dependence.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// How many combinations of draws step `e` has, itself included, were each drawn
/// value to leave the later draws as they are.
inline double draws_of(const system& s, step_index e) {
  double all = 1;
  for (const auto& c : s.choices_of(e)) all *= static_cast<double>(c.arity);
  return all;
}

/// How many of them come after that of step `e`.
inline std::uint64_t draws_after(const system& s, step_index e) {
  std::uint64_t after = 0;
  for (const auto& c : s.choices_of(e)) after = after * c.arity + (c.arity - 1 - s.step_at(e).code / c.scale % c.arity);
  return after;
}

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

/// Finds out what the alternatives of the last step touch, where that is known
/// only once they were run: calls `tried(event)` for each that is not
/// `is_known(label)`, after running it, and takes it back. The last step is then
/// as it was.
template <class Parts, class Known, class Tried>
void try_other_draws(system& s, typename Parts::dependence& depends, Known is_known, Tried tried) {
  if (depends.foresees_all() || s.choices_of(s.last_step()).empty()) return;
  const auto ran = s.step_at(s.last_step());
  const auto message = s.message_at(ran.message).id;
  const auto receiver = s.actor_at(ran.receiver).id;
  std::vector<std::uint64_t> codes;  // not labels: a delivery may give those back
  for_each_alternative(s, s.last_step(), [&](message_id label) {
    if (!is_known(label)) codes.push_back(s.names().code_of(label));
  });
  if (codes.empty()) return;
  auto* const watching = s.watch().observe(nullptr);
  s.undo();
  for (const auto code : codes) {
    const auto label = s.names().alternative(message, code);
    Parts::deliver_event(s, label);
    tried(event{label, {receiver, depends.touched_by_last_step()}, true});
    s.undo();
  }
  Parts::deliver_event(s, s.names().alternative(message, ran.code));
  s.watch().observe(watching);
}

}  // namespace harrier
