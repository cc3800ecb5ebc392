#pragma once

namespace harrier::caf_adapter {

/// Whoever calls it is linked with what CAF calls instead of its own.
void interpose();
/// The part of it that is CAF's own, of the version that this is built for.
void interpose_caf();

/// Has `tell` called whenever code of a program begins or goes on, and when it is left.
void tell_of_program_code(void (*tell)(bool begins));

}  // namespace harrier::caf_adapter
