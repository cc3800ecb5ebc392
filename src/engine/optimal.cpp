#include "optimal.hpp"

#include <harrier/engine/optimal.hpp>

#include "../core/observing_dependence.hpp"
#include "parts.hpp"

namespace harrier {
namespace {

struct observing_parts : parts {
  using dependence = observing_dependence;
};

}  // namespace

bool explore_optimal(search_context& s, const optimal_options& how) {
  if (how.observers) return search_optimally<observing_parts>(s, how.ordering);
  return search_optimally<parts>(s, how.ordering);
}

}  // namespace harrier
