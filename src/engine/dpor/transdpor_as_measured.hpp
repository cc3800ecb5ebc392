#pragma once

#include <harrier/engine/transdpor.hpp>

namespace harrier {

/// The program behind the TransDPOR column of the paper's Table 1, to reproduce
/// that table. Not for finding bugs: it loses execution classes when an actor
/// destroys itself, has guards or waits for a reply, so its coming to its end is no
/// proof. `share_transdpor` is the algorithm as printed. One worker at a time may
/// call its work().
///
/// @par Source  S. Tasharofi et al.: TransDPOR, FMOODS/FORTE 2012, Table 1.
std::unique_ptr<shared_search> share_transdpor_as_measured(const transdpor_options& how = {});

}  // namespace harrier
