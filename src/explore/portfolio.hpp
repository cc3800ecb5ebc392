#pragma once

#include <harrier/core/exploration.hpp>
#include <harrier/core/program.hpp>
#include <harrier/engine/search_context.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// Spends options::budget: a moment of systematic search by options::engine,
/// which is all that a small program takes; then delay, pos, pct and random by
/// turns; and what is left on systematic search again. Who found what, and how to
/// see it again, goes to the notes.
/// @return whether a systematic search came to its end.
bool search_by_portfolio(search_context& s, const options& how, const program& tested, exploration& result);

}  // namespace harrier
