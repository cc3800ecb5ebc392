#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace harrier::protocol::internal {

/// Runs a program, not through a shell, and waits for it. What it writes, to standard output or standard error, goes to
/// `output`.
/// @return its exit status; -1 if it could not be run or was killed.
[[nodiscard]] int run(const std::vector<std::string>& command, const std::filesystem::path& input,
                      const std::filesystem::path& output);

}  // namespace harrier::protocol::internal
