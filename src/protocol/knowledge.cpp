#include "knowledge.hpp"

#include <algorithm>

#include <harrier/core/error.hpp>

namespace harrier::protocol::internal {

action global_graph::seen(const transition& t) const {
  auto a = names().actions()[t.action];
  if (a.type != no_type) a.type = class_of[a.type];
  return a;
}

std::string global_graph::describe(action seen) const {
  if (seen.type != no_type) seen.type = type_of[seen.type];
  return names().describe(seen);
}

namespace {

class subset_construction {
public:
  subset_construction(const global_graph& global, role_id role) : global_(global) { result_.role = role; }

  knowledge run() {
    number({0});
    for (std::uint32_t local = 0; local < result_.members.size(); ++local) expand(local);
    return std::move(result_);
  }

private:
  // What others may do meanwhile.
  std::vector<state_id> closure(std::vector<state_id> states) const {
    std::vector<bool> seen(global_.graph.states(), false);
    for (const auto s : states) seen[s] = true;
    for (std::size_t i = 0; i < states.size(); ++i) {
      for (const auto& t : global_.graph.steps[states[i]]) {
        if (global_.names().actions()[t.action].subject() == result_.role || seen[t.target]) continue;
        seen[t.target] = true;
        states.push_back(t.target);
      }
    }
    std::sort(states.begin(), states.end());
    return states;
  }

  std::uint32_t number(const std::vector<state_id>& entries) {
    auto members = closure(entries);
    const auto [place, is_new] = numbers_.try_emplace(members, static_cast<std::uint32_t>(result_.members.size()));
    if (is_new) {
      size_ += members.size();
      if (size_ > max_projected_members) throw error("the session is too large to project");
      result_.members.push_back(std::move(members));
      result_.moves.emplace_back();
      result_.entries.emplace_back();
    }
    auto& known = result_.entries[place->second];
    known.insert(known.end(), entries.begin(), entries.end());
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    return place->second;
  }

  void expand(std::uint32_t local) {
    std::map<action, std::vector<state_id>> targets;
    for (const auto s : result_.members[local]) {
      for (const auto& t : global_.graph.steps[s]) {
        if (global_.names().actions()[t.action].subject() == result_.role) targets[global_.seen(t)].push_back(t.target);
      }
    }
    for (auto& [what, states] : targets) {
      std::sort(states.begin(), states.end());
      states.erase(std::unique(states.begin(), states.end()), states.end());
      const auto next = number(states);
      result_.moves[local].push_back({what, next});
    }
  }

  const global_graph& global_;
  knowledge result_;
  std::map<std::vector<state_id>, std::uint32_t> numbers_;
  std::size_t size_ = 0;
};

}  // namespace

knowledge knowledge_of(const global_graph& global, role_id role) { return subset_construction(global, role).run(); }

}  // namespace harrier::protocol::internal
