#pragma once

#include <memory>

#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

/// Runs one execution: the actors take turns in creation order, each taking its
/// oldest deliverable message. Draws give 0.
///
/// It is explored if that execution is the only one there is. One worker at a time
/// may call its work().
///
/// @par Source  J. Simsa, R. Bryant, G. Gibson, J. Hickey: Eta, the
///      deterministic manager.
std::unique_ptr<shared_search> share_round_robin();

}  // namespace harrier
