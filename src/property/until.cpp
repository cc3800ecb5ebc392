#include <harrier/property/until.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/property/ltl_monitor.hpp>

#include "lower.hpp"

namespace harrier {
namespace {

/// What a formula says of the actions of one actor, which is all that it looks at.
class formula_of_actor {
public:
  /// @param known  what has read it, so that it is one
  formula_of_actor(std::string_view text, const ltl_monitor& known)
      : known_(known), formula_(*parse_formula(text).value) {
    for (const auto& atom : formula_.atoms()) {
      propositions_.push_back(*parse_actor_proposition(atom));
      if (!propositions_.back().actor.empty()) actor_ = propositions_.back().actor;
    }
  }

  void check(const system& initial) const {
    const auto why = known_.order_dependence(initial);
    if (!why.empty()) throw error("executions are followed until what one actor does: " + why);
    if (actor_.empty())
      throw error("executions are followed until what one actor does, and " + known_.text() + " is about none");
  }

  /// Whether what actor `a` did so far is enough. Actions of others can be left out: check() has seen to that.
  [[nodiscard]] bool is_certain(const system& s, actor_slot a) const {
    if (internal::lower(s.actor_name(a)) != actor_) return false;
    return monitor_on_word(formula_, word_of(s, a), word_end::truncated) == std::optional(true);
  }

private:
  [[nodiscard]] std::vector<letter> word_of(const system& s, actor_slot a) const {
    std::vector<step_index> steps;
    for (auto i = s.actor_at(a).last_step; i != no_step; i = s.step_at(i).previous) steps.push_back(i);
    std::reverse(steps.begin(), steps.end());
    std::vector<actor_action> actions;
    for (const auto i : steps) append_actions(s, i, actions);
    std::vector<letter> word;
    for (const auto& action : actions) {
      word.emplace_back();
      for (const auto& p : propositions_) word.back().push_back(p.holds(s, action));
    }
    return word;
  }

  ltl_monitor known_;
  formula formula_;
  std::vector<actor_proposition> propositions_;  // of the formula's atoms, in their order
  std::string actor_;                            // in lower case
};

}  // namespace

specification follow_until_formula(std::string_view formula) {
  const ltl_monitor known(formula);
  const auto of = std::make_shared<const formula_of_actor>(formula, known);
  return follow_until(known.text(), {.is_there = [of](const system& s, actor_slot a) { return of->is_certain(s, a); },
                                     .check = [of](const system& initial) { of->check(initial); }});
}

}  // namespace harrier
