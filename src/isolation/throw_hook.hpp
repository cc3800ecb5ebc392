#pragma once

#include <functional>
#include <string>
#include <vector>

namespace harrier {

/// One exception as it was thrown.
struct thrown_exception {
  /// What it says, as a finding has it.
  std::string text;
  /// The calls in progress, the innermost first: each an address in the instruction that calls. Those of `below` only.
  std::vector<const void*> calls;
};

/// From now on, and until this process ends, `told` learns of each exception that this thread throws, before anybody
/// catches it; from code that calls the thrower in a shared library, as usual. Other code throws as before, and nobody
/// is told. It is for a child process that will do nothing else, and for the first call only.
///
/// @param below  of the calls in progress only those are told of that this one makes: the address of its frame.
void tell_of_throws(const void* below, std::function<void(thrown_exception)> told);

}  // namespace harrier
