#pragma once

#include <harrier/engine/search_context.hpp>

namespace harrier {

/// Explores a system under delivery::mailbox_interleaved by what its actors take:
/// one execution for each history, that is for each way in which every actor can
/// get its messages in some order, whatever the orders are in which they can have
/// arrived for it. None is given up.
///
/// It searches `unordered`, another system of the same program under
/// delivery::unordered, in its initial configuration, and runs each history that it
/// finds in the search's own system, as one of the executions that have it. Findings,
/// deliveries and ends are those of that system.
///
/// Not for programs in stages.
/// @throws error  if messages are answered for actors that are gone.
bool explore_receive_histories(search_context& s, system& unordered);

/// Whether it can: whether set-ups of the program do the same in both systems.
bool have_same_setup(const system& interleaved, const system& unordered);

}  // namespace harrier
