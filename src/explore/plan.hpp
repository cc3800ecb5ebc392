#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <harrier/core/system.hpp>

#include "follower.hpp"

namespace harrier {

/// What is made to happen of an execution, in which order.
struct plan {
  std::vector<step_index> steps;
  /// One of the fates of a step, which does not come about.
  step_index without_at = no_step;
  std::size_t without_fate = 0;
  /// A step that draws other values.
  step_index drawing_at = no_step;
  std::uint64_t code = 0;
};

/// @name Plans: of an execution as it was, and with one change
/// @{

plan plan_of(const system& old);
/// Without one of the fates of a step, if that is a fault.
std::optional<plan> without_fate(const system& old, step_index i, std::size_t f);
/// Without the firing of a timer in step `i`, if that is what it is.
std::optional<plan> without_timeout(const system& old, step_index i);
/// Without so many of the search's steps, from there; empty: there is none.
std::optional<plan> without_steps(const system& old, std::size_t from, std::size_t width);
/// The search's step number `late` comes before those that it was overtaken by, as far as they stand together.
std::optional<plan> before_younger(const system& old, std::size_t late);
/// Step `i` draws lower in its draw number `draw`: 0, half of it, or one less. @param how  0, 1 or 2
std::optional<plan> drawing_lower(const system& old, step_index i, std::size_t draw, std::size_t how);
/// How many there are.
constexpr std::size_t ways_to_draw_lower = 3;
/// @}

/// Makes step `i` of a plan happen, if it still can.
void make_happen(const plan& p, step_index i, follower& along);

/// Of the search's steps, not of those that set the program up.
step_index first_step(const system& s);
/// A handler's own draw, not what befell somebody.
bool is_own_draw(const system& s, step_index i, std::size_t draw);
std::uint64_t value_drawn(const system& s, step_index i, std::size_t draw);

}  // namespace harrier
