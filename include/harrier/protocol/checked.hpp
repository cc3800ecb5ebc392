#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <harrier/protocol/graph.hpp>
#include <harrier/protocol/lts.hpp>

namespace harrier::protocol {

/// A role's part of a definition; deterministic.
struct local_machine {
  struct move {
    action what;             ///< typed, receives too
    std::uint32_t mark = 0;  ///< of a message: what it carries besides its type; 0 if nothing
    std::uint32_t next = 0;  ///< local state
    source_position at;
    friend bool operator==(const move&, const move&) = default;
  };
  role_id role = 0;
  std::vector<std::vector<move>> states;  ///< the initial one first
};

/// Why a session cannot be projected soundly, or what it cannot promise.
struct projection_problem {
  role_id role = 0;
  source_position at;
  std::string what;  ///< the action
  std::string message;
  /// Two runs that look alike to the role; after the first its action is
  /// right, after the second it is not.
  std::vector<std::string> right;
  std::vector<std::string> wrong;
};

struct checked_projection {
  alphabet names;
  std::vector<local_machine> machines;  ///< one for each role; none if there are problems
  bool marked = false;                  ///< whether messages carry marks
  std::vector<projection_problem> problems;
  /// Roles that may wait for ever where the session has ended: nothing tells them.
  std::vector<projection_problem> open_ends;
};

/// Sizes beyond which a session is refused as too large to project.
inline constexpr std::size_t max_projected_members = 20'000'000;

/// The sound liberal reading: each role follows its own machine, messages
/// travel in a queue for each pair of roles, and a receive takes the first
/// message from a sender only if it is one that its state knows; others wait.
///
/// A message carries its type and, where that is needed, a mark that tells the
/// receiver in which branch it was sent. A session is projected iff each move of
/// each role is right wherever its role may be. That is: take any run of the
/// session to where the role has just done what it has done, and go on along it,
/// the role itself waiting, and others too as soon as they need a message that
/// was not sent. Whenever the move is possible then (a send always is, a receive
/// when its message is first), the session has a run from the same place in
/// which the others do the same and the role's next action is that move.
/// Then every run of the machines is, for each role, a beginning of what the
/// role does in some run of the session, and no message is lost. Independent
/// roles that the session orders differently in its branches may be refused
/// although they could be projected.
///
/// @param session  complete.
/// @throws error  a handshake (`-->`), which is one step of two roles, or the
///         session is too large to project.
///
/// @par Complexity  Exponential in the session's states at worst (each local
///      state is a set of them).
/// @par Source  Li, Stutz, Wies and Zufferey, "Complete Multiparty Session Type
///      Projection with Automata", CAV 2023: subset construction, validity of
///      sends and receives. Deviations: transition systems, with interleaving,
///      instead of sender-driven choices, hence the condition above instead of
///      theirs on origins and available messages; marks. No proof is known to us
///      for this condition: a test compares it with all short runs of thousands
///      of random sessions.
[[nodiscard]] checked_projection project_checked(const explored_session& session);

/// One line for a person: reason and witness.
[[nodiscard]] diagnostic to_diagnostic(const projection_problem& problem, const checked_projection& projection,
                                       const std::string& file, severity level);

/// The machines together.
class checked_space final : public transition_system {
public:
  /// @param projection  without problems; must outlive this object.
  /// @param capacity    a send is not possible while so many messages wait in
  ///                    that queue (0: no limit; then the space may be infinite).
  explicit checked_space(const checked_projection& projection, std::size_t capacity = 0);
  ~checked_space() override;

  [[nodiscard]] const std::vector<transition>& steps(state_id state) override;
  [[nodiscard]] const alphabet& names() const override;
  /// Whether a message waits.
  [[nodiscard]] bool pending(state_id state) const;

private:
  class machine;
  std::unique_ptr<machine> machine_;
};

}  // namespace harrier::protocol
