#pragma once

#include <harrier/engine/transdpor.hpp>

namespace harrier {

/// The program behind the TransDPOR column of the paper's Table 1, to reproduce
/// that table. Not for finding bugs: it loses execution classes when an actor
/// destroys itself, has guards or waits for a reply. `explore_transdpor` is the
/// algorithm as printed.
///
/// @return whether the search came to its end; that is no proof.
/// @par Source  S. Tasharofi et al.: TransDPOR, FMOODS/FORTE 2012, Table 1.
bool explore_transdpor_as_measured(search_context& s, const transdpor_options& how = {});

/// The same as a search that can be written down. One worker at a time may call
/// its work().
std::unique_ptr<shared_search> share_transdpor_as_measured(const transdpor_options& how = {});

}  // namespace harrier
