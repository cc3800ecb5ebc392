// A subset construction of all roles at once, in rounds: which receives a set of states has depends on the marks that
// may arrive, and which marks there are on the sets in which others send.
#include "liberal_machine.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "../lts/word_table.hpp"

namespace harrier::protocol::internal {
namespace {

class construction {
public:
  construction(std::span<const liberal_projection> projections, const alphabet& names, std::size_t max_states)
      : projections_(projections), names_(names), max_states_(max_states), arriving_(projections.size()) {
    const std::vector<std::uint32_t> initial{0};
    for (std::size_t r = 0; r < projections.size(); ++r) {
      sets_.push_back(std::make_unique<word_table>());
      sets_.back()->number(initial);
    }
  }

  std::optional<std::vector<liberal_machine>> run() {
    for (std::size_t before = 0; before != size();) {
      before = size();
      machines_.assign(projections_.size(), {});
      for (role_id r = 0; r < projections_.size(); ++r) {
        for (std::uint32_t set = 0; set < sets_[r]->size(); ++set) {
          if (sets_[r]->size() > max_states_) return std::nullopt;
          expand(r, set);
        }
      }
    }
    return std::move(machines_);
  }

private:
  struct outcome {
    state_id source = 0;
    std::set<std::uint32_t> targets;
    std::set<std::uint32_t> next;
  };

  std::size_t size() const {
    std::size_t sum = 0;
    for (const auto& s : sets_) sum += s->size();
    for (const auto& marks : arriving_) sum += marks.size();
    return sum;
  }

  static std::uint32_t number(word_table& table, const std::set<std::uint32_t>& members) {
    return table.number(std::vector<std::uint32_t>(members.begin(), members.end()));
  }

  void expand(role_id r, std::uint32_t set) {
    const auto word = (*sets_[r])[set];
    const std::vector<std::uint32_t> members(word.begin(), word.end());
    auto& moves = machines_[r].states.emplace_back();
    std::map<action_id, outcome> own;
    for (const auto local : members) {
      for (const auto& step : projections_[r].steps[local]) {
        if (is_receive(step)) continue;
        auto& o = own.try_emplace(step.action, outcome{step.source, {}, {}}).first->second;
        o.targets.insert(step.target);
        o.next.insert(step.next);
      }
    }
    for (const auto& [action, o] : own) {
      const auto& a = names_.actions()[action];
      std::uint32_t mark = 0;
      if (a.kind == action_kind::send) {
        mark = number(marks_, o.targets);
        arriving_[a.to].insert(mark);
      }
      moves.push_back({action, o.source, mark, number(*sets_[r], o.next)});
    }
    add_receives(r, members, moves);
  }

  void add_receives(role_id r, const std::vector<std::uint32_t>& members, std::vector<liberal_machine::move>& moves) {
    const auto takes_anything = [&](std::uint32_t local) { return receives(r, local).size() < 2; };
    if (std::all_of(members.begin(), members.end(), takes_anything)) {
      add_receive(r, members, liberal_machine::any_mark, moves);
    } else {
      for (const auto mark : arriving_[r]) add_receive(r, members, mark, moves);
    }
  }

  // One receive takes whatever comes; of several, the one whose source is a state that the message may have led to.
  void add_receive(role_id r, const std::vector<std::uint32_t>& members, std::uint32_t mark,
                   std::vector<liberal_machine::move>& moves) {
    std::set<std::uint32_t> next;
    const liberal_projection::step* first = nullptr;
    for (const auto local : members) {
      const auto all = receives(r, local);
      for (const auto* step : all) {
        if (all.size() > 1 && !leads_to(mark, step->source)) continue;
        if (first == nullptr) first = step;
        next.insert(step->next);
      }
    }
    if (first != nullptr) moves.push_back({first->action, first->source, mark, number(*sets_[r], next)});
  }

  bool leads_to(std::uint32_t mark, state_id target) const {
    const auto targets = marks_[mark];
    return std::find(targets.begin(), targets.end(), target) != targets.end();
  }

  std::vector<const liberal_projection::step*> receives(role_id r, std::uint32_t local) const {
    std::vector<const liberal_projection::step*> result;
    for (const auto& step : projections_[r].steps[local]) {
      if (is_receive(step)) result.push_back(&step);
    }
    return result;
  }

  bool is_receive(const liberal_projection::step& step) const {
    return names_.actions()[step.action].kind == action_kind::receive;
  }

  std::span<const liberal_projection> projections_;
  const alphabet& names_;
  std::size_t max_states_;
  std::vector<std::unique_ptr<word_table>> sets_;  // by role: sets of local states
  word_table marks_;                               // sets of states of the definition
  std::vector<std::set<std::uint32_t>> arriving_;  // by role: the marks of messages sent to it
  std::vector<liberal_machine> machines_;
};

}  // namespace

std::optional<std::vector<liberal_machine>> liberal_machines(std::span<const liberal_projection> projections,
                                                             const alphabet& names, std::size_t max_states) {
  return construction(projections, names, max_states).run();
}

}  // namespace harrier::protocol::internal
