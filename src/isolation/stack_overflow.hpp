#pragma once

namespace harrier {

/// From now on a segmentation fault that comes from a full stack sets
/// `overflowed` (in shared memory) before it ends the process as ever. Does
/// nothing where a sanitizer handles such faults.
void notice_stack_overflow(bool& overflowed);
/// The same for the stack of another thread, which calls this.
void notice_stack_overflow_in_thread();

}  // namespace harrier
