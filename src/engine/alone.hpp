#pragma once

#include <harrier/engine/optimal.hpp>
#include <harrier/engine/search_context.hpp>
#include <harrier/engine/stateful.hpp>

namespace harrier {

// What engines do for one worker (made_by::one). Each returns whether the search came to its end.

/// The tree is the worker's own, so that the steps in it need no names that others know.
bool explore_optimal_alone(search_context& s, const optimal_options& how);

/// What is left where it is stopped is not named.
bool explore_trust_alone(search_context& s);

/// What it remembers of states is its own. @param report  filled in in any case
/// @throws error  with the objection, if there is one
bool explore_stateful(search_context& s, const stateful_options& how, stateful_report& report);

}  // namespace harrier
