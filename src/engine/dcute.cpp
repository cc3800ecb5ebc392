#include "dcute.hpp"

#include <harrier/engine/dcute.hpp>

#include "parts.hpp"

namespace harrier {

bool explore_dcute(search_context& s, const dcute_options& how) { return search_as_dcute<parts>(s, how.ordering); }

}  // namespace harrier
