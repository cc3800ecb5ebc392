#pragma once

#include <cstdint>

/// Threads that a program begins itself, beside the one in which its actors run.
/// They may do what they like, but for using actors.
namespace harrier::caf_adapter::threads {

/// Whether any runs.
[[nodiscard]] bool any();
/// Until none runs, or one that `program` has begun has used an actor; a second at most, and some seconds in all.
void wait_for_them(std::uint64_t program);

/// Whether this is one.
[[nodiscard]] bool is_own();
/// In such a thread: it was about to use an actor, which was not done.
void note_use_of_actors();
/// The same where there is no going on: the thread stays there.
[[noreturn]] void stay();
/// Whether the end of an actor system would have to wait for one that a run of `program` has begun, and that is not
/// waited for: it stays, or it runs on although its run is over (`is_left`).
[[nodiscard]] bool any_is_left_alone(std::uint64_t program, bool is_left);
/// Whether one has used an actor that a run of `program` has begun, or nobody knows who; asked once, it is forgotten.
[[nodiscard]] bool have_used_actors(std::uint64_t program);

/// Whether that is code of CAF's, whose own locks guard what harrier orders anyway.
[[nodiscard]] bool is_in_caf(const void* code);

}  // namespace harrier::caf_adapter::threads
