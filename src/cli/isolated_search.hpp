#pragma once

#include <harrier/core/exploration.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

#include "progress_line.hpp"

namespace harrier {

/// explore() in a child process. A handler that ends the process, or runs
/// longer than `handler_limit` seconds, is a finding of its own and ends the
/// search; so does Ctrl-C, without one. What was found and counted before is in
/// the result. @throws what explore() throws.
exploration explore_isolated(const program& tested, const options& how, double handler_limit, progress_line& line);

}  // namespace harrier
