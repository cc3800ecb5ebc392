// Send and receive validity, asked of every global state that a role may be in.
#include <algorithm>
#include <deque>
#include <set>

#include <fmt/format.h>

#include <harrier/core/error.hpp>

#include "knowledge.hpp"
#include "word_table.hpp"

namespace harrier::protocol::internal {
namespace {

// What may be first in the queues to `waiting` if it does not act: runs of the session in which roles that would need a
// message that was not sent stop acting, while the rest goes on. Beside each such run, `beside` are the states that the
// session can reach by the same steps, but without `waiting` acting at all; none: the rest went on only because the run
// of the session has steps of `waiting` in it, so a message sent then is early.
class availability {
public:
  availability(const global_graph& global, role_id waiting, state_id start)
      : global_(global), waiting_(waiting), roles_(global.names().roles().size()) {
    // A configuration: state, `beside`, then by role whether it is blocked, whether its first message is known, and by
    // pair of roles how many messages are really under way.
    std::vector<std::uint32_t> word(2 + 2 * roles_ + roles_ * roles_, 0);
    word[0] = start;
    const std::uint32_t itself[] = {start};
    word[1] = beside_.number(itself);
    word[blocked(waiting)] = 1;
    for (role_id from = 0; from < roles_; ++from) {
      for (role_id to = 0; to < roles_; ++to) {
        const auto queue = global.space->under_way(start, from, to);
        if (to != waiting) word[under_way(from, to)] = static_cast<std::uint32_t>(queue.size());
        if (to == waiting && !queue.empty())
          come(word, {action_kind::receive, from, waiting, global.class_of[queue.front()]});
      }
    }
    seen_.number(word);
  }

  available_messages run() {
    for (std::uint32_t i = 0; i < seen_.size(); ++i) {
      if (seen_.size() > 1'000'000) throw error("the session is too large to project");
      const std::vector<std::uint32_t> word(seen_[i].begin(), seen_[i].end());
      for (const auto& t : global_.graph.steps[word[0]]) follow(word, t);
    }
    return std::move(found_);
  }

private:
  std::size_t blocked(role_id r) const { return 2 + r; }
  std::size_t known(role_id r) const { return 2 + roles_ + r; }
  std::size_t under_way(role_id from, role_id to) const { return 2 + 2 * roles_ + from * roles_ + to; }

  void come(std::vector<std::uint32_t>& word, const action& receive) {
    if (word[known(receive.from)] != 0) return;
    word[known(receive.from)] = 1;
    (beside_[word[1]].empty() ? found_.early : found_.in_time).insert(receive);
  }

  void follow(std::vector<std::uint32_t> word, const transition& t) {
    word[0] = t.target;
    const auto a = global_.seen(t);
    if (word[blocked(a.subject())] == 0 && !acts(word, a)) word[blocked(a.subject())] = 1;
    // What cannot be taken any more need not be counted: keeps the configurations finite.
    for (role_id to = 0; to < roles_; ++to) {
      for (role_id from = 0; from < roles_ && word[blocked(to)] != 0; ++from) word[under_way(from, to)] = 0;
    }
    seen_.number(word);
  }

  // Whether the action really happens; false: it needs a message that was not sent.
  bool acts(std::vector<std::uint32_t>& word, const action& a) {
    if (a.kind == action_kind::receive && word[under_way(a.from, a.to)] == 0) return false;
    word[1] = step_beside(word[1], a);
    if (a.kind == action_kind::receive) --word[under_way(a.from, a.to)];
    if (a.kind == action_kind::send) {
      ++word[under_way(a.from, a.to)];
      if (a.to == waiting_) come(word, {action_kind::receive, a.from, a.to, a.type});
    }
    return true;
  }

  std::uint32_t step_beside(std::uint32_t set, const action& a) {
    std::set<std::uint32_t> targets;
    for (const auto s : beside_[set]) {
      for (const auto& t : global_.graph.steps[s]) {
        if (global_.seen(t) == a) targets.insert(t.target);
      }
    }
    const std::vector<std::uint32_t> word(targets.begin(), targets.end());
    return beside_.number(word);
  }

