#pragma once

#include <set>
#include <utility>

#include <harrier/protocol/checked.hpp>

namespace harrier::protocol::internal {

/// The most messages that are ever under way between these, without those between whom none ever is.
/// @param session  complete
/// @param between  sender and receiver
/// @par Complexity  The session's steps, for each of them.
[[nodiscard]] channel_rooms most_under_way(const explored_session& session,
                                           const std::set<std::pair<role_id, role_id>>& between);

}  // namespace harrier::protocol::internal
