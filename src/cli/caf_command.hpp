#pragma once

#include <harrier/report/trace_file.hpp>

#include "commands.hpp"
#include "extensions.hpp"

namespace harrier {

/// `harrier caf`: starts an executable file that uses CAF anew, with a library loaded before it that explores it.
command add_caf(CLI::App& app);

/// Whether a trace is of an executable file that such a library explored, and this process is not one.
bool is_caf_trace(const trace_file& trace);
/// Starts that file, which replays the trace. @throws error  it cannot be started
int replay_caf(const trace_file& trace, const replay_options& how);

/// In the environment of what `harrier caf` starts: the words of harrier's command line there, as a JSON array.
inline constexpr auto caf_command_variable = "HARRIER_CAF_COMMAND";
/// What the program is called there, and in its traces.
inline constexpr auto caf_program_name = "caf";

}  // namespace harrier
