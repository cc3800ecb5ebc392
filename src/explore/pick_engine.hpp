#pragma once

#include <string>

#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

struct engine_choice {
  std::string engine;
  /// In a sentence, with the figures that decided.
  std::string reason;
};

/// Which of optimal and stateful suits the program: both are tried for a bounded
/// number of executions, states and deliveries, so the answer is the same each
/// time, unless one of the limits in `how` cuts the trials short.
engine_choice pick_engine(const program& tested, const options& how);

}  // namespace harrier
