#pragma once

#include <harrier/core/execution.hpp>

namespace harrier {

/// Whether `m` was sent by no actor: it starts the driver, whatever was delivered
/// before it.
inline bool is_from_outside(const execution& s, message_slot m) {
  return s.names().sender_of(s.message_at(m).id) == identities::origin;
}

}  // namespace harrier
