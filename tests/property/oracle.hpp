#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <harrier/property/check.hpp>
#include <harrier/property/ltl.hpp>

#include "listed_model.hpp"

namespace harrier::test {

using letters = std::vector<std::set<std::string>>;

/// A word: the letters from `loop` on are repeated for ever, or nothing follows the last one.
struct word {
  letters read;
  std::optional<std::size_t> loop;
};

/// Whether `w` satisfies `f`, by the definition of each operator: nothing here is shared with the library.
bool satisfies(const word& w, const formula& f);

/// A run of a listed model.
struct run {
  std::vector<model_step> steps;
  std::optional<std::size_t> loop;  // index in steps
  bool stutters = false;            // after the steps, for ever
};

/// All runs of at most `length` steps that count under `options`.
std::vector<run> runs_up_to(std::size_t length, const listed_model& m, const check_options& options);

word word_of(const run& r, const listed_model& m);
/// The run that a counterexample describes; one that may go on in any way takes the first step of every state.
run run_of(const lasso& l, const listed_model& m, run_ends ends);

/// Whether `r` is a run of `m` and counts under `options`.
bool counts(const run& r, const listed_model& m, const check_options& options);

/// Random objects over the propositions a, b and c and the roles 0 and 1.
formula random_formula(std::mt19937& random, std::size_t operators);
listed_model random_system(std::mt19937& random, std::size_t states, std::size_t min_steps, std::size_t max_steps);
std::set<std::string> random_letter(std::mt19937& random);
std::size_t below(std::mt19937& random, std::size_t bound);

}  // namespace harrier::test
