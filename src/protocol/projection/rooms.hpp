#pragma once

#include <harrier/protocol/checked.hpp>

namespace harrier::protocol::internal {

/// @param session  complete
/// @par Complexity  The session's steps, for each two roles with a channel.
[[nodiscard]] channel_rooms rooms_in(const explored_session& session);

}  // namespace harrier::protocol::internal
