#pragma once

#include <harrier/engine/search_context.hpp>

namespace harrier {

/// Runs one execution: the actors take turns in creation order, each taking its
/// oldest deliverable message. Draws give 0.
///
/// @return whether that execution is the only one there is.
/// @par Source  J. Simsa, R. Bryant, G. Gibson, J. Hickey: Eta, the
///      deterministic manager.
bool explore_round_robin(search_context& s);

}  // namespace harrier
