#include "trust.hpp"

#include <harrier/engine/trust.hpp>

#include "../alone.hpp"
#include "../dpor/parts.hpp"

namespace harrier {

bool explore_trust_alone(search_context& s) { return search_by_revisits<parts>(s.tested, s.watcher); }

bool explore_trust(search_context& s, std::vector<trust_item>& todo, const trust_sharing& sharing, schedule* where) {
  return search_items<parts>(s.tested, s.watcher, todo, sharing, where);
}

}  // namespace harrier
