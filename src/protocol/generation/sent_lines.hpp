#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <harrier/protocol/graph.hpp>

namespace harrier::protocol::internal {

/// Lines of a definition, sorted; at least one.
using lines = std::set<std::uint32_t>;

/// Where messages that are under way may have been sent. A state of a session is what remains to be done, and does not
/// say how it was reached: `(s/alt X Y)` is followed by one receive, whichever of the two was sent.
class sent_lines {
public:
  using line_of = std::function<std::uint32_t(state_id, action_id)>;

  /// @param graph  deterministic, and complete
  /// @param line   of an action that is possible in a state
  /// @par Complexity  Time: transitions, times the lines of a channel. Memory: the messages under way in all states. Of
  /// a
  ///      graph with more than 200,000 states nothing is found out.
  sent_lines(const state_graph& graph, const alphabet& names, const line_of& line);

  /// Those of the message that is first in the channel of this receive. Empty: all messages of the channel are sent in
  /// one line, or nothing was found out, or it is no receive.
  [[nodiscard]] const lines& first_in(state_id state, const action& what) const;

private:
  using channel = std::pair<role_id, role_id>;
  using under_way = std::map<channel, std::vector<lines>>;  // first to last

  static bool add(under_way& to, const under_way& more);

  std::vector<under_way> states_;
};

}  // namespace harrier::protocol::internal
