#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harrier {

namespace internal {
class formula_builder;
}

/// The operators of linear temporal logic, as they are written.
///
/// `weak_next` has no syntax of its own: it is `! X !`. It differs from `next`
/// only where a run may end (see `run_ends::finite`).
enum class ltl_operator : std::uint8_t {
  constant_true,
  constant_false,
  atom,
  negation,        ///< `!`
  conjunction,     ///< `&`
  disjunction,     ///< `|`
  implication,     ///< `->`
  equivalence,     ///< `<->`
  exclusive_or,    ///< `^`
  next,            ///< `X`: the next action exists and starts a run that satisfies the operand
  eventually,      ///< `F`
  always,          ///< `G`
  until,           ///< `U`
  weak_until,      ///< `W`
  release,         ///< `R`
  strong_release,  ///< `M`
};

/// Number of operands of `op`: 0, 1 or 2.
[[nodiscard]] std::size_t arity(ltl_operator op) noexcept;

/// An immutable formula of linear temporal logic.
///
/// Equal subformulas are stored once (hash-consed), in one flat array in which
/// operands come before their operator. Two formulas are equal iff they are
/// written alike up to spaces and redundant parentheses; `F a` and
/// `true U a` differ. There is no recursion anywhere on the depth of a formula.
///
/// @par Complexity  Copying and comparing: linear in the number of different
///      subformulas. Joining two formulas copies both.
class formula {
public:
  struct node {
    ltl_operator op;
    std::uint32_t left;   ///< index in `nodes()`; of an atom: index in `atoms()`; 0 if unused
    std::uint32_t right;  ///< index in `nodes()`; 0 if unused
    friend bool operator==(const node&, const node&) = default;
  };

  /// The formula `true`.
  formula();
  [[nodiscard]] static formula truth(bool value);
  [[nodiscard]] static formula proposition(std::string name);
  /// @throws error  `op` does not take one operand.
  [[nodiscard]] static formula unary(ltl_operator op, const formula& operand);
  /// @throws error  `op` does not take two operands.
  [[nodiscard]] static formula binary(ltl_operator op, const formula& left, const formula& right);

  /// All different subformulas, operands first; the last one is the formula.
  [[nodiscard]] std::span<const node> nodes() const noexcept { return nodes_; }
  /// The propositions, each once, in the order in which they are first read.
  [[nodiscard]] std::span<const std::string> atoms() const noexcept { return atoms_; }

  friend bool operator==(const formula&, const formula&) = default;

private:
  friend class internal::formula_builder;
  std::vector<node> nodes_;
  std::vector<std::string> atoms_;
};

/// Where and why a text is not a formula.
struct formula_diagnostic {
  std::size_t line = 1;    ///< from 1
  std::size_t column = 1;  ///< from 1, in bytes
  std::string message;     ///< one line, without the position
  std::string expected;    ///< what could have stood there; empty if nothing sensible can be said
  friend bool operator==(const formula_diagnostic&, const formula_diagnostic&) = default;
};

/// Either a formula or at least one diagnostic.
struct parsed_formula {
  std::optional<formula> value;
  std::vector<formula_diagnostic> diagnostics;
};

/// Parentheses may be nested this deep in the text of a formula.
inline constexpr std::size_t max_formula_nesting = 500;

/// Reads a formula in Owl's syntax (docs/properties.md).
///
/// Mind the precedences: `-> <-> ^ U W R M` bind *tighter* than `&` and `|`,
/// and group to the right; the unary `! F G X` bind tightest. Propositions are
/// names (`[a-zL_][a-zA-Z_0-9]*`) or anything between double or single quotes,
/// where a line break counts as a space. What a proposition means is the
/// caller's business.
[[nodiscard]] parsed_formula parse_formula(std::string_view text);

/// Writes `f` with as few parentheses as the grammar allows; reading the text
/// again gives an equal formula. Propositions that are no names are quoted.
///
/// @throws error  a proposition that cannot be quoted: it is
///         empty, has a line break, or has both kinds of quotation marks.
[[nodiscard]] std::string to_string(const formula& f);

}  // namespace harrier
