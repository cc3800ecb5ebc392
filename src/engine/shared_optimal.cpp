#include "shared_optimal.hpp"

#include <harrier/engine/optimal.hpp>

#include "field_parts.hpp"
#include "observing_parts.hpp"
#include "parts.hpp"

namespace harrier {

std::unique_ptr<shared_search> share_optimal(const optimal_options& how) {
  if (how.fields) return std::make_unique<shared_optimal<field_parts>>(how);
  if (how.observers) return std::make_unique<shared_optimal<observing_parts>>(how);
  return std::make_unique<shared_optimal<parts>>(how);
}

}  // namespace harrier
