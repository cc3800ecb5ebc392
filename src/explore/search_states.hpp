#pragma once

#include <cstdint>
#include <memory>

#include <harrier/core/exploration.hpp>
#include <harrier/core/program.hpp>
#include <harrier/engine/stateful.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// Runs engine stateful as `how` says; its counts go into `result`.
/// @return whether the search is exhausted.
bool search_states(search_context& s, const options& how, const program& tested, exploration& result);

/// The same as a search that can be shared. @throws error  it cannot be, as `how` asks for it.
std::unique_ptr<shared_search> share_states(const program&, const system&, const options& how, std::uint64_t most);

/// What `how` asks of engine stateful.
stateful_options states_asked_for(const options& how);

/// Whether somebody may look at the actors of `tested` that are gone: a check of the ends of executions, or the body of
/// a test.
bool are_gone_actors_seen(const system& tested, const options& how);

/// Whether `how` says anything about how states are to be compared.
bool asks_for_states(const options& how);

}  // namespace harrier
