#include "shared_depth_first.hpp"

#include <harrier/engine/dcute.hpp>
#include <harrier/engine/persistent.hpp>
#include <harrier/engine/source.hpp>
#include <harrier/engine/transdpor.hpp>

#include "dcute.hpp"
#include "parts.hpp"
#include "persistent.hpp"
#include "semantic_parts.hpp"
#include "source.hpp"
#include "transdpor.hpp"

namespace harrier {

std::unique_ptr<shared_search> share_dcute(const dcute_options& how) {
  return std::make_unique<shared_depth_first<parts, dcute<parts>>>(how.ordering);
}

std::unique_ptr<shared_search> share_persistent(const persistent_options& how) {
  return std::make_unique<shared_depth_first<parts, persistent<parts>, bool>>(how.ordering, how.sleep_sets);
}

std::unique_ptr<shared_search> share_source(const source_options& how) {
  if (how.semantic) return std::make_unique<shared_depth_first<semantic_parts, source<semantic_parts>>>(how.ordering);
  return std::make_unique<shared_depth_first<parts, source<parts>>>(how.ordering);
}

std::unique_ptr<shared_search> share_transdpor(const transdpor_options& how) {
  return std::make_unique<shared_depth_first<parts, transdpor<parts>, bool>>(how.ordering, how.sleep_sets);
}

}  // namespace harrier
