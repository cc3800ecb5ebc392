#pragma once

#include <string>
#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>
#include <harrier/ordering/ordering.hpp>

namespace harrier {

/// Explores the orders in which `program`'s messages can be delivered.
///
/// In this process and thread: a handler that crashes takes the caller with it,
/// one that loops does not return (the command line and the GoogleTest layer
/// run it in a child process).
///
/// @return counters and findings, each with its schedule and trace.
/// @throws untestable_program  the driver fails before the first message.
/// @throws error  an option is unknown or contradicts another.
/// @par Complexity  the engine's; a finding costs two executions more.
[[nodiscard]] exploration explore(const program& program, const options& how = {});

/// The engines that `search_options::engine` may name, the default first.
std::vector<std::string> engine_names();

/// @throws error if `how` names something unknown or contradicts itself.
void validate(const options& how);

}  // namespace harrier
