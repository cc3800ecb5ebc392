// For a role r, a state of its knowledge, and a move m of it: the session's runs from where r has just acted, r
// waiting, are followed step by step; beside each, all runs of the session (`alternatives`) in which the others do the
// same and r's next action is m. Wherever m is possible, there must be an alternative. Then a run of the machines that
// a run of the session explains still has such a run after one more step: docs/protocols.md has the proof. This accepts
// more than certainty.cpp, and its cost is exponential in the roles that wait.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "../lts/word_table.hpp"
#include "knowledge.hpp"

namespace harrier::protocol::internal {
namespace {

using word = std::vector<std::uint32_t>;

// Configurations looked at, for all moves of all roles of a session: some ten seconds of work.
constexpr std::size_t max_effort = 20'000'000;

struct effort_spent {};

class effort {
public:
  explicit effort(const std::function<bool()>& enough) : enough_(enough) {}

  void spend(std::size_t configurations = 1) {
    constexpr std::size_t every = 4096;
    const auto before = spent_;
    spent_ += configurations;
    const bool asks = enough_ && before / every != spent_ / every;
    if (spent_ > max_effort || (asks && enough_())) throw effort_spent();
  }

private:
  const std::function<bool()>& enough_;
  std::size_t spent_ = 0;
};

// One run of the session with some roles waiting, as a word: the state; whether the role's next action is settled to be
// the move (of alternatives); then by role whether it waits; by role the class of the first message from it to the
// waiting role, + 1; and by pair of roles how many messages are really under way.
class configuration {
public:
  configuration(const global_graph& global, role_id waiting)
      : global_(global), waiting_(waiting), roles_(global.roles()) {}

  word start(state_id state) const {
    word w(2 + 2 * roles_ + roles_ * roles_, 0);
    w[0] = state;
    w[blocked(waiting_)] = 1;
    for (role_id from = 0; from < roles_; ++from) {
      for (role_id to = 0; to < roles_; ++to) {
        const auto queue = global_.under_way(state, from, to);
        if (to != waiting_) w[under_way(from, to)] = static_cast<std::uint32_t>(queue.size());
        if (to == waiting_ && !queue.empty()) w[first(from)] = queue.front() + 1;
      }
    }
    return w;
  }

  bool is_own(const transition& t) const { return global_.subject(t) == waiting_; }

  // Goes along `t`. Nothing: the action does not really happen, now or later.
  std::optional<view> follow(word& w, const transition& t) const {
    w[0] = t.target;
    const auto& a = global_.what(global_.seen(t));
    const bool needs_message = a.kind == action_kind::receive && w[under_way(a.from, a.to)] == 0;
    if (w[blocked(a.subject())] != 0 || needs_message) {
      w[blocked(a.subject())] = 1;
      // What cannot be taken any more need not be counted: keeps the configurations finite.
      for (role_id from = 0; from < roles_; ++from) w[under_way(from, a.subject())] = 0;
      return std::nullopt;
    }
    if (a.kind == action_kind::receive) --w[under_way(a.from, a.to)];
    if (a.kind == action_kind::send && w[blocked(a.to)] == 0) ++w[under_way(a.from, a.to)];
    if (a.kind == action_kind::send && a.to == waiting_ && w[first(a.from)] == 0) w[first(a.from)] = a.type + 1;
    return global_.seen(t);
  }

  bool possible(const word& w, view v) const {
    const auto& move = global_.what(v);
    return move.kind != action_kind::receive || w[first(move.from)] == move.type + 1;
  }

private:
  std::size_t blocked(role_id r) const { return 2 + r; }
  std::size_t first(role_id r) const { return 2 + roles_ + r; }
  std::size_t under_way(role_id from, role_id to) const { return 2 + 2 * roles_ + from * roles_ + to; }

  const global_graph& global_;
  role_id waiting_;
  std::size_t roles_;
};

// By state: whether the role's `move` may come next, others acting before.
std::vector<bool> reaching(const global_graph& global, role_id role, view move) {
  std::vector<std::vector<state_id>> predecessors(global.states());
  std::vector<bool> result(global.states(), false);
  std::vector<state_id> stack;
  for (state_id s = 0; s < global.states(); ++s) {
    for (const auto& t : global.steps(s)) {
      if (global.subject(t) != role) predecessors[t.target].push_back(s);
      if (global.seen(t) == move && !result[s]) {
        result[s] = true;
        stack.push_back(s);
      }
    }
  }
  while (!stack.empty()) {
    const auto s = stack.back();
    stack.pop_back();
    for (const auto before : predecessors[s]) {
      if (!result[before]) stack.push_back(before);
      result[before] = true;
    }
  }
  return result;
}

class move_check {
public:
  move_check(const global_graph& global, role_id role, view move, const std::vector<bool>& reaching, effort& spent)
      : global_(global), steps_(global, role), move_(move), reaching_(reaching), effort_(spent) {}

  // What the others do, in a run from `entry` after which the move would be wrong.
  std::optional<std::vector<view>> wrong_from(state_id entry) {
    const auto start = steps_.start(entry);
    add(start, close({alternatives_.number(start)}), 0, std::nullopt);
    for (std::uint32_t i = 0; i < runs_.size(); ++i) {
      effort_.spend();
      const word run(runs_[i].begin(), runs_[i].end());
      const word at(run.begin() + 1, run.end());
      if (steps_.possible(at, move_) && !has_alternative(run[0])) return others_of(i);
      for (const auto& t : global_.steps(at[0])) {
        auto next = at;
        const auto done = steps_.follow(next, t);
        add(next, done ? after(run[0], *done) : run[0], i, done);
      }
    }
    return std::nullopt;
  }

private:
  void add(const word& at, std::uint32_t beside, std::uint32_t from, const std::optional<view>& done) {
    word run{beside};
    run.insert(run.end(), at.begin(), at.end());
    const auto number = runs_.number(run);
    if (number == came_from_.size()) came_from_.emplace_back(from, done);
  }

