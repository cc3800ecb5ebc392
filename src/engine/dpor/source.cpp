#include "source.hpp"

#include <harrier/engine/source.hpp>

#include "parts.hpp"
#include "semantic_parts.hpp"
#include "shared_depth_first.hpp"

namespace harrier {

std::unique_ptr<shared_search> share_source(const source_options& how) {
  return how.independence == independence::semantic ? share_depth_first<semantic_parts, source>(how.ordering)
                                                    : share_depth_first<parts, source>(how.ordering);
}

}  // namespace harrier
