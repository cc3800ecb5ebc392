#pragma once

#include <string>

#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// What the handlers of `tested` have in common with those of another execution,
/// as far as a sample of executions shows it: which handler writes to which
/// variable that is global, or static. Such a program's executions cannot be run
/// at the same time. Empty if nothing was seen; that proves nothing: what a global
/// pointer leads to is not looked at, nor are libraries, nor what the standard
/// library or harrier keep for themselves.
///
/// Runs the program in this thread, its deliveries noted where `how` says.
/// O(deliveries x size of the global variables), at most some hundredths of a second
/// unless a handler takes long.
std::string data_shared_by_executions(const program& tested, const options& how);

}  // namespace harrier