  // With what may happen without anybody really acting.
  std::uint32_t close(std::set<std::uint32_t> alternatives) {
    std::vector<std::uint32_t> stack(alternatives.begin(), alternatives.end());
    while (!stack.empty()) {
      const word at(alternatives_[stack.back()].begin(), alternatives_[stack.back()].end());
      stack.pop_back();
      effort_.spend();
      for (const auto& t : global_.steps(at[0])) {
        auto next = at;
        if (!may_follow(next, t) || steps_.follow(next, t)) continue;
        const auto number = alternatives_.number(next);
        if (alternatives.insert(number).second) stack.push_back(number);
      }
    }
    const word members(alternatives.begin(), alternatives.end());
    return sets_.number(members);
  }

  // The first action of the role in an alternative is the move.
  bool may_follow(word& at, const transition& t) const {
    if (!steps_.is_own(t) || at[1] == 1) return true;
    at[1] = 1;
    return global_.seen(t) == move_;
  }

  std::uint32_t after(std::uint32_t set, view done) {
    if (const auto found = after_.find({set, done}); found != after_.end()) return found->second;
    std::set<std::uint32_t> next_set;
    const word members(sets_[set].begin(), sets_[set].end());
    effort_.spend(members.size());
    for (const auto member : members) {
      const word at(alternatives_[member].begin(), alternatives_[member].end());
      for (const auto& t : global_.steps(at[0])) {
        auto next = at;
        if (may_follow(next, t) && steps_.follow(next, t) == done) next_set.insert(alternatives_.number(next));
      }
    }
    return after_[{set, done}] = close(std::move(next_set));
  }

  bool has_alternative(std::uint32_t set) const {
    const auto members = sets_[set];
    return std::any_of(members.begin(), members.end(), [&](std::uint32_t member) {
      const auto at = alternatives_[member];
      return at[1] == 1 || reaching_[at[0]];
    });
  }

  std::vector<view> others_of(std::uint32_t run) const {
    std::vector<view> result;
    for (auto i = run; i != 0; i = came_from_[i].first) {
      if (came_from_[i].second) result.push_back(*came_from_[i].second);
    }
    std::reverse(result.begin(), result.end());
    return result;
  }

  const global_graph& global_;
  configuration steps_;
  view move_;
  const std::vector<bool>& reaching_;
  effort& effort_;
  word_table runs_;  // alternatives beside the run, then the run
  word_table alternatives_;
  word_table sets_;
  std::map<std::pair<std::uint32_t, view>, std::uint32_t> after_;
  std::vector<std::pair<std::uint32_t, std::optional<view>>> came_from_;
};

class role_check {
public:
  role_check(const global_graph& global, const knowledge& local, effort& spent)
      : global_(global), local_(local), effort_(spent), entries_(local.states()) {
    entries_[0].insert(0);
    for (std::uint32_t state = 0; state < local.states(); ++state) {
      for (const auto s : local.members(state)) add_entries(state, s);
    }
  }

  std::optional<wrong_run> run() {
    for (std::uint32_t state = 0; state < local_.states(); ++state) {
      if (one_sender(state)) continue;
      for (const auto& m : local_.moves(state)) {
        if (auto found = check(state, m.what)) return found;
      }
    }
    return std::nullopt;
  }

private:
  void add_entries(std::uint32_t state, state_id s) {
    for (const auto& t : global_.steps(s)) {
      if (global_.subject(t) == local_.role()) entries_[local_.after(state, global_.seen(t))].insert(t.target);
    }
  }

  // Then the order of its messages is that of the session, and nothing else can happen to the role.
  bool one_sender(std::uint32_t state) const {
    const auto& moves = local_.moves(state);
    return std::all_of(moves.begin(), moves.end(), [&](const auto& m) {
      const auto& a = global_.what(m.what);
      return a.kind == action_kind::receive && a.from == global_.what(moves[0].what).from;
    });
  }

  const std::vector<bool>& states_reaching(view move) {
    const auto [place, is_new] = reaching_.try_emplace(move);
    if (is_new) place->second = reaching(global_, local_.role(), move);
    return place->second;
  }

  std::optional<wrong_run> check(std::uint32_t state, view move) {
    for (const auto entry : entries_[state]) {
      auto others = move_check(global_, local_.role(), move, states_reaching(move), effort_).wrong_from(entry);
      if (others) return wrong_run{local_.role(), state, move, entry, std::move(*others)};
    }
    return std::nullopt;
  }

  const global_graph& global_;
  const knowledge& local_;
  effort& effort_;
  std::vector<std::set<state_id>> entries_;  // by local state: members in which the role has just acted
  std::map<view, std::vector<bool>> reaching_;
};

}  // namespace

second_look look_again(const global_graph& global, std::span<const knowledge> all,
                       const std::function<bool()>& enough) {
  effort spent(enough);
  try {
    for (const auto& local : all) {
      if (auto found = role_check(global, local, spent).run()) return {false, std::move(found)};
    }
  } catch (const effort_spent&) {
    return {};
  }
  return {true, std::nullopt};
}

}  // namespace harrier::protocol::internal
