#include "persistent.hpp"

#include <harrier/engine/persistent.hpp>

#include "parts.hpp"

namespace harrier {

bool explore_persistent(search_context& s, const persistent_options& how) {
  return search_by_persistent_sets<parts>(s, how.ordering, how.sleep_sets);
}

}  // namespace harrier
