#pragma once

#include <string>

#include <harrier/core/program.hpp>

namespace harrier::tables {

/// The catalogue's program with its parameters, `pi workers=4`, or one of those
/// that only a table needs: `pi-scala`, `quicksort-scala`, `leader-scala`.
/// @throws error if there is none.
program program_named(const std::string& text);

}  // namespace harrier::tables
