// A role's send is certain to come in a state of the session if it is possible there, or if another role can go first
// and the send is certain to come whatever that role does. A role can go first where the session can at once do
// whatever the role's machine may do: sends and closes, each of them, and a receive from each sender from which the
// machine may take something. If every send of every machine is certain to come wherever its role may be, each run of
// the machines can be rebuilt as a run of the session: docs/protocols.md has the proof.
#include <algorithm>
#include <tuple>
#include <utility>

#include "knowledge.hpp"

namespace harrier::protocol::internal {
namespace {

// What a role can do somewhere: sends and closes, and senders it receives from.
struct choices {
  std::uint32_t own = 0;
  std::uint32_t senders = 0;
  friend bool operator==(const choices&, const choices&) = default;
};

choices count_of(const global_graph& global, std::vector<view> possible) {
  std::sort(possible.begin(), possible.end());
  possible.erase(std::unique(possible.begin(), possible.end()), possible.end());
  choices result;
  std::vector<role_id> senders;
  for (const auto v : possible) {
    const auto& a = global.what(v);
    if (a.kind == action_kind::receive) senders.push_back(a.from);
    if (a.kind != action_kind::receive) ++result.own;
  }
  std::sort(senders.begin(), senders.end());
  result.senders = static_cast<std::uint32_t>(std::unique(senders.begin(), senders.end()) - senders.begin());
  return result;
}

// By state of the session and role: whether the role can go first there, whatever it has done before.
class readiness {
public:
  readiness(const global_graph& global, std::span<const knowledge> all)
      : roles_(global.roles()), ready_(global.states() * roles_, true) {
    for (const auto& local : all) look_at(global, local);
  }

  bool operator()(state_id s, role_id r) const { return ready_[s * roles_ + r]; }

private:
  void look_at(const global_graph& global, const knowledge& local) {
    std::vector<choices> here(global.states());
    std::vector<view> possible;
    for (state_id s = 0; s < global.states(); ++s) {
      possible.clear();
      for (const auto& t : global.steps(s)) {
        if (global.subject(t) == local.role()) possible.push_back(global.seen(t));
      }
      here[s] = count_of(global, possible);
      if (possible.empty()) ready_[s * roles_ + local.role()] = false;
    }
    for (std::uint32_t state = 0; state < local.states(); ++state) {
      possible.clear();
      for (const auto& m : local.moves(state)) possible.push_back(m.what);
      const auto known = count_of(global, possible);
      for (const auto s : local.members(state)) {
        if (here[s] != known) ready_[s * roles_ + local.role()] = false;
      }
    }
  }

  std::size_t roles_;
  std::vector<bool> ready_;
};

// The members of one local state, and how the session goes on among them while the role waits. By number of the member.
class waiting {
public:
  waiting(const global_graph& global, const readiness& ready, const knowledge& local,
          std::vector<std::uint32_t>& number_of)
      : global_(global), ready_(ready), local_(local), number_of_(number_of) {}

  void look_at(std::uint32_t state) {
    members_ = local_.members(state);
    for (std::uint32_t i = 0; i < members_.size(); ++i) number_of_[members_[i]] = i;
    first_.clear();
    moves_.clear();
    ways_.assign(members_.size(), {});
    for (std::uint32_t i = 0; i < members_.size(); ++i) add_roles(i);
  }

  // A member in which `v` is not certain to come.
  std::optional<state_id> without(view v) {
    std::vector<bool> certain(members_.size(), false);
    std::vector<bool> taken(moves_.size(), false);
    std::vector<std::uint32_t> left;
    for (const auto& f : first_) left.push_back(f.moves);
    std::vector<std::uint32_t> stack;
    const auto add = [&](std::uint32_t i) {
      if (!certain[i]) stack.push_back(i);
      certain[i] = true;
    };
    for (std::uint32_t i = 0; i < members_.size(); ++i) {
      if (global_.offers(members_[i], v)) add(i);
    }
    while (!stack.empty()) {
      const auto at = stack.back();
      stack.pop_back();
      for (const auto m : ways_[at]) {
        if (taken[m]) continue;
        taken[m] = true;
        if (--left[moves_[m]] == 0) add(first_[moves_[m]].member);
      }
    }
    const auto found = std::find(certain.begin(), certain.end(), false);
    if (found == certain.end()) return std::nullopt;
    return members_[static_cast<std::size_t>(found - certain.begin())];
  }

private:
  // A role that can go first in a member, and how many moves it has there.
  struct first {
    std::uint32_t member;
    std::uint32_t moves;
  };

