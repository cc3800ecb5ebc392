#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace harrier::protocol {

enum class action_kind : std::uint8_t {
  send,       ///< `from` puts a message for `to`
  receive,    ///< `to` takes a message of `from`
  handshake,  ///< both at once
  close,      ///< `from` closes its channel to `to`
};

/// Roles, types and actions are small dense numbers of one `alphabet`.
using role_id = std::uint32_t;
using type_id = std::uint32_t;
using action_id = std::uint32_t;

inline constexpr type_id no_type = static_cast<type_id>(-1);

struct action {
  action_kind kind = action_kind::send;
  role_id from = 0;
  role_id to = 0;
  type_id type = no_type;  ///< of a receive in a definition, and of a close: `no_type`

  /// Whose step it is; of a handshake, the sender's.
  [[nodiscard]] role_id subject() const noexcept { return kind == action_kind::receive ? to : from; }
  friend auto operator<=>(const action&, const action&) = default;
};

/// The names of roles, types and actions, each once.
class alphabet {
public:
  [[nodiscard]] role_id role(std::string_view name);
  [[nodiscard]] type_id type(std::string_view name);
  [[nodiscard]] action_id number(const action& a);

  /// As printed: `worker[1]`.
  [[nodiscard]] const std::vector<std::string>& roles() const noexcept { return roles_; }
  /// As in the definition: `discourje.examples.chess.Move`.
  [[nodiscard]] const std::vector<std::string>& types() const noexcept { return types_; }
  [[nodiscard]] const std::vector<action>& actions() const noexcept { return actions_; }

  /// `worker_0_ SEND Boolean TO worker_1_`, `worker_1_ RECV Boolean FROM worker_0_`, `master CLOSE worker_0_`.
  [[nodiscard]] std::string describe(const action& a) const;

private:
  std::vector<std::string> roles_;
  std::vector<std::string> types_;
  std::vector<action> actions_;
  std::map<std::string, role_id, std::less<>> role_numbers_;
  std::map<std::string, type_id, std::less<>> type_numbers_;
  std::map<action, action_id> action_numbers_;
};

/// What follows the last dot or `$`: `Move`.
[[nodiscard]] std::string_view simple_name(std::string_view type);

/// A role as propositions and C++ write it: what is no letter, digit or `_` becomes `_`, as in `worker_1_`.
[[nodiscard]] std::string escaped(std::string_view role);

}  // namespace harrier::protocol
