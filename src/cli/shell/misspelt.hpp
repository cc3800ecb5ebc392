#pragma once

#include <string>

#include "../cli11.hpp"

namespace harrier {

/// The command that was parsed, or the innermost one of those.
const CLI::App& innermost(const CLI::App& app);

/// `there is no command 'exlpore'; did you mean 'explore'?`, if a word stands
/// where a command should and is none; empty otherwise.
std::string unknown_command(const CLI::App& app, int argc, const char* const* argv);

}  // namespace harrier
