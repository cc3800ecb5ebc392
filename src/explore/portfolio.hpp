#pragma once

#include <memory>

#include <harrier/core/exploration.hpp>

#include "engines.hpp"

namespace harrier {

/// Spends limit_options::budget: a moment of systematic search by search_options::engine,
/// which is all that a small program takes; then delay, pos, pct and random by
/// turns; and what is left on systematic search again. Who found what, and how to
/// see it again, goes to the notes.
/// It is explored if a systematic search came to its end.
/// @param counted  what its worker has counted so far, which it looks at; outlives it
std::unique_ptr<shared_search> search_by_portfolio(const search_request& asked, exploration& counted);

}  // namespace harrier
