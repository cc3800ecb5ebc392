#pragma once

#include <harrier/core/finding.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// In a catch block: an exception left the search, where `so_far` leads or on
/// the way back. The finding that names the function that threw, its schedule
/// what leads there.
/// @throws untestable_program, if that is the exception in hand, or the one that
///         the program throws when it is asked again;
///         the exception in hand, if it is another error of harrier's, or for want
///         of memory, and no function of the program throws when it is asked again.
finding failure_in_search(const program& tested, const options& how, const schedule& so_far);

}  // namespace harrier
