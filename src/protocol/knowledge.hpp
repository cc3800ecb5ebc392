#pragma once

#include <cstdint>
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
  /// For people: with the type in place of the class.
  [[nodiscard]] std::string describe(action seen) const;
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
  std::vector<std::vector<state_id>> entries;  ///< the members in which the role has just acted
  std::vector<std::vector<move>> moves;
};

/// @throws error  more than `max_projected_members` members.
[[nodiscard]] knowledge knowledge_of(const global_graph& global, role_id role);

/// Whether each move of each role is right wherever the role may be; appends what is not, and where a role may wait for
/// ever. @throws error  that takes too long to find out.
void validate(const global_graph& global, const std::vector<knowledge>& all, std::vector<projection_problem>& problems,
              std::vector<projection_problem>& open_ends);

}  // namespace harrier::protocol::internal
