#include "transdpor.hpp"

#include <harrier/engine/transdpor.hpp>

#include "parts.hpp"
#include "shared_depth_first.hpp"

namespace harrier {

std::unique_ptr<shared_search> share_transdpor(const transdpor_options& how) {
  return share_depth_first<parts, transdpor>(how.ordering, how.sleep_sets);
}

}  // namespace harrier
