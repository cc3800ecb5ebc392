#include "optimal.hpp"

#include <harrier/engine/optimal.hpp>

#include "parts.hpp"

namespace harrier {

bool explore_optimal(search_context& s, const optimal_options& how) { return search_optimally<parts>(s, how.ordering); }

}  // namespace harrier
