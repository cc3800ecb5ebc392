#include <harrier/protocol/graph.hpp>

#include <algorithm>
#include <deque>
#include <limits>
#include <map>

#include <fmt/format.h>

#include <harrier/core/error.hpp>

#include "word_table.hpp"

namespace harrier::protocol {

void step_table::append(std::span<const transition> steps) {
  if (all_.size() + steps.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw error("a transition system has too many transitions to number them");
  }
  all_.insert(all_.end(), steps.begin(), steps.end());
  first_.push_back(static_cast<std::uint32_t>(all_.size()));
}

void state_graph::expand(std::span<const transition> out) {
  steps.append(out);
  found = std::max(found, steps.size());
  for (const auto& t : out) found = std::max(found, t.target + std::size_t{1});
}

state_graph explore(transition_system& source, std::size_t max_states, const std::function<bool()>& enough) {
  state_graph graph;
  while (!graph.complete()) {
    if ((max_states != 0 && graph.states() > max_states) || (enough && enough())) break;
    graph.expand(source.steps(static_cast<state_id>(graph.expanded())));
  }
  return graph;
}

graph_counts count(const state_graph& graph) {
  graph_counts counts{graph.states(), graph.transitions(), 0, 0};
  std::vector<transition> actions;
  for (state_id s = 0; s < graph.expanded(); ++s) {
    const auto steps = graph.steps[s];
    actions.assign(steps.begin(), steps.end());
    std::sort(actions.begin(), actions.end());
    const bool repeated = std::adjacent_find(actions.begin(), actions.end(), [](const auto& a, const auto& b) {
                            return a.action == b.action;
                          }) != actions.end();
    counts.nondeterministic += repeated ? 1U : 0U;
    counts.dead += actions.empty() ? 1U : 0U;
  }
  return counts;
}

state_graph determinise(const state_graph& graph, std::vector<std::vector<state_id>>& members, std::size_t max_states) {
  state_graph result;
  internal::word_table sets;
  members.assign(1, {0});
  static_cast<void>(sets.number(members[0]));
  while (!result.complete()) {
    if (max_states != 0 && members.size() > max_states) break;
    // In the order in which actions are first met: a graph that is deterministic keeps its numbers.
    std::vector<std::pair<action_id, std::vector<state_id>>> by_action;
    std::map<action_id, std::size_t> place_of;
    std::vector<transition> out;
    for (const auto s : members[result.expanded()]) {
      for (const auto& t : graph.steps[s]) {
        const auto [at, is_new_action] = place_of.try_emplace(t.action, by_action.size());
        if (is_new_action) by_action.push_back({t.action, {}});
        by_action[at->second].second.push_back(t.target);
      }
    }
    for (auto& [action, targets] : by_action) {
      std::sort(targets.begin(), targets.end());
      targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
      const auto number = sets.number(targets);
      if (number == members.size()) members.push_back(targets);
      out.push_back({action, number});
    }
    result.expand(out);
  }
  return result;
}

std::vector<action_id> shortest_path(const state_graph& graph, state_id state) {
  std::vector<std::pair<state_id, action_id>> from(graph.states(), {static_cast<state_id>(-1), 0});
  std::deque<state_id> queue{0};
  from[0].first = 0;
  while (!queue.empty() && queue.front() != state) {
    const auto s = queue.front();
    queue.pop_front();
    for (const auto& t : graph.steps[s]) {
      if (from[t.target].first != static_cast<state_id>(-1)) continue;
      from[t.target] = {s, t.action};
      queue.push_back(t.target);
    }
  }
  std::vector<action_id> path;
  for (auto s = state; s != 0; s = from[s].first) path.push_back(from[s].second);
  std::reverse(path.begin(), path.end());
  return path;
}

namespace {

std::string dot_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::string to_dot(const state_graph& graph, const alphabet& names, const std::string& title,
                   const std::function<std::string(state_id)>& note, std::size_t first_number) {
  std::string text = fmt::format("digraph \"{}\" {{\n  node [shape=ellipse];\n", dot_text(title));
  if (graph.states() > max_drawn_with_care) text += "  graph [nslimit=0.5, nslimit1=1, mclimit=0.1, splines=line];\n";
  for (state_id s = 0; s < graph.states(); ++s) {
    const auto below = note ? note(s) : std::string();
    text +=
        fmt::format("  {} [label=\"{}{}\"{}{}];\n", s, first_number + s, below.empty() ? "" : "\\n" + dot_text(below),
                    s == 0 ? ", style=bold" : "", s >= graph.expanded() ? ", style=dashed" : "");
  }
  for (state_id s = 0; s < graph.states(); ++s) {
    for (const auto& t : graph.steps[s]) {
      text +=
          fmt::format("  {} -> {} [label=\"{}\"];\n", s, t.target, dot_text(names.describe(names.actions()[t.action])));
    }
  }
  return text + "}\n";
}

}  // namespace harrier::protocol
