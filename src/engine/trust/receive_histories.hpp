#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <harrier/engine/search_context.hpp>
#include <harrier/engine/trust.hpp>

namespace harrier {

/// Explores a system under delivery::mailbox_interleaved by what its actors take:
/// one execution for each history, that is for each way in which every actor can
/// get its messages in some order, whatever the orders are in which they can have
/// arrived for it. None is given up.
///
/// Each worker searches another system of the same program under delivery::unordered,
/// in its initial configuration, and runs each history that it finds in its own
/// system, as one of the executions that have it. Findings, deliveries and ends are
/// those of that system.
///
/// Not for programs in stages. Its work() throws error if messages are answered for
/// actors that are gone.
/// @param start_unordered  starts a worker's second one, in its thread
std::unique_ptr<shared_search> share_receive_histories(std::function<system_handle()> start_unordered);

/// Whether it can: whether set-ups of the program do the same in both systems.
bool have_same_setup(const system& interleaved, const system& unordered);

}  // namespace harrier
