#pragma once

#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// Leaves out of the finding's schedule the faults and the firings of timers that it does not need, one after the
/// other, for a moment: what follows is made to happen as far as it still can, and the execution then comes to its end
/// by itself. A schedule that shows the finding with fewer of them is taken even if it is longer.
void leave_out_faults(finding& found, const program& tested, const options& how);

}  // namespace harrier
