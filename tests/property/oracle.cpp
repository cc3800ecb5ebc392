#include "oracle.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace harrier::test {
namespace {

/// The truth of the subformulas of one formula along one word, by definition.
class evaluation {
public:
  evaluation(const word& w, const formula& f) : word_(w), formula_(f), known_(w.read.size() * f.nodes().size()) {}

  bool at(std::size_t node, std::size_t i) const {
    auto& known = known_[node * word_.read.size() + i];
    if (!known) known = by_definition(node, i);
    return *known;
  }

private:
  using test = std::function<bool(std::size_t)>;
  using distance = std::optional<std::size_t>;

  bool by_definition(std::size_t node, std::size_t i) const {
    const auto& n = formula_.nodes()[node];
    const auto a = [&](std::size_t j) { return at(n.left, j); };
    const auto b = [&](std::size_t j) { return at(n.right, j); };
    switch (n.op) {
      case ltl_operator::constant_true: return true;
      case ltl_operator::constant_false: return false;
      case ltl_operator::atom: return word_.read.at(i).contains(formula_.atoms()[n.left]);
      case ltl_operator::negation: return !a(i);
      case ltl_operator::conjunction: return a(i) && b(i);
      case ltl_operator::disjunction: return a(i) || b(i);
      case ltl_operator::implication: return !a(i) || b(i);
      case ltl_operator::equivalence: return a(i) == b(i);
      case ltl_operator::exclusive_or: return a(i) != b(i);
      case ltl_operator::next: return after(i) && a(*after(i));
      case ltl_operator::eventually: return first(i, a).has_value();
      case ltl_operator::always: return !first(i, not_(a)).has_value();
      case ltl_operator::until: return first(i, b) && !earlier(first(i, not_(a)), first(i, b));
      case ltl_operator::weak_until: return !first(i, not_(a)) || at_most(first(i, b), first(i, not_(a)));
      case ltl_operator::release: return !first(i, not_(b)) || earlier(first(i, a), first(i, not_(b)));
      case ltl_operator::strong_release: return first(i, a) && !at_most(first(i, not_(b)), first(i, a));
    }
    return false;
  }

private:
  static test not_(test t) {
    return [t](std::size_t i) { return !t(i); };
  }
  std::optional<std::size_t> after(std::size_t i) const {
    return i + 1 < word_.read.size() ? std::optional(i + 1) : word_.loop;
  }
  /// In how many letters from `i` on the test first succeeds.
  distance first(std::size_t i, const test& t) const {
    std::optional<std::size_t> here = i;
    for (std::size_t d = 0; d <= word_.read.size() && here; ++d, here = after(*here)) {
      if (t(*here)) return d;
    }
    return std::nullopt;
  }
  static bool earlier(distance x, distance y) { return x && (!y || *x < *y); }
  static bool at_most(distance x, distance y) { return x && (!y || *x <= *y); }

  const word& word_;
  const formula& formula_;
  mutable std::vector<std::optional<bool>> known_;  // by node and position
};

bool is_fair(const run& r, const listed_model& m) {
  if (!r.loop) return true;
  std::set<model_role> roles;
  for (const auto& label : m.labels()) roles.insert(label.roles.begin(), label.roles.end());
  const auto acts = [&](model_role role, const model_step& step) {
    const auto& acting = m.labels()[step.label].roles;
    return std::find(acting.begin(), acting.end(), role) != acting.end();
  };
  return std::all_of(roles.begin(), roles.end(), [&](model_role role) {
    for (auto i = *r.loop; i < r.steps.size(); ++i) {
      const auto source = i == 0 ? 0 : r.steps[i - 1].target;
      const auto& steps = m.states()[source];
      if (acts(role, r.steps[i])) return true;
      if (std::none_of(steps.begin(), steps.end(), [&](const auto& s) { return acts(role, s); })) return true;
    }
    return false;
  });
}

}  // namespace

bool satisfies(const word& w, const formula& f) {
  if (!w.read.empty()) return evaluation(w, f).at(f.nodes().size() - 1, 0);
  // The empty word: there is no first letter, hence no proposition, no "next" and no "eventually".
  std::vector<bool> value;
  for (const auto& n : f.nodes()) {
    switch (n.op) {
      case ltl_operator::constant_true:
      case ltl_operator::always:
      case ltl_operator::weak_until:
      case ltl_operator::release: value.push_back(true); break;
      case ltl_operator::negation: value.push_back(!value[n.left]); break;
      case ltl_operator::conjunction: value.push_back(value[n.left] && value[n.right]); break;
      case ltl_operator::disjunction: value.push_back(value[n.left] || value[n.right]); break;
      case ltl_operator::implication: value.push_back(!value[n.left] || value[n.right]); break;
      case ltl_operator::equivalence: value.push_back(value[n.left] == value[n.right]); break;
      case ltl_operator::exclusive_or: value.push_back(value[n.left] != value[n.right]); break;
      default: value.push_back(false);
    }
  }
  return value.back();
}

