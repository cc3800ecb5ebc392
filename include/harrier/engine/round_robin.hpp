#pragma once

#include <memory>

#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

/// Runs one execution: the actors take turns in creation order, each taking its
/// oldest deliverable message. Draws give 0.
///
/// @return whether that execution is the only one there is.
/// @par Source  J. Simsa, R. Bryant, G. Gibson, J. Hickey: Eta, the
///      deterministic manager.
bool explore_round_robin(search_context& s);

/// The same as a search that can be written down. One worker at a time may call
/// its work().
std::unique_ptr<shared_search> share_round_robin();

}  // namespace harrier
