#pragma once

#include <string>

#include <harrier/core/system.hpp>

/// What a debugger finds when a replay comes to the last delivery of its trace. The names are C's: gdb finds them in an
/// executable file without information for debuggers, too.
extern "C" {
/// Called right before that delivery; it does nothing.
void harrier_failing_step();
/// What an actor is called, by the number in its reference: for printers of references. Valid until the next call.
const char* harrier_name_of_actor(unsigned id);
extern const char* harrier_failing_message;  ///< `server_0.set(5)`
extern const char* harrier_failing_state;    ///< of its receiver; empty: it has none
extern const void* harrier_failing_code;     ///< of its handler; null: it is not known
}

namespace harrier {

/// Says all of that of the next delivery, and calls harrier_failing_step.
void announce_failing_step(const system& now, const scheduled& next);

/// Replays the trace file `trace` in gdb, which stops there, and where the handler begins. Does not return.
/// @throws error  there is no gdb, or it cannot be started.
[[noreturn]] void replay_in_gdb(const std::string& trace);

}  // namespace harrier
