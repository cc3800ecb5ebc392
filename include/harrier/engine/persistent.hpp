#pragma once

#include <string_view>

#include <harrier/core/observer.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// Dynamic partial-order reduction with persistent sets of whole actors.
///
/// Explores every execution class at least once. With sleep sets each complete
/// execution is of another class, and what is wasted are executions given up
/// (observer::execution_blocked).
///
/// @param ordering  which actor goes first; see make_ordering.
/// @return whether the search came to its end.
/// @par Source  S. Lauterburg: Systematic testing for actor programs, Fig. 2.4,
///      after C. Flanagan, P. Godefroid, POPL 2005; sleep sets: P. Godefroid,
///      1996.
bool explore_persistent(system& system, observer& watcher, std::string_view ordering, bool sleep_sets);

}  // namespace harrier
