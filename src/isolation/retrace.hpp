#pragma once

#include <cstdint>
#include <string>

#include <harrier/core/finding.hpp>
#include <harrier/core/program.hpp>

namespace harrier {

/// The message that `next` delivers, as a step without its outcome.
trace_step announce(const system& s, const scheduled& next);

/// Makes the trace of `found` from its schedule, in a child process: as much of
/// it as can be repeated.
void retrace(const program& tested, delivery model, finding& found, double handler_limit);

/// A delivery that ended the process, or did not end.
struct lethal_delivery {
  finding_kind kind;
  /// `ended the process: SIGSEGV`.
  std::string what;
  /// The deliveries up to it, itself included.
  schedule planned;
  /// The process died in the handler; otherwise after it, going back say.
  bool in_handler;
};

struct retraced {
  finding found;
  /// Whether the last delivery was lethal again (a delivery that does not end
  /// is not tried again).
  bool again;
  /// Actors at that point, the driver not counted.
  std::uint64_t actors;
};

/// The finding about `lethal`, with the trace up to it: all but the last
/// delivery are repeated in a child process, then the last one.
retraced retrace_lethal(const program& tested, delivery model, const lethal_delivery& lethal, double handler_limit);

}  // namespace harrier
