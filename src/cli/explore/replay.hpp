#pragma once

#include <functional>

#include <harrier/core/monitor.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>
#include <harrier/report/trace_file.hpp>

namespace harrier {

/// Receives what a replay tells, one JSON object after the other, so that it
/// can be told from a child process as well:
/// - `{"same": true, "handler": ...}`  the next delivery was made, just as in the trace (trace_step::handler);
/// - `{"step": ...}`          it was made, with nothing new that matters;
/// - `{"lethal": ...}`        the last delivery of a crash is about to be made;
/// - `{"differs": {"expected": ..., "actual": ...}}`  it went another way, or
///   `"actual"` is a text that says why the delivery was not possible. Last;
/// - `{"ended": {"again": bool, "note": ...}}`        the schedule was followed
///   to its end; whether the finding occurred again, and if not, why. Last.
using told_in_json = std::function<void(const json_value&)>;

/// Runs the trace again on a fresh system of `tested` (see replay), and tells in JSON. `judge` is what judged
/// the execution, for a finding of its; null otherwise. `how` has the options
/// that the program itself asks for. `in_debugger`: one may watch, so it is told of the last delivery
/// (failing_step.hpp).
void replay_in_json(const program& tested, const trace_file& trace, monitor* judge, const options& how,
                    const told_in_json& tell, bool in_debugger = false);

}  // namespace harrier
