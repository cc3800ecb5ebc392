#pragma once

#include <string_view>

#include <harrier/core/observer.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// TransDPOR: dynamic partial-order reduction that uses the transitivity of
/// races. A point to which a message was added takes no further one until that
/// message is explored.
///
/// Explores every execution class at least once, never more executions than
/// the same algorithm without freezing.
///
/// @param ordering    which actor goes first; see make_ordering.
/// @param sleep_sets  combined soundly: a sleeping message neither enters a
///                    backtrack set nor freezes the point.
/// @return whether the search came to its end.
/// @par Source  S. Tasharofi et al.: TransDPOR, FMOODS/FORTE 2012, Fig. 2.
bool explore_transdpor(system& system, observer& watcher, std::string_view ordering, bool sleep_sets);

}  // namespace harrier
