#pragma once

#include <string>

#include "cli11.hpp"

namespace harrier {

/// The manual page, in the language of man(7), made from the same command line
/// as `--help`.
[[nodiscard]] std::string manual_page(const CLI::App& app);

}  // namespace harrier
