#include "transdpor.hpp"

#include <harrier/engine/transdpor.hpp>

#include "parts.hpp"

namespace harrier {

bool explore_transdpor(search_context& s, const transdpor_options& how) {
  return search_by_transitive_races<parts>(s, how.ordering, how.sleep_sets);
}

}  // namespace harrier
