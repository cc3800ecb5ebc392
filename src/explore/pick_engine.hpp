#pragma once

#include <optional>
#include <string>

#include <harrier/core/exploration.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

#include "limits.hpp"
#include "search_plan.hpp"

namespace harrier {

/// By which engine it is searched.
struct picked_engine {
  engine_choice engine;
  /// In a sentence, with the figures that decided; empty where a trial met a finding.
  std::string reason;
  /// What was found on the way, if that ends the exploration.
  std::optional<exploration> found = std::nullopt;
};

/// Which of optimal and stateful suits the program: both are tried for a bounded
/// number of executions, states and deliveries, and between the two some random
/// executions are sampled, so the answer is the same each time, unless one of the
/// limits in `how` cuts the trials short. A program that optimal explores within
/// its trial is not tried further.
///
/// @param plan  of `how`; an engine that it names is taken without a trial.
picked_engine pick_engine(const program& tested, const options& how, const search_plan& plan,
                          limits::clock::time_point started);

}  // namespace harrier
