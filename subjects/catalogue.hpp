#pragma once

#include <vector>

#include <harrier/cli/main.hpp>

namespace harrier::subjects {

/// The literature's programs and the zoo, by the names and parameters under
/// which `harrier list` shows them.
std::vector<catalogue_entry> catalogue();

/// The zoo: published bugs of real systems, each with `variant=buggy|fixed`.
std::vector<catalogue_entry> bugs_of_the_zoo();

}  // namespace harrier::subjects
