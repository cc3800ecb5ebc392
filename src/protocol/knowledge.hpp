#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include <harrier/protocol/checked.hpp>
#include <harrier/protocol/graph.hpp>
#include <harrier/protocol/strict.hpp>

namespace harrier::protocol::internal {

/// A session with its channels, where messages are labels: types, or finer. Labels that a sender cannot tell apart are
/// one class; receivers see classes.
struct global_graph {
  state_graph graph;
  const strict_space* space = nullptr;
  std::vector<std::uint32_t> class_of;  ///< by label
  std::vector<type_id> type_of;         ///< by label: the type in the definition

  [[nodiscard]] const alphabet& names() const { return space->names(); }
  /// The action as its role sees it: the label is replaced by its class.
  [[nodiscard]] action seen(const transition& t) const;
};

/// What a role knows: the deterministic automaton whose states are the sets of global states that agree with what the
/// role has done so far.
struct knowledge {
  struct move {
    action what;  ///< with the class for a type
    std::uint32_t next;
  };
  role_id role = 0;
  std::vector<std::vector<state_id>> members;
  std::vector<std::vector<move>> moves;
};

/// @throws error  more than `max_projected_members` members.
[[nodiscard]] knowledge knowledge_of(const global_graph& global, role_id role);

/// The receives of a role whose messages may be first in their queues while it does not act.
struct available_messages {
  std::set<action> in_time;  ///< sent in runs of the session in which the role need not act before
  std::set<action> early;    ///< sent only because the session has moved on as if the role had acted
};

/// Checks the two conditions of `project_checked` for one role; appends to `problems` and `open_ends`, at most one for
/// each action.
class validation {
public:
  validation(const global_graph& global, const knowledge& local);
  void run(std::vector<projection_problem>& problems, std::vector<projection_problem>& open_ends);

private:
  bool is_local(const transition& t) const;
  /// By state: whether the role's `what` may come next, others acting before.
  const std::vector<bool>& reaching(const action& what);
  const available_messages& available(state_id state);
  void check_send(std::uint32_t local, const knowledge::move& m, std::vector<projection_problem>& problems);
  void check_receive(std::uint32_t local, const knowledge::move& m, std::vector<projection_problem>& problems);
  void check_end(std::uint32_t local, std::vector<projection_problem>& open_ends);
  projection_problem problem(std::uint32_t local, const action& what, state_id wrong, std::string message);
  /// A shortest run to `state` that looks to the role like the one to `local`.
  std::vector<std::string> run_to(std::uint32_t local, state_id state) const;
  [[nodiscard]] std::string describe(const action& seen) const;

  const global_graph& global_;
  const knowledge& local_;
  std::vector<std::vector<state_id>> predecessors_;  // by others' steps
  std::map<action, std::vector<bool>> reaching_;
  std::map<state_id, available_messages> available_;
};

}  // namespace harrier::protocol::internal
