// When `holds` says little: no run that never ends, or an `if` whose condition never comes true.
//
// The second is a special case of what I. Beer, S. Ben-David, C. Eisner and Y. Rodeh call vacuity ("Efficient detection
// of vacuity in temporal model checking", FMSD 2001): a part of the formula that could be anything. Found here without
// another search: a part that is false of all actions is replaced by `false`; if the formula then becomes `true` by the
// laws of logic alone, all else that it says makes no difference.
#include "vacuity.hpp"

#include <algorithm>
#include <cstdint>

namespace harrier::protocol::internal {
namespace {

using index = std::uint32_t;

constexpr std::size_t max_nodes = 2'000;
constexpr std::size_t max_part = 32;

bool is_of_one_action(ltl_operator op) {
  switch (op) {
    case ltl_operator::constant_true:
    case ltl_operator::constant_false:
    case ltl_operator::atom:
    case ltl_operator::negation:
    case ltl_operator::conjunction:
    case ltl_operator::disjunction:
    case ltl_operator::implication:
    case ltl_operator::equivalence:
    case ltl_operator::exclusive_or: return true;
    default: return false;
  }
}

enum class truth : std::uint8_t { no, yes, open };

truth negated(truth a) { return a == truth::open ? a : a == truth::yes ? truth::no : truth::yes; }
truth both(truth a, truth b) {
  if (a == truth::no || b == truth::no) return truth::no;
  return a == truth::yes ? b : b == truth::yes ? a : truth::open;
}
truth either(truth a, truth b) { return negated(both(negated(a), negated(b))); }

// What follows of the truth of the operands, of words that are not empty.
truth follows(ltl_operator op, truth a, truth b) {
  switch (op) {
    case ltl_operator::constant_true: return truth::yes;
    case ltl_operator::constant_false: return truth::no;
    case ltl_operator::atom: return truth::open;
    case ltl_operator::negation: return negated(a);
    case ltl_operator::conjunction: return both(a, b);
    case ltl_operator::disjunction: return either(a, b);
    case ltl_operator::implication: return either(negated(a), b);
    case ltl_operator::equivalence: return either(both(a, b), both(negated(a), negated(b)));
    case ltl_operator::exclusive_or: return either(both(a, negated(b)), both(negated(a), b));
    // That there is a next action is not what is looked for here.
    case ltl_operator::next:
    case ltl_operator::eventually:
    case ltl_operator::always: return a;
    case ltl_operator::until: return b;
    case ltl_operator::weak_until: return a == truth::yes ? a : b == truth::no ? truth::open : b;
    case ltl_operator::release: return b;
    case ltl_operator::strong_release: return b == truth::yes ? a : b;
  }
  return truth::open;
}

class looking {
public:
  looking(const formula& f, std::size_t actions,
          const std::function<bool(std::size_t action, std::string_view atom)>& holds)
      : formula_(f), nodes_(f.nodes()), size_(nodes_.size()), is_of_one_action_(nodes_.size()) {
    for (index i = 0; i < nodes_.size(); ++i) measure(i);
    for (std::size_t a = 0; a < actions; ++a) evaluate(a, holds);
  }

  std::optional<untried_formula> run() {
    for (const auto claim : claims()) {
      for (index part = 0; part < nodes_.size(); ++part) {
        if (!has_one_truth(part) || !is_true_by(claim, part)) continue;
        return untried_formula{to_string(subformula(part)), ever_true_[part]};
      }
    }
    return std::nullopt;
  }

private:
  void measure(index i) {
    const auto& n = nodes_[i];
    size_[i] = 1;
    is_of_one_action_[i] = is_of_one_action(n.op);
    for (std::size_t operand = 0; operand < arity(n.op); ++operand) {
      const auto child = operand == 0 ? n.left : n.right;
      size_[i] = std::min(max_part + 1, size_[i] + size_[child]);
      is_of_one_action_[i] = is_of_one_action_[i] && is_of_one_action_[child];
    }
  }

  void evaluate(std::size_t action, const std::function<bool(std::size_t action, std::string_view atom)>& holds) {
    std::vector<bool> now(nodes_.size());
    for (index i = 0; i < nodes_.size(); ++i) {
      if (!is_of_one_action_[i]) continue;
      const auto& n = nodes_[i];
      const auto of = [&](index operand) { return now[operand] ? truth::yes : truth::no; };
      now[i] = n.op == ltl_operator::atom ? holds(action, formula_.atoms()[n.left])
                                          : follows(n.op, arity(n.op) > 0 ? of(n.left) : truth::open,
                                                    arity(n.op) > 1 ? of(n.right) : truth::open) == truth::yes;
      (now[i] ? ever_true_ : ever_false_)[i] = true;
    }
  }

