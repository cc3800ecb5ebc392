#pragma once

#include <memory>

#include <harrier/core/exploration.hpp>
#include <harrier/core/program.hpp>
#include <harrier/engine/stateful.hpp>
#include <harrier/explore/options.hpp>

#include "engines.hpp"

namespace harrier {

/// Engine stateful, as it is asked for; it says what it counted (shared_search::conclude).
/// @throws error  it cannot be shared as it is to be.
std::unique_ptr<shared_search> search_states(const search_request& asked);

/// As people write it: `canonical`.
std::string word_for(state_comparison c);

/// What `how` asks of engine stateful.
stateful_options states_asked_for(const options& how);

/// Whether somebody may look at the actors of `tested` that are gone: a check of the ends of executions, or the body of
/// a test.
bool are_gone_actors_seen(const system& tested, const options& how);

/// Whether `how` says anything about how states are to be compared.
bool asks_for_states(const options& how);

}  // namespace harrier
