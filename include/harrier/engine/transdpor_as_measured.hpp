#pragma once

#include <string_view>

#include <harrier/core/observer.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// The program behind the TransDPOR column of the paper's Table 1, to reproduce
/// that table. Not for finding bugs: it loses execution classes when an actor
/// destroys itself, has guards or waits for a reply. `explore_transdpor` is the
/// algorithm as printed.
///
/// @param ordering    which actor goes first; see make_ordering.
/// @param sleep_sets  a sleeping message does not enter a backtrack set.
/// @return whether the search came to its end; that is no proof.
/// @par Source  S. Tasharofi et al.: TransDPOR, FMOODS/FORTE 2012, Table 1.
bool explore_transdpor_as_measured(system& system, observer& watcher, std::string_view ordering, bool sleep_sets);

}  // namespace harrier
