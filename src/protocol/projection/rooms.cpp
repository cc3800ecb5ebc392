// How many messages are under way: what remains of a session says which are to be received, so that is the
// same whatever way leads to a state.
#include "rooms.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <harrier/core/invariant.hpp>

namespace harrier::protocol::internal {
namespace {

std::size_t most_under_way(const explored_session& session, role_id from, role_id to) {
  constexpr auto unknown = static_cast<std::uint32_t>(-1);
  const auto& actions = session.terms->names().actions();
  std::vector<std::uint32_t> under_way(session.graph.states(), unknown);
  std::vector<state_id> found{0};
  under_way[0] = 0;
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& t : session.graph.steps[found[i]]) {
      const auto& a = actions[t.action];
      auto after = under_way[found[i]];
      if (a.from == from && a.to == to && a.kind == action_kind::send) ++after;
      if (a.from == from && a.to == to && a.kind == action_kind::receive) --after;
      if (under_way[t.target] == unknown) {
        under_way[t.target] = after;
        found.push_back(t.target);
        most = std::max(most, after);
      }
      HARRIER_INVARIANT(under_way[t.target] == after, "what remains of a session says how many messages are under way");
    }
  }
  return most;
}

}  // namespace

channel_rooms most_under_way(const explored_session& session, const std::set<std::pair<role_id, role_id>>& between) {
  channel_rooms result;
  for (const auto& [from, to] : between) {
    if (const auto most = most_under_way(session, from, to); most != 0) result.emplace(std::pair(from, to), most);
  }
  return result;
}

}  // namespace harrier::protocol::internal
