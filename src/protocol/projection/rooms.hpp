#pragma once

#include <harrier/protocol/checked.hpp>

namespace harrier::protocol::internal {

/// See `checked_projection::rooms`. @param session  complete
[[nodiscard]] std::map<std::pair<role_id, role_id>, std::size_t> rooms_in(const explored_session& session);

/// Of what is beside each other or follows each other.
void add_rooms(std::map<std::pair<role_id, role_id>, std::size_t>& all,
               const std::map<std::pair<role_id, role_id>, std::size_t>& more);

}  // namespace harrier::protocol::internal
