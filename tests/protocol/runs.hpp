#pragma once

// Runs of sessions and of machines, compared action by action: an oracle that knows a session's definition and no
// projection; and random sessions.

#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <harrier/protocol/checked.hpp>
#include <harrier/protocol/strict.hpp>

#include "support.hpp"

namespace harrier::protocol {

using history = std::vector<std::vector<action>>;  // by role

class runs_of_session {
public:
  explicit runs_of_session(const explored_session& s) : strict_(*s.terms), global_(explore(strict_)) {}

  /// Whether each role does in some run what it does in `done`, and goes on; or, `ended`, does not, and the run ends.
  bool explain(const history& done, bool ended) const {
    using place = std::pair<state_id, std::vector<std::size_t>>;
    std::set<place> seen;
    std::vector<place> stack{{0, std::vector<std::size_t>(done.size(), 0)}};
    while (!stack.empty()) {
      auto [s, at] = stack.back();
      stack.pop_back();
      if (!seen.insert({s, at}).second) continue;
      bool all = true;
      for (std::size_t r = 0; r < done.size(); ++r) all &= at[r] == done[r].size();
      if (all && (!ended || global_.steps[s].empty())) return true;
      for (const auto& t : global_.steps[s]) {
        const auto a = strict_.names().actions()[t.action];
        auto next = at;
        const auto r = a.subject();
        if (at[r] < done[r].size()) {
          if (done[r][at[r]] != a) continue;
          ++next[r];
        } else if (ended) {
          continue;
        }
        stack.emplace_back(t.target, next);
      }
    }
    return false;
  }

  /// What a refusal shows: a run in words, and an action after it.
  history in_history(std::vector<std::string> words, const std::string& last) const {
    words.push_back(last);
    history result(strict_.names().roles().size());
    for (const auto& word : words) {
      const auto& actions = strict_.names().actions();
      const auto a = std::find_if(actions.begin(), actions.end(),
                                  [&](const action& b) { return strict_.names().describe(b) == word; });
      if (a == actions.end()) throw std::runtime_error("no action is called " + word);
      result[a->subject()].push_back(*a);
    }
    return result;
  }

  const state_graph& graph() const { return global_; }
  const alphabet& names() const { return strict_.names(); }

private:
  strict_space strict_;
  state_graph global_;
};

// Every run of the machines up to a length must be for each role a beginning of what it does in some run of the
// session; and where the machines are stuck, nothing waits and the session can have ended.
class runs_of_machines {
public:
  runs_of_machines(const runs_of_session& session, const checked_projection& projection, std::size_t length)
      : session_(session), space_(projection, 3), length_(length) {
    visit(0, history(projection.names.roles().size()), 0);
  }

  std::string failure;

private:
  void visit(state_id state, const history& done, std::size_t depth) {
    if (!failure.empty() || !seen_.insert(done).second) return;
    const auto found = space_.steps(state);
    const std::vector<transition> steps(found.begin(), found.end());
    const bool stuck = steps.empty();
    if (!session_.explain(done, stuck)) failure = describe(done) + (stuck ? " (stuck)" : "");
    if (stuck && space_.pending(state)) failure = describe(done) + " (a message waits for ever)";
    if (depth == length_) return;
    for (const auto& t : steps) {
      auto next = done;
      const auto a = space_.names().actions()[t.action];
      next[a.subject()].push_back(a);
      visit(t.target, next, depth + 1);
    }
  }

  std::string describe(const history& done) const {
    std::string text;
    for (const auto& role : done) {
      for (const auto& a : role) text += space_.names().describe(a) + "; ";
    }
    return text;
  }

  const runs_of_session& session_;
  checked_space space_;
  std::size_t length_;
  std::set<history> seen_;
};

// Every run of the session up to a length must be one of the machines, in the same order.
class runs_lost {
public:
  runs_lost(const runs_of_session& session, const checked_projection& projection, std::size_t length)
      : session_(session), space_(projection) {
    visit(0, {0}, length, "");
  }

  std::string failure;

private:
  // Machines may reach several states by the same run, with other marks.
  void visit(state_id state, const std::set<state_id>& machines, std::size_t length, const std::string& run) {
    if (!failure.empty() || length == 0 || !seen_.insert({state, machines, length}).second) return;
    for (const auto& t : session_.graph().steps[state]) {
      const auto what = session_.names().describe(session_.names().actions()[t.action]);
      std::set<state_id> next;
      for (const auto m : machines) {
        for (const auto& step : space_.steps(m)) {
          if (space_.names().describe(space_.names().actions()[step.action]) == what) next.insert(step.target);
        }
      }
      if (next.empty()) failure = run + what;
      visit(t.target, next, length - 1, run + what + "; ");
    }
  }

  const runs_of_session& session_;
  checked_space space_;
  std::set<std::tuple<state_id, std::set<state_id>, std::size_t>> seen_;
};

class random_protocol {
public:
  /// Three roles, one of which there are many, and a session that is called.
  struct names {
    const char* roles[3] = {"::a", "::b", "::c"};
    std::string many = "::v";
    std::string again = "::again";
  };

  explicit random_protocol(unsigned seed) : random_(seed) {}
  random_protocol(unsigned seed, names with) : random_(seed), names_(std::move(with)) {}

  std::string definition() {
    const auto before = called();
    return before + session_p(term(3));
  }

  /// What `term` needs.
  std::string called() {
    const auto goes_on = message();
    return "(s/defrole " + names_.many + ") (s/defsession " + names_.again + " [n] (s/if (> n 0) [" + goes_on + " (" +
           names_.again + " (dec n))] " + message() + "))";
  }

  std::string term(int depth) {
    const auto kind = depth == 0 ? 0 : pick(10);
    if (kind < 3) return message();
    if (kind < 5) return "(s/cat " + term(depth - 1) + " " + term(depth - 1) + ")";
    if (kind < 7) return "(s/alt " + term(depth - 1) + " " + term(depth - 1) + ")";
    if (kind == 7) return "(s/par " + term(depth - 1) + " " + term(depth - 1) + ")";
    if (kind == 8) return "(s/* " + term(depth - 1) + " " + term(depth - 1) + ")";
    const auto one = "(" + names_.many + " i)";
    const std::string answers[] = {"(-->> U " + one + " " + names_.roles[0] + ")",
                                   "(-->> U " + one + " " + names_.roles[1] + ")", "(" + names_.again + " i)"};
    return std::string("(s/par-every [i (range 2)] (s/cat (-->> T ") + names_.roles[0] + " " + one + ") " +
           answers[pick(3)] + "))";
  }

private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string message() {
    const auto from = pick(3);
    const auto to = (from + 1 + pick(2)) % 3;
    return std::string("(-->> ") + (pick(3) == 0 ? "U " : "T ") + names_.roles[from] + " " + names_.roles[to] + ")";
  }

  std::mt19937 random_;
  names names_;
};

// Stops what takes long, by steps and not by time, so that each run of the test does the same.
inline projection_watch patience(int questions = 1000) {
  return {[asked = 0, questions]() mutable { return ++asked > questions; }, {}, {0, proof_limits().mebibytes}};
}

// However long a proof takes on a busy machine.
inline projection_watch without_a_clock() { return {{}, {}, {0, proof_limits().mebibytes}}; }

}  // namespace harrier::protocol
