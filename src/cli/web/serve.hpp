#pragma once

#include "../web_command.hpp"

namespace harrier {

/// explorer_floor::run.
int serve_explorer(const page_jobs& done, const page_service& where);

}  // namespace harrier
