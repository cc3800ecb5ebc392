#include <algorithm>

#include "knowledge.hpp"

namespace harrier::protocol::internal {
namespace {

// Pairs of a state and how far each role is that are looked at.
constexpr std::size_t max_places = 200'000;

// A run of the session goes along each role's part of the run at once: a role that has not come to the end of its part
// does what is next in it, another one whatever it likes.
class explanation {
public:
  explanation(const global_graph& global, std::span<const view> run) : global_(global), parts_(global.roles()) {
    for (const auto v : run) parts_[global.what(v).subject()].push_back(v);
  }

  std::optional<bool> find() {
    std::vector<std::uint32_t> place(1 + parts_.size(), 0);
    places_.number(place);
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      if (places_.size() > max_places) return std::nullopt;
      place.assign(places_[i].begin(), places_[i].end());
      if (is_whole(place)) return true;
      for (const auto& t : global_.steps(place[0])) go_along(place, t);
    }
    return false;
  }

private:
  bool is_whole(const std::vector<std::uint32_t>& place) const {
    for (role_id r = 0; r < parts_.size(); ++r) {
      if (place[1 + r] != parts_[r].size()) return false;
    }
    return true;
  }

  void go_along(std::vector<std::uint32_t> place, const transition& t) {
    const auto r = global_.subject(t);
    auto& done = place[1 + r];
    if (done < parts_[r].size() && parts_[r][done++] != global_.seen(t)) return;
    place[0] = t.target;
    places_.number(place);
  }

  const global_graph& global_;
  std::vector<std::vector<view>> parts_;  // by role
  word_table places_;                     // the state, then by role how much of its part is done
};

}  // namespace

std::optional<bool> explains(const global_graph& global, std::span<const view> run) {
  return explanation(global, run).find();
}

}  // namespace harrier::protocol::internal
