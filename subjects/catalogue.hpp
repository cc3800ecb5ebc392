#pragma once

#include <vector>

#include <harrier/cli/main.hpp>

namespace harrier::subjects {

/// The literature's programs, by the names and parameters under which
/// `harrier list` shows them.
std::vector<catalogue_entry> catalogue();

}  // namespace harrier::subjects
