// Evaluation of a formula on one finite execution.
//
// Method: the value of every subformula at position i follows from its operands' values at i and its own value at i+1
// (the expansion laws, e.g. a U b = b | (a & X(a U b))), so one backward sweep with two columns suffices.
//
// What follows the last letter is one more column, in closed form: the empty word, a word whose letters are all alike,
// or letters of which nothing is known. The last is Kleene's three-valued logic. A value that it decides is the same
// for every continuation: each law is monotone in the order in which unknown is below both false and true.
#include <algorithm>
#include <cstddef>

#include <harrier/core/error.hpp>
#include <harrier/property/word.hpp>

#include "after_last_letter.hpp"

namespace harrier {
namespace {

using truth = std::uint8_t;  // ordered, so that & is min and | is max
constexpr truth no = 0;
constexpr truth unknown = 1;
constexpr truth yes = 2;

truth opposite(truth a) { return static_cast<truth>(yes - a); }
truth implies(truth a, truth b) { return std::max(opposite(a), b); }
truth equal(truth a, truth b) { return std::min(implies(a, b), implies(b, a)); }

using column = std::vector<truth>;

/// The operators that look at one position only.
truth here(const formula::node& n, const column& values) {
  const auto a = values[n.left];
  const auto b = values[n.right];
  switch (n.op) {
    case ltl_operator::constant_true: return yes;
    case ltl_operator::constant_false: return no;
    case ltl_operator::negation: return opposite(a);
    case ltl_operator::conjunction: return std::min(a, b);
    case ltl_operator::disjunction: return std::max(a, b);
    case ltl_operator::implication: return implies(a, b);
    case ltl_operator::equivalence: return equal(a, b);
    case ltl_operator::exclusive_or: return opposite(equal(a, b));
    default: return unknown;  // an operator of several positions: its callers know it
  }
}

/// After a run that stopped: no position is left.
column on_empty_word(const formula& f) {
  column values(f.nodes().size(), no);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& n = f.nodes()[i];
    switch (n.op) {
      case ltl_operator::atom:
      case ltl_operator::next:
      case ltl_operator::eventually:
      case ltl_operator::until:
      case ltl_operator::strong_release: values[i] = no; break;
      case ltl_operator::always:
      case ltl_operator::weak_until:
      case ltl_operator::release: values[i] = yes; break;
      default: values[i] = here(n, values);
    }
  }
  return values;
}

/// At every position of a word of which `atom` is all that is known of every proposition at every position.
/// @param endless  the word does not end; otherwise it may, so that "a next letter exists" is unknown.
column on_uniform_word(const formula& f, truth atom, bool endless) {
  column values(f.nodes().size(), no);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& n = f.nodes()[i];
    switch (n.op) {
      case ltl_operator::atom: values[i] = atom; break;
      case ltl_operator::next: values[i] = endless ? values[n.left] : std::min(values[n.left], unknown); break;
      case ltl_operator::eventually:
      case ltl_operator::always: values[i] = values[n.left]; break;
      case ltl_operator::until:
      case ltl_operator::release: values[i] = values[n.right]; break;
      case ltl_operator::weak_until: values[i] = std::max(values[n.left], values[n.right]); break;
      case ltl_operator::strong_release: values[i] = std::min(values[n.left], values[n.right]); break;
      default: values[i] = here(n, values);
    }
  }
  return values;
}

/// One position earlier. `is_last`: the word ends after this letter.
column before(const formula& f, const letter& letter, const column& after, bool is_last) {
  column values(f.nodes().size(), no);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& n = f.nodes()[i];
    const auto a = values[n.left];
    const auto b = values[n.right];
    switch (n.op) {
      case ltl_operator::atom: values[i] = letter[n.left] ? yes : no; break;
      case ltl_operator::next: values[i] = is_last ? no : after[n.left]; break;
      case ltl_operator::eventually: values[i] = std::max(a, after[i]); break;
      case ltl_operator::always: values[i] = std::min(a, after[i]); break;
      case ltl_operator::until:
      case ltl_operator::weak_until: values[i] = std::max(b, std::min(a, after[i])); break;
      case ltl_operator::release:
      case ltl_operator::strong_release: values[i] = std::min(b, std::max(a, after[i])); break;
      default: values[i] = here(n, values);
    }
  }
  return values;
}

column after_last_letter(const formula& f, word_end end) {
  switch (end) {
    case word_end::stopped: return on_empty_word(f);
    case word_end::stuttered: return on_uniform_word(f, no, true);
    case word_end::truncated: return on_uniform_word(f, unknown, false);
  }
  throw error("monitor_on_word: no such end");
}

}  // namespace

std::optional<bool> monitor_on_word(const formula& f, std::span<const letter> letters, word_end end) {
  const auto fits = [&](const letter& l) { return l.size() == f.atoms().size(); };
  if (!std::all_of(letters.begin(), letters.end(), fits)) {
    throw error("monitor_on_word: a letter needs one truth value for each proposition of the formula");
  }
  auto values = after_last_letter(f, end);
  for (auto i = letters.size(); i-- > 0;) {
    values = before(f, letters[i], values, end == word_end::stopped && i + 1 == letters.size());
  }
  if (values.back() == unknown) return std::nullopt;
  return values.back() == yes;
}

std::vector<bool> internal::after_last_letter(const formula& f, word_end end) {
  const auto values = harrier::after_last_letter(f, end);
  std::vector<bool> holds;
  for (const auto value : values) holds.push_back(value == yes);
  return holds;
}

}  // namespace harrier