  const global_graph& global_;
  role_id waiting_;
  std::size_t roles_;
  word_table seen_;
  word_table beside_;
  available_messages found_;
};

}  // namespace

validation::validation(const global_graph& global, const knowledge& local)
    : global_(global), local_(local), predecessors_(global.graph.states()) {
  for (state_id s = 0; s < global.graph.states(); ++s) {
    for (const auto& t : global.graph.steps[s]) {
      if (!is_local(t)) predecessors_[t.target].push_back(s);
    }
  }
}

bool validation::is_local(const transition& t) const {
  return global_.names().actions()[t.action].subject() == local_.role;
}

const std::vector<bool>& validation::reaching(const action& what) {
  const auto [place, is_new] = reaching_.try_emplace(what, global_.graph.states(), false);
  auto& result = place->second;
  if (!is_new) return result;
  std::vector<state_id> stack;
  for (state_id s = 0; s < global_.graph.states(); ++s) {
    const auto& out = global_.graph.steps[s];
    result[s] =
        std::any_of(out.begin(), out.end(), [&](const auto& t) { return is_local(t) && global_.seen(t) == what; });
    if (result[s]) stack.push_back(s);
  }
  while (!stack.empty()) {
    const auto s = stack.back();
    stack.pop_back();
    for (const auto before : predecessors_[s]) {
      if (result[before]) continue;
      result[before] = true;
      stack.push_back(before);
    }
  }
  return result;
}

const available_messages& validation::available(state_id state) {
  const auto [place, is_new] = available_.try_emplace(state);
  if (is_new) place->second = availability(global_, local_.role, state).run();
  return place->second;
}

void validation::run(std::vector<projection_problem>& problems, std::vector<projection_problem>& open_ends) {
  for (std::uint32_t local = 0; local < local_.members.size(); ++local) {
    for (const auto& m : local_.moves[local]) {
      if (m.what.kind == action_kind::receive) {
        check_receive(local, m, problems);
      } else {
        check_send(local, m, problems);
      }
    }
    if (problems.empty()) check_end(local, open_ends);
  }
}

void validation::check_send(std::uint32_t local, const knowledge::move& m, std::vector<projection_problem>& problems) {
  const auto& right = reaching(m.what);
  for (const auto s : local_.members[local]) {
    if (right[s]) continue;
    problems.push_back(problem(local, m.what, s, "cannot know whether it may do this"));
    return;
  }
}

void validation::check_receive(std::uint32_t local, const knowledge::move& m,
                               std::vector<projection_problem>& problems) {
  // With one sender, the order of its messages is that of the session.
  const auto& moves = local_.moves[local];
  const bool one_sender = std::all_of(moves.begin(), moves.end(), [&](const auto& other) {
    return other.what.kind == action_kind::receive && other.what.from == m.what.from;
  });
  if (one_sender) return;
  const auto& right = reaching(m.what);
  for (const auto s : local_.members[local]) {
    const auto& come = available(s);
    if (!come.early.contains(m.what) && (right[s] || !come.in_time.contains(m.what))) continue;
    problems.push_back(
        problem(local, m.what, s, "cannot know whether this message is the next to take, or came early"));
    return;
  }
}

void validation::check_end(std::uint32_t local, std::vector<projection_problem>& open_ends) {
  if (local_.moves[local].empty()) return;
  for (const auto s : local_.members[local]) {
    if (!global_.graph.steps[s].empty()) continue;
    open_ends.push_back(
        problem(local, local_.moves[local][0].what, s, "may wait for this although the session has ended"));
    return;
  }
}

std::string validation::describe(const action& seen) const {
  action plain = seen;
  if (plain.type != no_type) plain.type = global_.type_of[plain.type];
  return global_.names().describe(plain);
}

projection_problem validation::problem(std::uint32_t local, const action& what, state_id wrong, std::string message) {
  const auto& members = local_.members[local];
  const auto has_action = [&](state_id s) {
    const auto& out = global_.graph.steps[s];
    return std::any_of(out.begin(), out.end(), [&](const auto& t) { return global_.seen(t) == what; });
  };
  const auto right = std::find_if(members.begin(), members.end(), has_action);
  return {local_.role,
          {},
          fmt::format("`{}`: {} {}", describe(what), global_.names().roles()[local_.role], message),
          run_to(local, *right),
          run_to(local, wrong)};
}

std::vector<std::string> validation::run_to(std::uint32_t local, state_id state) const {
  using place = std::pair<state_id, std::uint32_t>;
  std::map<place, std::pair<place, action>> from;
  std::deque<place> queue{{0, 0}};
  from[{0, 0}] = {{0, 0}, {}};
  const place goal{state, local};
  while (!queue.empty() && !from.contains(goal)) {
    const auto [s, l] = queue.front();
    queue.pop_front();
    for (const auto& t : global_.graph.steps[s]) {
      auto next = l;
      const auto what = global_.seen(t);
      if (is_local(t)) {
        const auto& moves = local_.moves[l];
        next = std::find_if(moves.begin(), moves.end(), [&](const auto& m) { return m.what == what; })->next;
      }
      if (from.try_emplace(place{t.target, next}, place{s, l}, what).second) queue.emplace_back(t.target, next);
    }
  }
  std::vector<std::string> run;
  for (auto at = goal; at != place{0, 0}; at = from.at(at).first) run.push_back(describe(from.at(at).second));
  std::reverse(run.begin(), run.end());
  return run;
}

}  // namespace harrier::protocol::internal
