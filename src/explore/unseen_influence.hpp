#pragma once

#include <optional>

#include <harrier/core/exploration.hpp>
#include <harrier/core/finding.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

#include "../core/global_variables.hpp"

namespace harrier {

/// Whether handlers see of one another what no search knows of: a global variable that one writes and another reads,
/// say. A step is to do what its causal past says, whatever else was delivered before it. So a few executions are run
/// in different orders, from the variables as they are now and, if some have changed, as they were before the search;
/// steps with one causal past must do the same in all of them. A finding of kind nondeterminism says which does not,
/// and the first difference. That nothing was found proves nothing.
///
/// @param before   the variables of the program before it was started first.
/// @param search   what the search that is over came to: looking takes a small part of its time, and some hundredths of
///                 a second at most, unless a handler takes long.
std::optional<finding> unseen_influence(const program& tested, const options& how, const global_variables& before,
                                        const exploration& search);

}  // namespace harrier
