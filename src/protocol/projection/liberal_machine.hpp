#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <harrier/protocol/action.hpp>
#include <harrier/protocol/liberal.hpp>

namespace harrier::protocol::internal {

/// A role's part of a liberal module: deterministic. Where an action has several outcomes that the role cannot tell
/// apart, the role is in several states of its projection at once, and a message carries all that it may have led to.
struct liberal_machine {
  static constexpr std::uint32_t any_mark = static_cast<std::uint32_t>(-1);

  struct move {
    action_id action;    ///< of the definition
    state_id source;     ///< a state of the definition in which it is possible
    std::uint32_t mark;  ///< of a send: on the message; of a receive: what it takes; `any_mark`: whatever comes
    std::uint32_t next;
  };
  std::vector<std::vector<move>> states;  ///< the initial one first
};

/// One for each projection. Nothing: one of them has more than `max_states` states.
[[nodiscard]] std::optional<std::vector<liberal_machine>> liberal_machines(
    std::span<const liberal_projection> projections, const alphabet& names, std::size_t max_states);

}  // namespace harrier::protocol::internal
