#pragma once

#include <string>

namespace harrier {

/// Before any test runs it looks at what was asked of all: a flag that is unknown
/// or a trace that cannot be run here ends the program with status 2 and one line.
/// To be called before main() at the latest.
void check_what_is_asked_of_the_program();

/// The running test was run as its trace says.
void trace_is_replayed();

/// Puts `what` behind the line with which GoogleTest says that the running test
/// has passed: `[       OK ] Store.IsConsistent (12 ms), PARTIAL: ...`. Not if
/// somebody else prints that line, or nobody.
void say_beside_ok(const std::string& what);

}  // namespace harrier
