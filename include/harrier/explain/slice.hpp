#pragma once

#include <harrier/core/system.hpp>

namespace harrier {

/// The part of the last step's causal past that leads to it: the deliveries
/// that happen before it, in their order, and itself. It is an execution of its
/// own, under the unordered and the per-pair delivery models.
///
/// @param system  at the end of the execution to be cut.
/// @param fresh   a system of the same program in its initial configuration; on
///                return it has run the result.
/// @return the shorter schedule, counted along itself; empty if `fresh` did not
///         follow (which only another delivery model can cause).
schedule causal_slice(const system& system, harrier::system& fresh);

}  // namespace harrier
