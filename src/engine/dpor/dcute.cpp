#include "dcute.hpp"

#include <harrier/engine/dcute.hpp>

#include "parts.hpp"
#include "shared_depth_first.hpp"

namespace harrier {

std::unique_ptr<shared_search> share_dcute(const dcute_options& how) {
  return share_depth_first<parts, dcute>(how.ordering);
}

}  // namespace harrier
