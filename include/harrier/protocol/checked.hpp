#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <harrier/protocol/graph.hpp>
#include <harrier/protocol/lts.hpp>

namespace harrier::protocol {

/// A role's part of a definition, or one of several that are beside each other or follow each other; deterministic.
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
  /// By state, whether the session may end while the role is there; of states
  /// that behave alike, and therefore are one, whether it may in any of them.
  std::vector<bool> may_end = {};
  /// Of the machines of a role, those of one phase are beside each other: it is in a state of each. When it has nothing
  /// more to do in any of them, it begins with those of the next phase.
  std::uint32_t phase = 0;
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
  /// Of a refusal: whether the roles, each doing what it does in some run of
  /// the session, could do `wrong` and then the action, which together are in no
  /// run of it. False: nobody knows; no proof was found that they could not, and
  /// `wrong` is a run that may show it, or empty.
  bool refuted = true;
  /// Of a refusal: what could be written instead; empty if nothing sensible can be said.
  std::string instead = {};
  /// Where nobody knows: the limit that ended the search for a proof, as in
  /// `10 s`. Empty: it came to its end, and found none.
  std::string limit = {};
};

/// By sender and receiver between whom there is a channel: the most messages that are ever under way from the one to
/// the other in the session.
using channel_rooms = std::map<std::pair<role_id, role_id>, std::size_t>;

struct checked_projection {
  alphabet names;
  /// One for each role, or several, by role and phase: a role in branches of a `par` with more combinations of where it
  /// may be there than `projection_watch::largest_product` has a machine for each. None if there are problems.
  std::vector<local_machine> machines;
  channel_rooms rooms = {};  ///< a send waits while there are as many; other queues need no bound, and have none
  bool marked = false;       ///< whether messages carry marks
  bool complete = true;      ///< whether the watch let it come to its end; if not, all else is empty
  std::vector<projection_problem> problems;
  /// Roles that may wait for ever where the session has ended: nothing tells them.
  std::vector<projection_problem> open_ends;
};

/// How many states of the session all states of one role's part may stand for together.
inline constexpr std::size_t max_projected_members = 20'000'000;

/// What the search for a proof may take, where a proof is not soon found. What
/// it could not decide by then is refused, and the diagnostic says so.
struct proof_limits {
  double seconds = 10;          ///< of all searches of a projection together; 0: no limit
  std::size_t mebibytes = 256;  ///< of the tables of a search; 0: no limit
};

/// What a projection is given. The functions may be empty.
struct projection_watch {
  /// Asked now and then: whether to stop.
  std::function<bool()> enough;
  /// Told what is done now, and how many of the roles are done.
  std::function<void(std::string_view doing, std::size_t roles_done, std::size_t roles)> tell;
  proof_limits proof = {};
  /// How many states the one machine may have that a role in several branches of a `par` is given in place of a machine
  /// for each.
  std::size_t largest_product = 100;
};

/// The sound liberal reading: each role follows its own machine, messages
/// travel in a queue for each pair of roles, and a receive takes the first
/// message from a sender only if it is one that its state knows; others wait.
///
/// A message carries its type and, where that is needed, a mark that tells the
/// receiver in which branch it was sent. A session is projected iff it can be
/// shown that for every run of the machines the session has a run in which each
/// role begins with what it does there. Then, too, the machines are stuck only
/// where the session can have ended, and no message is left. Three ways are tried.
/// First, whether every send is certain to come wherever its role may be: it is
/// possible in that state of the session, or others can go first, and it is
/// certain whatever they choose. If not, whether the session is one around a
/// role, as those of a server with its clients, in which each may do what it may
/// in time. If not, whether after each run in which others act and the role
/// waits there is another one in which they do the same and the role's next
/// action is the move. Independent roles that the session orders
/// differently in its branches may be refused although they could be projected.
/// Meanwhile short runs of the machines are tried, shortest first: one that no run
/// of the session explains refutes it.
///
/// @param session  complete.
/// @throws error  a handshake (`-->`), which is one step of two roles, or the
///         session is too large to project: the message names the limit.
///
/// @par Complexity  The states and steps of the session, for each role and for
///      each state of its machine that stands for them: in practice states times
///      roles. Exponential in the session's states at worst (each local state is
///      a set of them); the third way is exponential in the roles that wait, and
///      ends as a refusal at `watch.proof`.
/// @par Source  Li, Stutz, Wies and Zufferey, "Complete Multiparty Session Type
///      Projection with Automata", CAV 2023: subset construction, validity of
///      sends and receives. Deviations: transition systems, with interleaving,
///      instead of sender-driven choices, hence the conditions above instead of
///      theirs on origins and available messages; marks. The proof is in
///      docs/protocols.md, "Why liberal-checked is sound".
[[nodiscard]] checked_projection project_checked(const explored_session& session, const projection_watch& watch = {});

/// The machines of one role as one, as a picture of it has them.
/// @param machines  all of the role, in their order
/// @throws error  it would have more than a million states.
[[nodiscard]] local_machine in_one(std::vector<local_machine> machines, const alphabet& names);

/// A send that its role may do again and again without waiting for anything, not even for room in a channel, so that
/// the queue it goes to has no bound unless it is given one, and the machines together have infinitely many states.
/// Nothing: there is none such.
/// @param projection  without problems
[[nodiscard]] std::optional<action> sent_without_bound(const checked_projection& projection);

/// One line for a person: reason and witness.
[[nodiscard]] diagnostic to_diagnostic(const projection_problem& problem, const checked_projection& projection,
                                       const std::string& file, severity level);

/// The machines together.
class checked_space final : public transition_system {
public:
  /// @param projection  without problems; must outlive this object.
  /// @param capacity    a send is not possible while so many messages wait in
  ///                    that queue (0: no limit but a channel's own; then the space may be infinite).
  explicit checked_space(const checked_projection& projection, std::size_t capacity = 0);
  ~checked_space() override;

  [[nodiscard]] std::span<const transition> steps(state_id state) override;
  [[nodiscard]] const alphabet& names() const override;
  /// Whether a message waits.
  [[nodiscard]] bool pending(state_id state) const;

private:
  class machine;
  std::unique_ptr<machine> machine_;
};

}  // namespace harrier::protocol
