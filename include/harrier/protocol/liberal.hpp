#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/protocol/graph.hpp>
#include <harrier/protocol/lts.hpp>

namespace harrier::protocol {

/// A role's part of a definition, as Prut4j projects it.
struct liberal_projection {
  struct step {
    action_id action;    ///< of the definition: sends and closes by the role, receives of the role
    state_id source;     ///< a state of the definition in which the action is possible
    state_id target;     ///< where the definition goes
    std::uint32_t next;  ///< where this automaton goes
    friend auto operator<=>(const step&, const step&) = default;
  };
  role_id role = 0;
  /// By local state, the initial one first: the states of the definition that it
  /// stands for, sorted: those reachable by other roles' steps in which the role
  /// can act. Empty: the role has finished.
  std::vector<std::vector<state_id>> members;
  std::vector<std::vector<step>> steps;  ///< by local state, sorted
};

/// Why a session is not projected in this way: it has a channel. These machines take a message where the session is
/// just after it was sent; in a channel others may be under way by then, and it would be lost. Nothing: there is none.
[[nodiscard]] std::optional<diagnostic> not_projected_liberally(const explored_session& session);

/// One automaton for each role of `names`.
///
/// @param definition  complete.
/// @throws error  there is a handshake (`-->`): two roles act at once.
/// @par Source  Slob, "Model checking protocol implementations: a new
///      adaptation-based approach", chapter on liberal implementations; the
///      writers of Prut4j.
[[nodiscard]] std::vector<liberal_projection> project_liberally(const state_graph& definition, const alphabet& names);

/// The roles' automata together, each with one queue: Prut4j's liberal
/// implementation, with all branches where the same send has several targets.
///
/// A role with one receive takes whatever is first in its queue; with several,
/// the one whose source is the state the first message led to. If there is
/// none, the original throws and the message is lost: here, no step (`losing`).
class liberal_space final : public transition_system {
public:
  /// @param capacity  a send is not possible while so many messages wait in
  ///                  the receiver's queue (0: no limit; then the space may be infinite).
  liberal_space(const state_graph& definition, const alphabet& names, std::size_t capacity = 0);
  /// @param session  complete. @throws definition_error  what `not_projected_liberally` says
  explicit liberal_space(const explored_session& session, std::size_t capacity = 0);
  ~liberal_space() override;

  [[nodiscard]] std::span<const transition> steps(state_id state) override;
  [[nodiscard]] const alphabet& names() const override;
  [[nodiscard]] const std::vector<liberal_projection>& projections() const noexcept;

  /// Whether any queue of `state` holds something.
  [[nodiscard]] bool pending(state_id state) const;
  [[nodiscard]] std::size_t longest_queue(state_id state) const;
  /// The roles that would lose the first message of their queue.
  [[nodiscard]] std::vector<role_id> losing(state_id state) const;
  /// The roles whose one receive would take a message that was meant for another.
  [[nodiscard]] std::vector<role_id> mistaking(state_id state) const;

private:
  class machine;
  std::unique_ptr<machine> machine_;
};

}  // namespace harrier::protocol
