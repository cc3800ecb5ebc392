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
/// receiver in which branch it was sent. A session is projected iff
/// - *every send is right wherever its role may be*: in each global state that
///   agrees with what the role has seen, the session goes on to that send
///   without the role acting before; and
/// - *every receive is right wherever its message may come*: in each such
///   state in which the message may be first in its queue, the session goes on
///   to that receive without the role acting before, and the message is not one
///   that others could send early, while the role still has something to do.
/// Then every run of the machines is, for each role, a beginning of what the
/// role does in some run of the session, and no message is lost.
///
/// @param session  complete.
/// @throws error  a handshake (`-->`), which is one step of two roles, or the
///         session is too large to project.
///
/// @par Complexity  Exponential in the session's states at worst (each local
///      state is a set of them).
/// @par Source  Li, Stutz, Wies and Zufferey, "Complete Multiparty Session Type
///      Projection with Automata", CAV 2023: subset construction, send and
///      receive validity. Deviations: transition systems instead of
///      sender-driven choices, so the conditions are asked of every global state
///      of a local one, not of the origins of its transitions only, and early
///      messages are refused even where both orders are possible; marks. A test
///      compares with all short runs of random sessions.
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
