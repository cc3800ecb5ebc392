#pragma once

#include <string_view>

#include <harrier/core/observer.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// The partial-order reduction of dCUTE: at each point all messages of one
/// actor, and of one further actor each time a send is found that could have
/// overtaken the delivery made there.
///
/// Explores every execution class at least once, many of them more often.
///
/// @param ordering  which actor goes first; see make_ordering.
/// @return whether the search came to its end.
/// @par Source  S. Lauterburg: Systematic testing for actor programs, Fig. 2.5;
///      K. Sen, G. Agha: FASE 2006.
bool explore_dcute(system& system, observer& watcher, std::string_view ordering);

}  // namespace harrier
