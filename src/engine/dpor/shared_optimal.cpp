#include "shared_optimal.hpp"

#include <harrier/engine/optimal.hpp>

#include "../alone.hpp"
#include "../search_by_one.hpp"
#include "field_parts.hpp"
#include "observing_parts.hpp"
#include "parts.hpp"

namespace harrier {
namespace {

std::unique_ptr<shared_search> by_one(optimal_options how) {
  auto explore = [how, ordering = std::string(how.ordering)](search_context& s) mutable {
    how.ordering = ordering;
    return explore_optimal_alone(s, how);
  };
  return std::make_unique<search_by_one<decltype(explore)>>(std::move(explore));
}

}  // namespace

std::unique_ptr<shared_search> share_optimal(const optimal_options& how, made_by who) {
  if (who == made_by::one) return by_one(how);
  if (how.independence == independence::fields) return std::make_unique<shared_optimal<field_parts>>(how);
  if (how.observers) return std::make_unique<shared_optimal<observing_parts>>(how);
  return std::make_unique<shared_optimal<parts>>(how);
}

}  // namespace harrier
