#pragma once

#include <memory>

#include <harrier/engine/shared_search.hpp>

#include "engines.hpp"

namespace harrier {

/// The search of a program in stages by several workers, or one that is written down. Each stage is one shared search
/// of `engine`, which whoever has nothing to do joins.
/// @pre resolve() has nothing against it
std::unique_ptr<shared_search> share_stages(const named_engine& engine, const search_request& asked);

}  // namespace harrier
