#include "source.hpp"

#include <harrier/engine/source.hpp>

#include "parts.hpp"
#include "semantic_parts.hpp"

namespace harrier {

bool explore_source(search_context& s, const source_options& how) {
  return how.semantic ? search_by_source_sets<semantic_parts>(s, how.ordering)
                      : search_by_source_sets<parts>(s, how.ordering);
}

}  // namespace harrier
