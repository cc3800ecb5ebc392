#pragma once

#include <harrier/core/exploration.hpp>
#include <harrier/report/json.hpp>

/// What a child process tells the one that watches it: each line of the pipe is
/// one JSON value.
namespace harrier {

json_value to_wire(const finding& found);
json_value to_wire(const exploration& result);
finding finding_from_wire(const json_value& json);
exploration exploration_from_wire(const json_value& json);

}  // namespace harrier
