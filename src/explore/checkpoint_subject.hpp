#pragma once

#include <string>

#include <harrier/explore/options.hpp>

#include "checkpoint.hpp"
#include "search_plan.hpp"

namespace harrier {

/// What a checkpoint of a search by `plan` is of: with any other one it cannot be continued.
/// @param judged_by  what judges the executions (monitor::criterion)
checkpoint_subject subject_of(const search_plan& plan, const options& how, const std::string& judged_by);

}  // namespace harrier
