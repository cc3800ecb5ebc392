#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace harrier {

/// What `--version` prints: `harrier 0.1.0`.
[[nodiscard]] std::string version_line();

/// The manual page, in the language of man(7), made from the same command line
/// as `--help`.
[[nodiscard]] std::string manual_page(const CLI::App& app);

}  // namespace harrier
