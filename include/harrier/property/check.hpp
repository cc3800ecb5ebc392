#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <harrier/property/ltl.hpp>
#include <harrier/property/model.hpp>

namespace harrier {

/// How a run is read that ends, in a state without steps.
enum class run_ends : std::uint8_t {
  ignore,   ///< only infinite runs count
  stutter,  ///< it goes on for ever with a letter in which no proposition holds
  finite,   ///< it counts as it is (LTLf): `X` demands a next action, `!X!` does not; infinite runs count too
};

struct check_options {
  run_ends ends = run_ends::ignore;
  /// Only runs count in which no role is able to act from some point on without ever acting.
  bool fair = false;
  /// Expand at most so many states of the model (0: no limit).
  std::size_t max_states = 0;
  /// Visit at most so many pairs of a state and an obligation, for each formula (0: no limit).
  std::size_t max_pairs = 20'000'000;
  /// Asked often, if there is one: true stops what is open.
  std::function<bool()> enough = {};
};

/// How the run of a lasso goes on after its prefix.
enum class lasso_end : std::uint8_t {
  cycle,    ///< the cycle, which is not empty, for ever
  stutter,  ///< no more steps; read as the empty letter for ever
  stop,     ///< no more steps; the run is finite
  any,      ///< in any way: every run that begins with the prefix violates (never under `ignore` or fairness)
};

/// A run, or the beginning of runs, that violates a formula. Targets are the model's own state numbers.
struct lasso {
  std::vector<model_step> prefix;  ///< from the initial state
  std::vector<model_step> cycle;   ///< returns to where it starts; empty unless `end` is `cycle`
  lasso_end end = lasso_end::cycle;
};

/// Why there is no verdict.
enum class check_limit : std::uint8_t {
  none,
  states,     ///< `check_options::max_states`
  pairs,      ///< `check_options::max_pairs`
  stopped,    ///< `check_options::enough`
  automaton,  ///< one step of the formula's automaton has too many alternatives
};

struct verdict {
  /// Nothing: a limit cut the search and no violation was found before.
  std::optional<bool> holds;
  /// A violating run, iff `holds` is false.
  std::optional<lasso> counterexample;
  check_limit limit = check_limit::none;  ///< not `none` iff `holds` is nothing
};

/// Checks whether all runs of `space` satisfy each of `formulas`.
///
/// A formula is violated iff some run that counts (see `check_options`) does
/// not satisfy it. No run counts: every formula holds. "Holds" is only said
/// when every state that matters was explored. The verdict on a formula does
/// not depend on the others, nor on what `space` had explored before.
///
/// The space is explored in growing breadth-first parts and each formula is
/// checked on the part at hand, so that a violation close to the initial state
/// needs no more than that. With no limit, and no violation, a model with
/// infinitely many states is explored for ever.
///
/// @return one verdict a formula, in order. Counterexamples are short, not
///         always shortest: the prefix is the shortest way to the part in
///         which the run stays; the cycle is gathered greedily.
/// @throws what `model`'s functions throw; `space` stays usable.
///
/// @par Complexity  Linear in the number of reachable pairs of a state and a
///      set of obligations; the latter may be exponential in the formula.
/// @par Source  Couvreur, "On-the-fly verification of linear temporal logic",
///      FM 1999. Deviations: see src/property/tgba.cpp and emptiness.cpp.
[[nodiscard]] std::vector<verdict> check(state_space& space, std::span<const formula> formulas,
                                         const check_options& options = {});

/// The same for a model that is explored for this call alone.
[[nodiscard]] std::vector<verdict> check(model& source, std::span<const formula> formulas,
                                         const check_options& options = {});

}  // namespace harrier
