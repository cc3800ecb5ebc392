#pragma once

#include <functional>
#include <string>
#include <vector>

#include <harrier/protocol/lts.hpp>

namespace harrier::protocol::internal {

/// `review` of a session that begins after something else.
///
/// @param before  asked if something is to be said: what is done until it begins, in words
[[nodiscard]] std::vector<diagnostic> review_after(const explored_session& session,
                                                   const std::function<std::vector<std::string>()>& before);

}  // namespace harrier::protocol::internal
