#include "persistent.hpp"

#include <harrier/engine/persistent.hpp>

#include "parts.hpp"
#include "shared_depth_first.hpp"

namespace harrier {

std::unique_ptr<shared_search> share_persistent(const persistent_options& how) {
  return share_depth_first<parts, persistent_search>(how.ordering, how.sleep_sets);
}

}  // namespace harrier
