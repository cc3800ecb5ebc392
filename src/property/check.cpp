// The check of many formulas on one state space, part by part.
//
// Invariant: a run of a part is a run of the whole, for a state on the rim of the part is not taken for one without
// steps. So a violation found in a part is final, and "holds" is said only if no search reached the rim.
//
// Parts are breadth-first prefixes of fixed sizes; so the verdict on one formula depends on nothing else.
#include <harrier/property/check.hpp>

#include <algorithm>
#include <memory>
#include <utility>

#include <harrier/property/word.hpp>

#include "alphabet.hpp"
#include "emptiness.hpp"
#include "lasso.hpp"
#include "normal_form.hpp"
#include "product.hpp"
#include "tgba.hpp"

namespace harrier {
namespace {

using namespace internal;

constexpr std::size_t first_part = 64;
constexpr std::size_t growth = 4;

/// One formula while it is checked: the automaton of its negation lives on from part to part.
struct task {
  const formula* property;
  std::vector<std::size_t> propositions;
  term_store terms;
  tgba violations;
  verdict result;
  bool is_done = false;

  task(const formula& f, alphabet& labels, run_ends ends)
      : property(&f), terms(ends != run_ends::finite), violations(terms, add_normal_form(terms, f, true)) {
    for (const auto& atom : f.atoms()) propositions.push_back(labels.index_of(atom));
  }
  task(const task&) = delete;
  task& operator=(const task&) = delete;
};

/// A lasso of `space`'s numbers becomes one of the model's.
lasso in_model_numbers(lasso found, const state_space& space) {
  for (auto* steps : {&found.prefix, &found.cycle}) {
    for (auto& step : *steps) step.target = space.model_id(step.target);
  }
  return found;
}

struct conclusion {
  product& runs;
  const state_space& space;
  verdict& result;

  bool violated(lasso run) {
    result.holds = false;
    result.counterexample = in_model_numbers(std::move(run), space);
    return true;
  }
  /// @return whether the verdict is final, given this part.
  bool operator()(const nothing_accepted&) {
    if (runs.has_left_part()) return false;
    result.holds = true;
    return true;
  }
  bool operator()(const too_many_pairs&) {
    result.limit = check_limit::pairs;
    return true;
  }
  bool operator()(const stopped_search&) {
    result.limit = check_limit::stopped;
    return true;
  }
  bool operator()(const accepted_stop&) { return violated(shortest_finite(runs, space)); }
  bool operator()(const accepted_beginning&) { return violated(shortest_finite(runs, space)); }
  bool operator()(const accepted_component& found) { return violated(short_lasso(runs, space, found)); }
};

/// @return whether the verdict on `t` is final.
bool check_part(task& t, const state_space& space, std::size_t limit, alphabet& labels, const check_options& options) {
  try {
    product runs(space, limit, labels, t.propositions, t.violations, options.ends, options.fair);
    return std::visit(conclusion{runs, space, t.result}, find_accepted(runs, options.max_pairs, options.enough));
  } catch (const automaton_too_large&) {
    t.result.limit = check_limit::automaton;
    return true;
  }
}

/// The one run of a system that cannot move is the empty word, of which automata know nothing.
bool check_empty_run(task& t, const state_space& space, run_ends ends) {
  if (ends != run_ends::finite || space.expanded() == 0 || !space.steps(0).empty()) return false;
  t.result.holds = monitor_on_word(*t.property, {}, word_end::stopped);
  if (!*t.result.holds) t.result.counterexample = lasso{{}, {}, lasso_end::stop};
  return true;
}

}  // namespace

std::vector<verdict> check(state_space& space, std::span<const formula> formulas, const check_options& options) {
  alphabet labels(space.source());
  std::vector<std::unique_ptr<task>> tasks;
  for (const auto& f : formulas) tasks.push_back(std::make_unique<task>(f, labels, options.ends));

  const auto is_open = [](const auto& t) { return !t->is_done; };
  for (auto limit = first_part; std::any_of(tasks.begin(), tasks.end(), is_open); limit *= growth) {
    const bool is_last = options.max_states != 0 && limit >= options.max_states;
    if (is_last) limit = options.max_states;
    space.explore(limit);
    for (const auto& t : tasks) {
      if (t->is_done) continue;
      t->is_done = check_empty_run(*t, space, options.ends) || check_part(*t, space, limit, labels, options);
      if (is_last && !t->is_done) {
        t->result.limit = check_limit::states;
        t->is_done = true;
      }
    }
  }

  std::vector<verdict> verdicts;
  for (const auto& t : tasks) verdicts.push_back(std::move(t->result));
  return verdicts;
}

std::vector<verdict> check(model& source, std::span<const formula> formulas, const check_options& options) {
  state_space space(source);
  return check(space, formulas, options);
}

}  // namespace harrier
