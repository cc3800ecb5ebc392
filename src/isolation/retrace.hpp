#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <harrier/core/finding.hpp>
#include <harrier/core/program.hpp>
#include <harrier/core/supervision.hpp>

#include "child.hpp"

namespace harrier {

/// The message that `next` delivers, as a step without its outcome.
trace_step announce(const system& s, const scheduled& next);

/// Makes the trace of `found` from its schedule, in a child process: as much of
/// it as can be repeated.
void retrace(const program& tested, delivery model, finding& found, const child_bounds& bounds);

/// What ended the process, or did not end.
struct lethal_call {
  finding_kind kind;
  /// `ended the process: SIGSEGV`.
  std::string what;
  /// The deliveries that led there.
  schedule planned;
  /// It was the last of them; otherwise it came after it, or while going back.
  bool in_handler;
  /// Or one of the user's judges.
  flight_record::asked judge = flight_record::asked::nobody;
};

struct retraced {
  finding found;
  /// Whether it happened again (a handler that does not end is not tried again).
  bool again;
  /// Actors at that point, the driver not counted.
  std::uint64_t actors;
  /// Whether that execution is one of the program at all (system::can_be).
  bool can_be = true;
};

/// The finding about `lethal`, with the trace that leads there, made in a child
/// process. What came outside the handlers is looked for there by calling, one
/// by one, what the search may have called (see examine_all); so is the copy that
/// is made before the last delivery.
/// @param tick  called several times a second; what it throws ends the child and
///              is thrown.
retraced retrace_lethal(
    const program& tested, delivery model, const lethal_call& lethal, const child_bounds& bounds,
    const std::function<void()>& tick = [] {});

}  // namespace harrier
