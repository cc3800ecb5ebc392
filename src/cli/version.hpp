#pragma once

#include <string>

namespace harrier {

struct extensions;

/// `harrier 0.2.0`.
[[nodiscard]] std::string version_line();

/// What `--version` prints: that line, the commit and the compiler of this
/// build, and which of its optional parts are in it.
[[nodiscard]] std::string version_text(const extensions& more);

}  // namespace harrier
