#include "sent_lines.hpp"

#include <optional>

namespace harrier::protocol::internal {

sent_lines::sent_lines(const state_graph& graph, const alphabet& names, const line_of& line) {
  constexpr std::size_t too_many = 200'000;
  if (graph.states() > too_many) return;
  std::map<channel, lines> all;
  for (state_id s = 0; s < graph.states(); ++s) {
    for (const auto& t : graph.steps[s]) {
      const auto& a = names.actions()[t.action];
      if (a.kind == action_kind::send) all[{a.from, a.to}].insert(line(s, t.action));
    }
  }
  std::erase_if(all, [](const auto& one) { return one.second.size() < 2; });
  if (all.empty()) return;
  states_.resize(graph.states());
  std::vector<bool> seen(graph.states(), false);
  std::vector<state_id> open{0};
  seen[0] = true;
  while (!open.empty()) {
    const auto s = open.back();
    open.pop_back();
    for (const auto& t : graph.steps[s]) {
      const auto& a = names.actions()[t.action];
      auto after = states_[s];
      if (all.contains({a.from, a.to})) {
        auto& queue = after[{a.from, a.to}];
        if (a.kind == action_kind::send) queue.push_back({line(s, t.action)});
        if (a.kind == action_kind::receive && !queue.empty()) queue.erase(queue.begin());
      }
      if (!add(states_[t.target], after) && seen[t.target]) continue;
      seen[t.target] = true;
      open.push_back(t.target);
    }
  }
}

const lines& sent_lines::first_in(state_id state, const action& what) const {
  static const lines none;
  if (states_.empty() || what.kind != action_kind::receive) return none;
  const auto queue = states_[state].find({what.from, what.to});
  return queue == states_[state].end() || queue->second.empty() ? none : queue->second[0];
}

bool sent_lines::add(under_way& to, const under_way& more) {
  bool changes = false;
  for (const auto& [which, queue] : more) {
    auto& known = to[which];
    if (known.size() < queue.size()) known.resize(queue.size());
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const auto before = known[i].size();
      known[i].insert(queue[i].begin(), queue[i].end());
      changes = changes || known[i].size() != before;
    }
  }
  return changes;
}

}  // namespace harrier::protocol::internal
