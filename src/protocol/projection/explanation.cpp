#include <algorithm>

#include "knowledge.hpp"

namespace harrier::protocol::internal {
namespace {

// A run of the session goes along each role's part of the run at once: a role that has not come to the end of its part
// does what is next in it, another one whatever it likes. What is next is tried first, as it mostly leads there.
class explaining {
public:
  explaining(const global_graph& global, std::span<const view> run)
      : global_(global), part_of_(global.roles(), no_part) {
    for (const auto v : run) {
      auto& part = part_of_[global.what(v).subject()];
      if (part == no_part) {
        part = static_cast<std::uint32_t>(parts_.size());
        parts_.emplace_back();
      }
      parts_[part].push_back(v);
    }
  }

  explanation find(std::size_t max_places) {
    explanation result;
    std::vector<std::uint32_t> place(1 + parts_.size(), 0);
    meet(place, 0, 0);
    result.is_there = false;
    while (!stack_.empty()) {
      const auto at = stack_.back();
      stack_.pop_back();
      place.assign(places_[at].begin(), places_[at].end());
      if (is_whole(place)) {
        result.is_there = true;
        result.run = run_to(at);
        break;
      }
      if (places_.size() > max_places) {
        result.is_there = std::nullopt;
        break;
      }
      for (const bool next_of_a_part : {false, true}) {
        for (const auto& t : global_.steps(place[0])) go_along(at, place, t, next_of_a_part);
      }
    }
    result.places = places_.size();
    return result;
  }

private:
  static constexpr std::uint32_t no_part = ~std::uint32_t{0};

  bool is_whole(const std::vector<std::uint32_t>& place) const {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (place[1 + p] != parts_[p].size()) return false;
    }
    return true;
  }

  void go_along(std::uint32_t at, std::vector<std::uint32_t> place, const transition& t, bool next_of_a_part) {
    const auto part = part_of_[global_.subject(t)];
    const bool is_bound = part != no_part && place[1 + part] < parts_[part].size();
    if (is_bound != next_of_a_part) return;
    if (is_bound && parts_[part][place[1 + part]++] != global_.seen(t)) return;
    place[0] = t.target;
    meet(place, at, global_.seen(t));
  }

  void meet(const std::vector<std::uint32_t>& place, std::uint32_t from, view by) {
    const auto number = places_.number(place);
    if (number < came_from_.size()) return;
    came_from_.emplace_back(from, by);
    stack_.push_back(number);
  }

  std::vector<view> run_to(std::uint32_t at) const {
    std::vector<view> run;
    for (; at != 0; at = came_from_[at].first) run.push_back(came_from_[at].second);
    std::reverse(run.begin(), run.end());
    return run;
  }

  const global_graph& global_;
  std::vector<std::uint32_t> part_of_;    // by role
  std::vector<std::vector<view>> parts_;  // of the roles that do something
  word_table places_;                     // the state, then how much of each part is done
  std::vector<std::pair<std::uint32_t, view>> came_from_;
  std::vector<std::uint32_t> stack_;
};

}  // namespace

explanation explain(const global_graph& global, std::span<const view> run, std::size_t max_places) {
  return explaining(global, run).find(max_places);
}

}  // namespace harrier::protocol::internal
