#pragma once

#include <harrier/report/trace_file.hpp>

#include "../commands.hpp"
#include "protocol.hpp"

namespace harrier {

/// Writes a trace that replay_protocol reads, and says how `binary` replays it.
/// @throws error
void save_protocol_run(const std::string& file, const protocol_choice& choice, const std::string& formula,
                       const std::string& ends, const protocol::described_lasso& run, const std::string& binary);

/// Whether the trace is one of a protocol.
[[nodiscard]] bool is_protocol_trace(const trace_file& trace);

/// `harrier replay` of such a trace. @return the exit status. @throws error  the
/// protocol does not do what the trace says.
[[nodiscard]] int replay_protocol(const trace_file& trace, bool step_by_step);

/// `harrier protocol explore`.
[[nodiscard]] command add_protocol_explore(CLI::App& protocol);

}  // namespace harrier
