#include "optimal.hpp"

#include "../alone.hpp"
#include "field_parts.hpp"
#include "late_parts.hpp"
#include "observing_parts.hpp"
#include "parts.hpp"

namespace harrier {

bool explore_optimal_alone(search_context& s, const optimal_options& how) {
  if (how.independence == independence::fields) return search_optimally<field_parts>(s, how);
  if (how.observers) return search_optimally<observing_parts>(s, how);
  if (!dependence(s.tested).foresees_all()) return search_optimally<late_parts>(s, how);
  return search_optimally<parts>(s, how);
}

}  // namespace harrier
