// How many messages of a channel are under way: what remains of a session says which are to be received, so that is the
// same whatever way leads to a state.
#include "rooms.hpp"

#include <algorithm>
#include <vector>

namespace harrier::protocol::internal {

using rooms = std::map<std::pair<role_id, role_id>, std::size_t>;

rooms rooms_in(const explored_session& session) {
  rooms result;
  std::vector<std::size_t> channel_of;  // by action: its number, or how many there are
  const auto& channels = session.terms->channels();
  if (channels.empty()) return result;
  for (const auto& a : session.terms->names().actions()) {
    const bool moves = a.kind == action_kind::send || a.kind == action_kind::receive;
    const auto found = moves ? channels.find({a.from, a.to}) : channels.end();
    channel_of.push_back(static_cast<std::size_t>(std::distance(channels.begin(), found)));
  }
  std::vector<std::uint32_t> under_way(channels.size() * session.graph.states());
  std::vector<std::uint32_t> most(channels.size());
  std::vector<bool> known(session.graph.states());
  std::vector<state_id> found{0};
  known[0] = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto* const here = under_way.data() + channels.size() * found[i];
    for (const auto& t : session.graph.steps[found[i]]) {
      if (known[t.target]) continue;
      known[t.target] = true;
      found.push_back(t.target);
      auto* const there = under_way.data() + channels.size() * t.target;
      std::copy_n(here, channels.size(), there);
      const auto channel = channel_of[t.action];
      if (channel == channels.size()) continue;
      if (session.terms->names().actions()[t.action].kind == action_kind::send) {
        most[channel] = std::max(most[channel], ++there[channel]);
      } else {
        --there[channel];
      }
    }
  }
  std::size_t number = 0;
  for (const auto& ends : channels) {
    if (most[number] != 0) result.emplace(ends, most[number]);
    ++number;
  }
  return result;
}

void add_rooms(rooms& all, const rooms& more) {
  for (const auto& [ends, room] : more) {
    auto& place = all[ends];
    place = std::max(place, room);
  }
}

}  // namespace harrier::protocol::internal
