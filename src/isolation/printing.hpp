#pragma once

namespace harrier {

/// Begins to watch whether anything is printed to standard output (printf, std::cout): it gets a buffer of the usual
/// size that is looked at later, and is buffered as before. For a process that does nothing else any more: the buffer
/// stays.
void watch_printing();

/// Whether anything was printed since then; false where standard output has no buffer, or was never watched.
bool was_printed();

}  // namespace harrier
