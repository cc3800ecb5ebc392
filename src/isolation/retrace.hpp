#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <harrier/core/finding.hpp>
#include <harrier/core/program.hpp>
#include <harrier/core/supervision.hpp>

#include "child.hpp"

namespace harrier {

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

/// What there is to blame in the child that notes in `noted`, which died or did not end.
lethal_call lethal_at(const watch& noted, finding_kind kind, std::string what, std::size_t worker = 0);

/// `ended the process: SIGSEGV`, or how long it was waited for.
std::string what_happened(const child_end& end, const watch& noted, double handler_limit);

/// Whether SIGKILL ended it: the system for want of memory, or a user.
bool was_killed(const child_end& end);

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

/// The child that notes in `noted` has run no handler for a while: it thinks hard, or something of the program's does
/// not end. Only what does not end a second time is blamed, and a judge that is asked; nothing if the child shows
/// before that it lives.
/// @param alive  whether it does (child_work::silent).
std::optional<retraced> retrace_silent(const program& tested, delivery model, const watch& noted,
                                       const child_bounds& bounds, const std::function<bool()>& alive);

}  // namespace harrier
