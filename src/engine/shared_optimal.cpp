#include "shared_optimal.hpp"

#include <harrier/engine/optimal.hpp>

#include "parts.hpp"

namespace harrier {

std::unique_ptr<shared_search> share_optimal(const optimal_options& how) {
  return std::make_unique<shared_optimal<parts>>(how.ordering);
}

}  // namespace harrier
