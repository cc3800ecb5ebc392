#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include <harrier/core/exploration.hpp>
#include <harrier/core/finding.hpp>

namespace harrier {

/// JSON whose objects keep the order in which their fields were added.
using json_value = nlohmann::ordered_json;

/// The exploration as `harrier explore --json` writes it: the documented fields
/// in their documented order, then those added since. Parameters that were
/// given as text are text; a caller that knows better replaces `parameters`.
json_value to_json(const exploration& result);

/// One finding as it stands in the list `findings`.
json_value to_json(const finding& found);

/// One step of a trace, all that there is to know of it.
json_value to_json(const trace_step& step);

/// Reads what to_json(trace_step) gave. @throws error that names the field that
/// is missing or of the wrong type.
trace_step trace_step_from(const json_value& json);

/// What could befall messages: a number for each kind of fault.
json_value to_json(const faults& may_happen);

/// Reads what to_json(faults) gave. @throws error as trace_step_from does.
faults faults_from(const json_value& json);

/// The text of `json`, over several lines if `indent` is not negative. Bytes
/// that are no UTF-8 (in a program's strings) become U+FFFD.
std::string to_text(const json_value& json, int indent = -1);

/// Field `name` of `object`, for readers of JSON that others may have written.
/// @throws error that names the field if it is missing.
const json_value& field(const json_value& object, const std::string& name);

/// The same, as a `T`. @throws error also if it is of another type.
template <class T>
T field_as(const json_value& object, const std::string& name);

}  // namespace harrier
