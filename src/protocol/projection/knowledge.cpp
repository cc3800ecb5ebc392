#include "knowledge.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <harrier/core/error.hpp>

namespace harrier::protocol::internal {

global_graph::global_graph(state_graph graph, const strict_space& space, std::vector<type_id> type_of)
    : graph_(std::move(graph)), space_(space), type_of_(std::move(type_of)), leader_(type_of_.size()) {
  std::iota(leader_.begin(), leader_.end(), 0U);
  renew_views();
}

bool global_graph::offers(state_id s, view v) const {
  const auto out = graph_.steps[s];
  return std::any_of(out.begin(), out.end(), [&](const transition& t) { return seen(t) == v; });
}

std::vector<std::uint32_t> global_graph::under_way(state_id s, role_id from, role_id to) const {
  auto labels = space_.under_way(s, from, to);
  for (auto& label : labels) label = leader_[label];
  return labels;
}

bool global_graph::always_ends() const {
  std::vector<std::size_t> ways_to(states(), 0);  // that were not gone yet
  for (state_id s = 0; s < states(); ++s) {
    for (const auto& t : steps(s)) ++ways_to[t.target];
  }
  std::vector<state_id> next;
  for (state_id s = 0; s < states(); ++s) {
    if (ways_to[s] == 0) next.push_back(s);
  }
  std::size_t seen = 0;
  for (; !next.empty(); ++seen) {
    const auto s = next.back();
    next.pop_back();
    for (const auto& t : steps(s)) {
      if (--ways_to[t.target] == 0) next.push_back(t.target);
    }
  }
  return seen == states();
}

std::uint32_t global_graph::class_of(std::uint32_t label) {
  while (leader_[label] != label) label = leader_[label] = leader_[leader_[label]];
  return label;
}

bool global_graph::merge(std::uint32_t one, std::uint32_t other) {
  one = class_of(one);
  other = class_of(other);
  leader_[std::max(one, other)] = std::min(one, other);
  return one != other;
}

void global_graph::renew_views() {
  std::map<action, view> numbers;
  for (std::uint32_t label = 0; label < leader_.size(); ++label) leader_[label] = class_of(label);
  views_.clear();
  view_of_.clear();
  for (auto a : names().actions()) {
    if (a.type != no_type) a.type = class_of(a.type);
    const auto [place, is_new] = numbers.try_emplace(a, static_cast<view>(views_.size()));
    if (is_new) views_.push_back(a);
    view_of_.push_back(place->second);
  }
}

std::string global_graph::describe(view v) const {
  auto a = views_[v];
  if (a.type != no_type) a.type = type_of_[a.type];
  return names().describe(a);
}

std::uint32_t knowledge::after(std::uint32_t local, view what) const {
  const auto& out = moves_[local];
  return std::find_if(out.begin(), out.end(), [&](const move& m) { return m.what == what; })->next;
}

class subset_construction {
public:
  subset_construction(const global_graph& global, role_id role) : global_(global), met_(global.states(), 0) {
    result_.role_ = role;
    result_.members_ = std::make_unique<word_table>();
  }

  std::optional<knowledge> run(const std::function<bool()>& enough) {
    number({0});
    for (std::uint32_t local = 0; local < result_.moves_.size(); ++local) {
      if (enough && enough()) return std::nullopt;
      expand(local);
    }
    return std::move(result_);
  }

private:
  // Adds what others may do meanwhile.
  void close(std::vector<state_id>& states) {
    ++round_;
    std::erase_if(states, [&](state_id s) { return !meet(s); });
    for (std::size_t i = 0; i < states.size(); ++i) {
      for (const auto& t : global_.steps(states[i])) {
        if (global_.subject(t) != result_.role_ && meet(t.target)) states.push_back(t.target);
      }
    }
    std::sort(states.begin(), states.end());
  }

  bool meet(state_id s) { return std::exchange(met_[s], round_) != round_; }

  std::uint32_t number(std::vector<state_id> states) {
    close(states);
    const auto local = result_.members_->number(states);
    if (local < result_.moves_.size()) return local;
    result_.moves_.emplace_back();
    size_ += states.size();
    if (size_ > max_projected_members) {
      throw error(
          fmt::format("the session cannot be projected to {}: the {} states of its part stand for more than {} "
                      "states of the session in all",
                      escaped(global_.name(result_.role_)), result_.moves_.size(), max_projected_members));
    }
    return local;
  }

  void expand(std::uint32_t local) {
    std::map<view, std::vector<state_id>> targets;
    for (const auto s : result_.members(local)) {
      for (const auto& t : global_.steps(s)) {
        if (global_.subject(t) == result_.role_) targets[global_.seen(t)].push_back(t.target);
      }
    }
    for (auto& [what, states] : targets) {
      const auto next = number(std::move(states));
      result_.moves_[local].push_back({what, next});
    }
  }

  const global_graph& global_;
  knowledge result_;
  std::vector<std::uint32_t> met_;  // by state: the round in which it was met last
  std::uint32_t round_ = 0;
  std::size_t size_ = 0;
};

std::optional<knowledge> knowledge_of(const global_graph& global, role_id role, const std::function<bool()>& enough) {
  return subset_construction(global, role).run(enough);
}

}  // namespace harrier::protocol::internal
