#pragma once

#include <functional>
#include <memory>

#include <harrier/core/program.hpp>
#include <harrier/engine/search_context.hpp>
#include <harrier/explore/options.hpp>

#include "engines.hpp"

namespace harrier {

/// Whether a system of `tested` comes to more than one stage (stages.hpp).
bool has_stages(system& tested);
/// Whether programs of that kind do: it is started to find out.
bool has_stages(const program& tested, const options& how);

/// Searches a program in stages: each that ends at rest by `engine`, from each
/// end of the one before; one that may end earlier in all orders.
///
/// What follows a stage's end comes after all that was delivered in it, so no
/// delivery of a later stage races with one of an earlier stage: executions of a
/// program are pairs of one of a stage and one of what follows, and what `engine`
/// proves of each stage holds for the whole. It needs to know nothing of stages.
///
/// @param engine  returns whether its search came to its end; run once for each end of a stage.
/// @return whether all of them came to their end.
bool search_by_stages(search_context& s, const std::function<bool(search_context&)>& engine);

/// The engine's search of the whole: of a program with stages by stages, unless
/// it runs every order or draws any, and so may go on over a stage's end.
/// @pre resolve() has nothing against it
std::unique_ptr<shared_search> search_by(const named_engine& engine, const search_request& asked);

}  // namespace harrier
