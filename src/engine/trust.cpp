#include "trust.hpp"

#include <harrier/engine/trust.hpp>

#include "parts.hpp"

namespace harrier {

bool explore_trust(search_context& s) { return search_by_revisits<parts>(s.tested, s.watcher); }

}  // namespace harrier