  // `true` and `false` themselves are what they are.
  bool has_one_truth(index part) const {
    return is_of_one_action_[part] && size_[part] <= max_part && ever_true_[part] != ever_false_[part] &&
           !has_no_atom(part);
  }
  bool has_no_atom(index part) const {
    const auto& n = nodes_[part];
    if (n.op == ltl_operator::atom) return false;
    return (arity(n.op) < 1 || has_no_atom(n.left)) && (arity(n.op) < 2 || has_no_atom(n.right));
  }

  // What a conjunction claims, one by one.
  std::vector<index> claims() const {
    std::vector<index> result;
    std::vector<index> stack{static_cast<index>(nodes_.size() - 1)};
    std::vector<bool> seen(nodes_.size());
    while (!stack.empty()) {
      const auto at = stack.back();
      stack.pop_back();
      if (seen[at]) continue;
      seen[at] = true;
      if (nodes_[at].op != ltl_operator::conjunction) {
        result.push_back(at);
        continue;
      }
      stack.push_back(nodes_[at].right);
      stack.push_back(nodes_[at].left);
    }
    return result;
  }

  // Whether `claim` is true because `part` has one truth, and is about something else too.
  bool is_true_by(index claim, index part) const {
    std::vector<truth> known(nodes_.size());
    std::vector<bool> has_more(nodes_.size());
    std::vector<bool> has_part(nodes_.size());
    for (index i = 0; i <= claim; ++i) {
      const auto& n = nodes_[i];
      const auto operands = arity(n.op);
      has_part[i] = i == part || (operands > 0 && has_part[n.left]) || (operands > 1 && has_part[n.right]);
      has_more[i] = i != part && (n.op == ltl_operator::atom || (operands > 0 && has_more[n.left]) ||
                                  (operands > 1 && has_more[n.right]));
      known[i] = i == part ? (ever_true_[part] ? truth::yes : truth::no)
                           : follows(n.op, operands > 0 ? known[n.left] : truth::open,
                                     operands > 1 ? known[n.right] : truth::open);
    }
    return known[claim] == truth::yes && has_part[claim] && has_more[claim];
  }

  // Not deep: it has at most `max_part` nodes.
  formula subformula(index part) const {
    const auto& n = nodes_[part];
    if (n.op == ltl_operator::atom) return formula::proposition(formula_.atoms()[n.left]);
    if (arity(n.op) == 0) return formula::truth(n.op == ltl_operator::constant_true);
    if (arity(n.op) == 1) return formula::unary(n.op, subformula(n.left));
    return formula::binary(n.op, subformula(n.left), subformula(n.right));
  }

  const formula& formula_;
  std::span<const formula::node> nodes_;
  std::vector<std::size_t> size_;
  std::vector<bool> is_of_one_action_;
  std::vector<bool> ever_true_ = std::vector<bool>(nodes_.size());
  std::vector<bool> ever_false_ = std::vector<bool>(nodes_.size());
};

}  // namespace

// Depth first. Where a state is left, those that it leads to have been left too, and their answer is known; or they
// lie on the way to it, and then there is a cycle.
std::vector<bool> going_on_for_ever(const state_space& space) {
  enum class mark : std::uint8_t { unseen, on_the_way, left };
  std::vector<bool> result(space.found());
  std::vector<mark> marks(space.found(), mark::unseen);
  std::vector<std::pair<model_state, std::uint32_t>> way{{0, 0}};
  marks[0] = mark::on_the_way;
  while (!way.empty()) {
    auto& [state, next] = way.back();
    const auto steps = state < space.expanded() ? space.steps(state) : std::span<const model_step>();
    if (next == steps.size()) {
      const bool goes_on = result[state];
      marks[state] = mark::left;
      way.pop_back();
      if (goes_on && !way.empty()) result[way.back().first] = true;
      continue;
    }
    const auto target = steps[next++].target;
    if (marks[target] == mark::on_the_way || result[target]) {
      result[state] = true;
    } else if (marks[target] == mark::unseen) {
      marks[target] = mark::on_the_way;
      way.emplace_back(target, 0);
    }
  }
  return result;
}

std::optional<untried_formula> untried(const formula& f, std::size_t actions,
                                       const std::function<bool(std::size_t action, std::string_view atom)>& holds) {
  if (actions == 0 || f.nodes().size() > max_nodes) return std::nullopt;
  return looking(f, actions, holds).run();
}

}  // namespace harrier::protocol::internal
