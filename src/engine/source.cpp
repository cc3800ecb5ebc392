#include "source.hpp"

#include <harrier/engine/source.hpp>

#include "parts.hpp"

namespace harrier {

bool explore_source(search_context& s, const source_options& how) {
  return search_by_source_sets<parts>(s, how.ordering);
}

}  // namespace harrier
