#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/protocol/action.hpp>
#include <harrier/protocol/diagnostic.hpp>

namespace harrier::protocol {

/// What a formula says of one action: `role SEND|RECV type [TO|FROM role]`.
///
/// `*` anywhere, and what is left out at the end, stands for anything. Upper
/// and lower case are the same. Types are compared by their last part, and may
/// be written `<Move>`; roles as `worker_1_` or `worker[1]`. The second role is
/// the other one: the receiver of a SEND, the sender of a RECV. No proposition
/// holds of a close; of a handshake, SEND and RECV do. `true` and `false` are
/// propositions too.
struct proposition {
  enum class verb : std::uint8_t { send, receive, always, never };
  verb what = verb::never;
  std::string role;  ///< as in `escaped`, in lower case; empty: any
  std::string type;  ///< in lower case; empty: any
  std::string peer;  ///< as `role`

  [[nodiscard]] bool holds(const action& a, const alphabet& names) const;
};

/// Reads `text`; appends an error if it is no proposition, and a warning for
/// each role or type that `names` does not have: it holds nowhere.
[[nodiscard]] proposition parse_proposition(std::string_view text, const alphabet& names,
                                            std::vector<diagnostic>& diagnostics);

}  // namespace harrier::protocol
