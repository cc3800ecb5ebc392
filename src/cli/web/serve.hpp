#pragma once

#include "../web_command.hpp"

namespace harrier {

/// explorer_floor::run.
int serve_explorer(const asked_explorer& asked, const catalogue& programs);

}  // namespace harrier
