#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/system.hpp>

namespace harrier {

/// One action of an actor program, a letter of its executions' words: an actor
/// takes a message, or sends one while it handles what it took.
struct actor_action {
  enum class verb : std::uint8_t { receive, send };
  verb what;
  /// Whose action it is.
  actor_slot actor;
  /// Of a receive the sender, of a send the receiver.
  actor_slot peer;
  message_slot message;
};

/// Appends the actions of step `step`: its receive, then its sends in their
/// order. What starts the driver was sent by nobody and is no action.
void append_actions(const system& system, std::size_t step, std::vector<actor_action>& to);

/// Whether the execution is cut where `system` is: more could follow, or could
/// have but for a failed step or the depth limit.
[[nodiscard]] bool is_cut(const system& system);

/// The message's name as traces show it, without arguments: `set`, `reply`.
[[nodiscard]] std::string kind_of(const system& system, message_slot message);

/// The class of an actor: `server`; `driver` for slot 0.
[[nodiscard]] std::string class_of(const system& system, actor_slot actor);

/// `client_0 SEND set TO server_0`, `server_0 RECV set FROM client_0`.
[[nodiscard]] std::string to_text(const system& system, const actor_action& action);

/// What a formula says of one action: `actor SEND|RECV message [TO|FROM actor]`.
///
/// An actor is named as traces do (`server_0`), by its class (`server`: any of
/// them), or is the `driver`; `reply` stands for the reply to any call. `*`
/// anywhere, and what is left out at the end, stands for anything. Upper and
/// lower case are the same. `true` and `false` are propositions too.
struct actor_proposition {
  enum class verb : std::uint8_t { send, receive, always, never };
  verb what = verb::never;
  /// In lower case; empty: any.
  std::string actor;
  std::string message;
  std::string peer;

  [[nodiscard]] bool holds(const system& system, const actor_action& action) const;
};

/// Reads `text`; nothing if it is no proposition.
[[nodiscard]] std::optional<actor_proposition> parse_actor_proposition(std::string_view text);

}  // namespace harrier
