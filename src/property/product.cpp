// The product of a part of a state space and an automaton.
//
// Weak fairness of a role r is one more mark: an edge carries F_r iff r acts in it, or r could not act in its source.
// A run that sees F_r for ever again is one in which r acts infinitely often or is infinitely often unable to: what
// weak fairness says. It is looked at in the cycle itself, not in the component around it.
//
// Stuttering is a loop of the empty letter at every state without steps. No role can act there: it carries every F_r.
#include "product.hpp"

#include <algorithm>
#include <utility>

namespace harrier::internal {

product::product(const state_space& space, std::size_t limit, alphabet& labels, std::vector<std::size_t> propositions,
                 tgba& automaton, run_ends ends, bool fair)
    : space_(space),
      limit_(std::min(limit, space.expanded())),
      labels_(labels),
      propositions_(std::move(propositions)),
      automaton_(automaton),
      ends_(ends),
      fair_(fair),
      all_marks_(mark_set::below(automaton.marks())),
      empty_letter_(automaton.letter_of(std::vector<bool>(propositions_.size()))) {
  if (fair_) number_roles();
  pairs_.number({0, automaton_.initial()});
}

void product::number_roles() {
  const auto take = [&](const std::vector<model_role>& roles) { role_marks_ |= marks_of(roles); };
  for (model_state s = 0; is_in_part(s); ++s) {
    for (const auto& step : space_.steps(s)) {
      if (step.label >= acting_marks_.size()) acting_marks_.resize(std::size_t{step.label} + 1);
      auto& known = acting_marks_[step.label];
      if (known) continue;
      const auto roles = space_.source().acting(step.label);
      known = marks_of(roles);
      take(roles);
    }
    if (const auto enabled = space_.source().enabled(space_.model_id(s))) take(*enabled);
  }
  all_marks_ |= role_marks_;
  idle_marks_.resize(limit_);
}

mark_set product::marks_of(const std::vector<model_role>& roles) const {
  mark_set marks;
  for (const auto role : roles) marks.insert(automaton_.marks() + role);
  return marks;
}

/// The marks of the roles that cannot act in `s`.
const mark_set& product::idle_marks(model_state s) {
  auto& known = idle_marks_[s];
  if (!known) {
    known = role_marks_;
    if (const auto enabled = space_.source().enabled(space_.model_id(s))) {
      *known -= marks_of(*enabled);
    } else {
      for (const auto& step : space_.steps(s)) *known -= *acting_marks_[step.label];
    }
  }
  return *known;
}

tgba::letter product::letter_of(model_label label) {
  if (letters_.size() <= label) letters_.resize(std::size_t{label} + 1);
  auto& known = letters_[label];
  if (!known) {
    std::vector<bool> truth;
    truth.reserve(propositions_.size());
    for (const auto proposition : propositions_) truth.push_back(labels_.holds(label, proposition));
    known = automaton_.letter_of(truth);
  }
  return *known;
}

void product::expand_step(const pair_table::pair& from, std::uint32_t step, tgba::letter by, const mark_set& fairness,
                          model_state target, std::vector<edge>& out) {
  for (const auto& choice : automaton_.edges(from.second, by)) {
    auto marks = choice.marks;
    if (fair_) marks |= fairness;
    out.push_back({pairs_.number({target, choice.target}), step, std::move(marks)});
  }
}

void product::expand(pair from, std::vector<edge>& out) {
  const auto source = pairs_[from];
  const auto state = source.first;
  if (!is_in_part(state)) {
    has_left_part_ = true;
    return;
  }
  const auto steps = space_.steps(state);
  if (steps.empty() && ends_ == run_ends::stutter) expand_step(source, stutter, empty_letter_, role_marks_, state, out);
  mark_set fairness;
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    if (fair_) {
      fairness = idle_marks(state);
      fairness |= *acting_marks_[steps[i].label];
    }
    expand_step(source, i, letter_of(steps[i].label), fairness, steps[i].target, out);
  }
}

bool product::accepts_all(pair p) const {
  // Under `ignore` no infinite run may go on from here. Under fairness one does, unless a model names roles as able to
  // act that have no step; so fair runs are always found in full.
  return ends_ != run_ends::ignore && !fair_ && automaton_.accepts_all(pairs_[p].second);
}

bool product::accepts_stop(pair p) const {
  const auto& at = pairs_[p];
  return ends_ == run_ends::finite && is_in_part(at.first) && space_.steps(at.first).empty() &&
         automaton_.may_end(at.second);
}

}  // namespace harrier::internal
