#pragma once

#include <functional>

#include <harrier/core/monitor.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>
#include <harrier/report/trace_file.hpp>

namespace harrier {

/// The environment of a trace that was judged by the program's own `may_be_left`.
inline constexpr auto own_environment = "program";

/// Receives what a replay tells, one JSON object after the other, so that it
/// can be told from a child process as well:
/// - `{"same": true}`         the next delivery was made, just as in the trace;
/// - `{"step": ...}`          it was made, with nothing new that matters;
/// - `{"lethal": ...}`        the last delivery of a crash is about to be made;
/// - `{"differs": {"expected": ..., "actual": ...}}`  it went another way, or
///   `"actual"` is a text that says why the delivery was not possible. Last;
/// - `{"ended": {"again": bool, "note": ...}}`        the schedule was followed
///   to its end; whether the finding occurred again, and if not, why. Last.
using replay_listener = std::function<void(const json_value&)>;

/// Runs the trace again on a fresh system of `tested`. `judge` is what judged
/// the execution, for a finding of its; null otherwise. `how` has the options
/// that the program itself asks for.
/// @throws error for a finding of a kind that cannot be looked for again.
void replay(const program& tested, const trace_file& trace, monitor* judge, const options& how,
            const replay_listener& tell);

}  // namespace harrier
