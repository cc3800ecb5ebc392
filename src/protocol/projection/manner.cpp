#include "manner.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <harrier/core/error.hpp>

#include "knowledge.hpp"

namespace harrier::protocol::internal {
namespace {

constexpr std::size_t max_states_looked_at = 2'000'000;

// Whether each state can come to one in which the session may end.
bool always_ends(const explored_session& session) {
  const auto& graph = session.graph;
  std::vector<std::vector<state_id>> before(graph.states());
  for (state_id s = 0; s < graph.states(); ++s) {
    for (const auto& t : graph.steps[s]) before[t.target].push_back(s);
  }
  std::vector<bool> ends(session.terminated);
  std::vector<state_id> found;
  for (state_id s = 0; s < graph.states(); ++s) {
    if (ends[s]) found.push_back(s);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto s : before[found[i]]) {
      if (!ends[s]) found.push_back(s);
      ends[s] = true;
    }
  }
  return found.size() == graph.states();
}

// Types only: with marks, roles know more, and what is true of these sets is true of parts of them.
class looking {
public:
  explicit looking(const explored_session& session)
      : session_(session), definition_(session.graph, session.terms->names()), space_(definition_) {}

  std::optional<manner> run(const std::function<bool()>& enough) {
    manner result;
    result.ends = always_ends(session_);
    if (!result.ends) return result;
    auto graph = explore(space_, max_states_looked_at, enough);
    if (!graph.complete()) {
      if (graph.states() <= max_states_looked_at) return std::nullopt;
      result.is_noticed = false;
      return result;
    }
    std::vector<type_id> types(space_.names().types().size());
    std::iota(types.begin(), types.end(), type_id{0});
    const global_graph global(std::move(graph), space_, types);
    for (role_id r = 0; r < global.roles() && result.is_noticed; ++r) {
      const auto local = knowledge_of(global, r, enough);
      if (!local) return std::nullopt;
      for (std::uint32_t state = 0; state < local->states(); ++state) look_at(*local, state, global, result);
    }
    return result;
  }

private:
  void look_at(const knowledge& local, std::uint32_t state, const global_graph& global, manner& result) {
    const auto& moves = local.moves(state);
    if (moves.empty()) return;
    const auto members = local.members(state);
    if (std::any_of(members.begin(), members.end(),
                    [&](state_id s) { return session_.terminated[space_.definition_state(s)]; })) {
      result.is_noticed = false;
    }
    for (const auto& m : moves) {
      const auto& a = global.what(m.what);
      if (a.kind != action_kind::receive) continue;
      const auto needs_another = [&](const knowledge::move& other) {
        const auto& b = global.what(other.what);
        return b.kind != action_kind::receive || b.from != a.from;
      };
      if (std::any_of(moves.begin(), moves.end(), needs_another)) result.mixed.insert(message(a));
    }
  }

  manner::message message(const action& a) const {
    const auto& names = space_.names();
    return {names.roles()[a.from], names.roles()[a.to], names.types()[a.type]};
  }

  const explored_session& session_;
  graph_system definition_;
  strict_space space_;
};

struct meeting {
  std::size_t distance;
  action what;  // numbered as in `part`
  std::size_t part;
};

struct meetings {
  std::vector<meeting> all;
  std::size_t shortest = 0;  // way through
};

meetings met_in(const explored_session& session, std::size_t part) {
  meetings result;
  std::vector<std::size_t> distance(session.graph.states(), 0);
  std::set<action_id> known;
  bool has_end = false;
  for (state_id s = 0; s < session.graph.expanded(); ++s) {
    if (!has_end && session.terminated[s]) result.shortest = distance[s];
    has_end = has_end || session.terminated[s];
    for (const auto& t : session.graph.steps[s]) {
      if (t.target != 0 && distance[t.target] == 0) distance[t.target] = distance[s] + 1;
      if (!known.insert(t.action).second) continue;
      result.all.push_back({distance[s], session.terms->names().actions()[t.action], part});
    }
  }
  return result;
}

// At each distance from the start the first states of the whole in which something new is done are those in which one
// part has moved alone, part after part.
meetings met_in(const session_parts& session, const arrangement& order) {
  if (order.is == arrangement::form::one) return met_in(session.parts[order.part], order.part);
  meetings result;
  for (const auto& part : order.of) {
    auto more = met_in(session, part);
    if (order.is == arrangement::form::sequence) {
      for (auto& m : more.all) m.distance += result.shortest;
    }
    result.shortest += more.shortest;
    result.all.insert(result.all.end(), more.all.begin(), more.all.end());
  }
  std::stable_sort(result.all.begin(), result.all.end(),
                   [](const meeting& a, const meeting& b) { return a.distance < b.distance; });
  return result;
}

void run_through(const explored_session& session, bool is_typed, std::vector<std::string>& words) {
  const auto end = std::find(session.terminated.begin(), session.terminated.end(), true);
  const auto& names = session.terms->names();
  std::vector<action> under_way;  // oldest first
  for (const auto number : shortest_path(session.graph, static_cast<state_id>(end - session.terminated.begin()))) {
    auto a = names.actions()[number];
    if (a.kind == action_kind::send) under_way.push_back(a);
    if (a.kind == action_kind::receive && is_typed) {
      const auto first = std::find_if(under_way.begin(), under_way.end(),
                                      [&](const action& sent) { return sent.from == a.from && sent.to == a.to; });
      a.type = first->type;
      under_way.erase(first);
    }
    words.push_back(names.describe(a));
  }
}

void run_through(const session_parts& session, const arrangement& order, bool is_typed,
                 std::vector<std::string>& words) {
  if (order.is == arrangement::form::one) return run_through(session.parts[order.part], is_typed, words);
  for (const auto& part : order.of) run_through(session, part, is_typed, words);
}

}  // namespace

bool manner::may_be_followed(const std::set<message>& sent) const {
  return ends && is_noticed &&
         std::none_of(mixed.begin(), mixed.end(), [&](const message& m) { return sent.contains(m); });
}

std::optional<manner> manner_of(const explored_session& session, const std::function<bool()>& enough) {
  return looking(session).run(enough);
}

std::set<manner::message> messages_of(const explored_session& session) {
  std::set<manner::message> result;
  const auto& names = session.terms->names();
  for (const auto& a : names.actions()) {
    if (a.kind == action_kind::send) result.insert({names.roles()[a.from], names.roles()[a.to], names.types()[a.type]});
  }
  return result;
}

alphabet names_of(const session_parts& session) {
  alphabet all;
  for (auto [distance, a, part] : met_in(session, session.order).all) {
    const auto& names = session.parts[part].terms->names();
    a.from = all.role(names.roles()[a.from]);
    a.to = all.role(names.roles()[a.to]);
    if (a.type != no_type) a.type = all.type(names.types()[a.type]);
    static_cast<void>(all.number(a));
  }
  return all;
}

std::vector<std::string> run_through(const session_parts& session, const arrangement& order, bool is_typed) {
  std::vector<std::string> words;
  run_through(session, order, is_typed, words);
  return words;
}

}  // namespace harrier::protocol::internal
