#pragma once

#include <vector>

#include <harrier/core/explanation.hpp>
#include <harrier/core/exploration.hpp>

#include "chosen_program.hpp"
#include "explore_request.hpp"

namespace harrier {

/// Why the first findings of `result` come about, one for each in their order; fewer where nobody waits for more. None
/// if the search was interrupted. Other orders run in child processes, also where the search did not.
std::vector<explanation> why_of_findings(const explore_request& request, const chosen_program& program,
                                         const exploration& result);

/// Where exceptions were thrown that left handlers (isolation/throw_places.hpp), unless an interrupt ended the search.
void find_throws(const explore_request& request, const chosen_program& program, exploration& result);

}  // namespace harrier
