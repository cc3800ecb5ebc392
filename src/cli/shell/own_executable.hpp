#pragma once

#include <string>

namespace harrier {

/// Which executable file this process runs: the same text for the same bytes; empty if it cannot be read.
std::string own_executable();

}  // namespace harrier
