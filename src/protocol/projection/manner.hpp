#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <harrier/protocol/parts.hpp>

namespace harrier::protocol::internal {

/// What has to be known of a part of a session before others can follow it that are looked at by themselves. Of several
/// parts it is true of all iff it is of each.
struct manner {
  /// By names: those of the roles that send and receive it, and of its type.
  struct message {
    std::string from;
    std::string to;
    std::string type;
    friend auto operator<=>(const message&, const message&) = default;
  };

  bool ends = true;         ///< wherever it is, it can come to its end
  bool is_noticed = true;   ///< a role that may be done with it has nothing to do in it any more, wherever others are
  std::set<message> mixed;  ///< that a role may receive where it may also do something that does not need that sender

  /// @param sent  all that what follows may send
  [[nodiscard]] bool may_be_followed(const std::set<message>& sent) const;
};

/// @param session  complete.
/// @return nothing: `enough` said to stop.
[[nodiscard]] std::optional<manner> manner_of(const explored_session& session, const std::function<bool()>& enough);

/// All that may be sent in it.
[[nodiscard]] std::set<manner::message> messages_of(const explored_session& session);

/// Names in the order in which a search of the whole session would meet them.
[[nodiscard]] alphabet names_of(const session_parts& session);

/// A shortest way from the start of each part to its end, in words; one part after the other.
///
/// @param is_typed  whether receives say what is received, as those of machines do, or not, as those of definitions.
[[nodiscard]] std::vector<std::string> run_through(const session_parts& session, const arrangement& order,
                                                   bool is_typed);

}  // namespace harrier::protocol::internal