  void add_roles(std::uint32_t i) {
    std::vector<std::tuple<role_id, view, std::uint32_t>> steps;
    for (const auto& t : global_.steps(members_[i])) {
      const auto r = global_.subject(t);
      if (r != local_.role() && ready_(members_[i], r)) steps.emplace_back(r, global_.seen(t), number_of_[t.target]);
    }
    std::sort(steps.begin(), steps.end());
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const auto& [role, what, target] = steps[k];
      const bool same_role = k != 0 && std::get<0>(steps[k - 1]) == role;
      if (!same_role) first_.push_back({i, 0});
      if (!same_role || std::get<1>(steps[k - 1]) != what) {
        ++first_.back().moves;
        moves_.push_back(static_cast<std::uint32_t>(first_.size() - 1));
      }
      ways_[target].push_back(static_cast<std::uint32_t>(moves_.size() - 1));
    }
  }

  const global_graph& global_;
  const readiness& ready_;
  const knowledge& local_;
  std::vector<std::uint32_t>& number_of_;  // by state of the session
  std::span<const state_id> members_;
  std::vector<first> first_;
  std::vector<std::uint32_t> moves_;              // whose, in `first_`
  std::vector<std::vector<std::uint32_t>> ways_;  // by member: the moves that lead to it
};

class certainty {
public:
  certainty(const global_graph& global, std::span<const knowledge> all)
      : global_(global), ready_(global, all), number_of_(global.states(), 0) {}

  void add_wrong_moves(const knowledge& local, std::uint32_t state, std::vector<wrong_run>& found) {
    const auto everywhere = possible_everywhere(local, state);
    waiting others(global_, ready_, local, number_of_);
    bool looked = false;
    for (std::size_t m = 0; m < everywhere.size(); ++m) {
      const auto what = local.moves(state)[m].what;
      if (everywhere[m] || global_.what(what).kind == action_kind::receive) continue;
      if (!std::exchange(looked, true)) others.look_at(state);
      if (const auto where = others.without(what)) found.push_back({local.role(), state, what, *where, {}});
    }
  }

private:
  std::vector<bool> possible_everywhere(const knowledge& local, std::uint32_t state) const {
    std::vector<std::size_t> count(local.moves(state).size(), 0);
    std::vector<view> here;
    for (const auto s : local.members(state)) {
      here.clear();
      for (const auto& t : global_.steps(s)) {
        if (global_.subject(t) == local.role()) here.push_back(global_.seen(t));
      }
      std::sort(here.begin(), here.end());
      here.erase(std::unique(here.begin(), here.end()), here.end());
      std::size_t m = 0;
      for (const auto v : here) {
        while (local.moves(state)[m].what != v) ++m;  // both are sorted
        ++count[m];
      }
    }
    std::vector<bool> result;
    for (const auto n : count) result.push_back(n == local.members(state).size());
    return result;
  }

  const global_graph& global_;
  readiness ready_;
  std::vector<std::uint32_t> number_of_;
};

}  // namespace

std::optional<std::vector<wrong_run>> moves_not_certain(const global_graph& global, std::span<const knowledge> all,
                                                        const std::function<bool()>& enough) {
  certainty check(global, all);
  std::vector<wrong_run> result;
  for (const auto& local : all) {
    for (std::uint32_t state = 0; state < local.states(); ++state) {
      if (enough && enough()) return std::nullopt;
      check.add_wrong_moves(local, state, result);
    }
  }
  return result;
}

}  // namespace harrier::protocol::internal
