// Which formulas take no notice of letters in which nothing holds.
//
// Method: a formula is followed at a blank position of a word, by its form. It may have there (1) a value that is
// always the same, whatever comes, or (2) the value that it has at the next position; a formula of neither shape, and
// all that contains one, is given up (`X a` always is). At any other position a formula of either shape depends on the
// word without its blanks alone: that is the induction. The whole formula must be of shape (2), down to the position
// after the last letter. There, in the reading of a word that stops, nothing is left, and a formula under F, G, U or W
// must have the value that the operator gives to nothing: `F G !a` sees a blank letter at the end, where `G !a` holds.
#include <optional>

#include <harrier/property/word.hpp>

#include "after_last_letter.hpp"

namespace harrier {
namespace {

struct shape {
  std::optional<bool> at_blank;  // (1)
  bool as_next = false;          // (2)
  bool at_end = false;           // its value after the last letter

  [[nodiscard]] bool known() const { return at_blank || as_next; }
  [[nodiscard]] bool is(bool value) const { return at_blank == value; }
};

shape unknown() { return {}; }
shape constant(bool value) { return {value, true, value}; }
shape opposite(const shape& a) {
  return {a.at_blank ? std::optional(!*a.at_blank) : std::nullopt, a.as_next, !a.at_end};
}

shape both(const shape& a, const shape& b) {
  if (!a.known() || !b.known()) return unknown();
  shape result{std::nullopt, a.as_next && b.as_next, a.at_end && b.at_end};
  if (a.is(false) || b.is(false)) result.at_blank = false;
  if (a.is(true) && b.is(true)) result.at_blank = true;
  return result;
}
shape either(const shape& a, const shape& b) { return opposite(both(opposite(a), opposite(b))); }

shape unlike(const shape& a, const shape& b) { return either(both(a, opposite(b)), both(opposite(a), b)); }

/// a U b, and a W b if `weak`.
shape until(const shape& a, const shape& b, bool weak, bool stops) {
  if (!a.as_next && !a.is(true)) return unknown();
  if (!b.as_next && !b.is(false)) return unknown();
  if (a.as_next && !a.is(true)) {
    if (!b.as_next) return unknown();  // `a` may not hold where `b` did not hold yet
    if (stops && (weak ? !a.at_end && !b.at_end : b.at_end)) return unknown();
  } else if (stops && !weak && b.as_next && b.at_end) {
    return unknown();
  }
  return {std::nullopt, true, weak};
}

shape eventually(const shape& a, bool stops) {
  if (!stops && a.is(true)) return constant(true);  // blanks follow for ever
  return until(constant(true), a, false, stops);
}

shape shape_of(const formula::node& n, const shape& a, const shape& b, bool stops) {
  switch (n.op) {
    case ltl_operator::constant_true: return constant(true);
    case ltl_operator::constant_false: return constant(false);
    case ltl_operator::atom: return {false, false, false};
    case ltl_operator::negation: return opposite(a);
    case ltl_operator::conjunction: return both(a, b);
    case ltl_operator::disjunction: return either(a, b);
    case ltl_operator::implication: return either(opposite(a), b);
    case ltl_operator::equivalence: return opposite(unlike(a, b));
    case ltl_operator::exclusive_or: return unlike(a, b);
    case ltl_operator::next: return unknown();
    case ltl_operator::eventually: return eventually(a, stops);
    case ltl_operator::always: return opposite(eventually(opposite(a), stops));
    case ltl_operator::until: return until(a, b, false, stops);
    case ltl_operator::weak_until: return until(a, b, true, stops);
    case ltl_operator::release: return opposite(until(opposite(a), opposite(b), false, stops));
    case ltl_operator::strong_release: return opposite(until(opposite(a), opposite(b), true, stops));
  }
  return unknown();
}

}  // namespace

bool ignores_blank_letters(const formula& f, word_end end) {
  const auto at_end = internal::after_last_letter(f, end);
  std::vector<shape> shapes;
  for (const auto& n : f.nodes()) {
    const auto operands = arity(n.op);
    shapes.push_back(shape_of(n, operands > 0 ? shapes[n.left] : unknown(), operands > 1 ? shapes[n.right] : unknown(),
                              end == word_end::stopped));
    shapes.back().at_end = at_end[shapes.size() - 1];
  }
  return shapes.back().as_next;
}

}  // namespace harrier