std::vector<run> runs_up_to(std::size_t length, const listed_model& m, const check_options& options) {
  std::vector<run> found;
  run current;
  const auto state_before = [&](std::size_t i) { return i == 0 ? 0 : current.steps[i - 1].target; };
  const auto keep = [&](run r) {
    if (counts(r, m, options)) found.push_back(std::move(r));
  };
  const std::function<void()> extend = [&] {
    const auto here = state_before(current.steps.size());
    for (std::size_t i = 0; i < current.steps.size(); ++i) {
      if (state_before(i) == here) keep({current.steps, i, false});
    }
    if (m.states()[here].empty()) keep({current.steps, std::nullopt, options.ends == run_ends::stutter});
    if (current.steps.size() == length) return;
    for (const auto& step : m.states()[here]) {
      current.steps.push_back(step);
      extend();
      current.steps.pop_back();
    }
  };
  extend();
  return found;
}

word word_of(const run& r, const listed_model& m) {
  word w{{}, r.loop};
  for (const auto& step : r.steps) w.read.push_back(m.labels()[step.label].propositions);
  if (r.stutters) {
    w.loop = w.read.size();
    w.read.emplace_back();
  }
  return w;
}

namespace {

void go_on_in_some_way(run& r, const listed_model& m, run_ends ends) {
  model_state at = r.steps.empty() ? 0 : r.steps.back().target;
  std::map<model_state, std::size_t> seen;
  while (!m.states()[at].empty()) {
    const auto [place, is_new] = seen.try_emplace(at, r.steps.size());
    if (!is_new) {
      r.loop = place->second;
      return;
    }
    r.steps.push_back(m.states()[at].front());
    at = r.steps.back().target;
  }
  r.stutters = ends == run_ends::stutter;
}

}  // namespace

run run_of(const lasso& l, const listed_model& m, run_ends ends) {
  run r{l.prefix, std::nullopt, l.end == lasso_end::stutter};
  if (l.end == lasso_end::cycle) r.loop = l.prefix.size();
  r.steps.insert(r.steps.end(), l.cycle.begin(), l.cycle.end());
  if (l.end == lasso_end::any) go_on_in_some_way(r, m, ends);
  return r;
}

bool counts(const run& r, const listed_model& m, const check_options& options) {
  model_state at = 0;
  std::vector<model_state> before;
  for (const auto& step : r.steps) {
    const auto& steps = m.states().at(at);
    if (std::find(steps.begin(), steps.end(), step) == steps.end()) return false;
    before.push_back(at);
    at = step.target;
  }
  if (r.loop) return *r.loop < r.steps.size() && before[*r.loop] == at && (!options.fair || is_fair(r, m));
  if (!m.states().at(at).empty()) return false;
  return options.ends == (r.stutters ? run_ends::stutter : run_ends::finite);
}

std::size_t below(std::mt19937& random, std::size_t bound) { return random() % bound; }

formula random_formula(std::mt19937& random, std::size_t operators) {
  using enum ltl_operator;
  constexpr ltl_operator unary[] = {negation, next, next, eventually, always};
  constexpr ltl_operator binary[] = {conjunction, disjunction, implication, equivalence,    exclusive_or,
                                     until,       weak_until,  release,     strong_release, until};
  if (operators == 0) {
    if (below(random, 12) == 0) return formula::truth(below(random, 2) == 0);
    return formula::proposition(std::string(1, static_cast<char>('a' + below(random, 3))));
  }
  const auto kind = below(random, 10);
  if (kind < 4) return formula::unary(unary[below(random, 5)], random_formula(random, operators - 1));
  if (kind == 4) {  // what needs acceptance marks
    const auto inner = random_formula(random, operators - 1);
    return below(random, 2) == 0 ? formula::unary(always, formula::unary(eventually, inner))
                                 : formula::unary(eventually, formula::unary(always, inner));
  }
  const auto left = below(random, operators);
  const auto a = random_formula(random, left);
  const auto b = random_formula(random, operators - 1 - left);
  return formula::binary(binary[below(random, 10)], a, b);
}

std::set<std::string> random_letter(std::mt19937& random) {
  std::set<std::string> letter;
  for (const auto* name : {"a", "b", "c"}) {
    if (below(random, 2) == 0) letter.insert(name);
  }
  return letter;
}

listed_model random_system(std::mt19937& random, std::size_t states, std::size_t min_steps, std::size_t max_steps) {
  std::vector<action> labels;
  for (int i = 0; i < 6; ++i) {
    action a{random_letter(random), {}};
    if (below(random, 5) > 0) a.roles.push_back(static_cast<model_role>(below(random, 2)));
    if (below(random, 8) == 0) a.roles = {0, 1};
    labels.push_back(std::move(a));
  }
  std::vector<std::vector<model_step>> steps(states);
  for (auto& list : steps) {
    for (auto count = min_steps + below(random, max_steps - min_steps + 1); count > 0; --count) {
      list.push_back(
          {static_cast<model_label>(below(random, labels.size())), static_cast<model_state>(below(random, states))});
    }
  }
  return {std::move(labels), std::move(steps)};
}

}  // namespace harrier::test
