#include <algorithm>
#include <ostream>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <harrier/property/check.hpp>
#include <harrier/property/word.hpp>

#include "../litmus/so_many.hpp"
#include "oracle.hpp"

namespace harrier::test {
namespace {

using ::testing::IsEmpty;

struct reading {
  const char* name;
  check_options options;
  friend std::ostream& operator<<(std::ostream& out, const reading& r) { return out << r.name; }
};

std::string shown(const listed_model& m) {
  std::string text;
  for (std::size_t s = 0; s < m.states().size(); ++s) {
    for (const auto& step : m.states()[s]) {
      text += "\n  " + std::to_string(s) + " --";
      for (const auto& p : m.labels()[step.label].propositions) text += p;
      for (const auto r : m.labels()[step.label].roles) text += std::to_string(r);
      text += "--> " + std::to_string(step.target);
    }
  }
  return text;
}

/// What is wrong with a verdict, compared with every run of at most `length` steps; empty if nothing.
std::string disagreement(const formula& f, listed_model& m, const check_options& options, std::size_t length) {
  const auto verdict = check(m, {&f, 1}, options).front();
  const auto complaint = [&](const std::string& what) { return what + ": " + to_string(f) + shown(m) + "\n"; };
  if (!verdict.holds) return complaint("undecided");
  if (*verdict.holds) {
    const auto runs = runs_up_to(length, m, options);
    const bool violated =
        std::any_of(runs.begin(), runs.end(), [&](const run& r) { return !satisfies(word_of(r, m), f); });
    return violated ? complaint("said to hold, but is violated") : "";
  }
  if (!verdict.counterexample) return complaint("no counterexample");
  const auto r = run_of(*verdict.counterexample, m, options.ends);
  if (!counts(r, m, options)) return complaint("the counterexample does not count");
  return satisfies(word_of(r, m), f) ? complaint("the counterexample satisfies") : "";
}

std::vector<std::string> disagreements_on_random_systems(const check_options& options, unsigned seed, int cases) {
  std::mt19937 random(seed);
  std::vector<std::string> found;
  for (int i = 0; i < cases && found.size() < 3; ++i) {
    const auto f = random_formula(random, 1 + below(random, 8));
    auto m = random_system(random, 1 + below(random, 3), 0, 2);
    if (auto text = disagreement(f, m, options, 6); !text.empty()) found.push_back(std::move(text));
  }
  return found;
}

/// In a system without choices there is one run, so that the oracle is exact.
std::vector<std::string> disagreements_on_single_runs(const check_options& options, unsigned seed, int cases) {
  std::mt19937 random(seed);
  std::vector<std::string> found;
  for (int i = 0; i < cases && found.size() < 3; ++i) {
    const auto f = random_formula(random, 1 + below(random, 14));
    auto m = random_system(random, 1 + below(random, 5), 0 + (below(random, 3) > 0 ? 1 : 0), 1);
    if (auto text = disagreement(f, m, options, 6); !text.empty()) found.push_back(std::move(text));
  }
  return found;
}

class CheckAgainstLassos : public testing::TestWithParam<reading> {};

TEST_P(CheckAgainstLassos, AgreesOnSystemsWithOneRun) {
  EXPECT_THAT(disagreements_on_single_runs(GetParam().options, 1, static_cast<int>(litmus::so_many(1600))), IsEmpty());
}

TEST_P(CheckAgainstLassos, AgreesOnSystemsWithChoices) {
  EXPECT_THAT(disagreements_on_random_systems(GetParam().options, 2, static_cast<int>(litmus::so_many(400))),
              IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Readings, CheckAgainstLassos,
    testing::Values(reading{"ignore", {run_ends::ignore, false}}, reading{"ignore_fair", {run_ends::ignore, true}},
                    reading{"stutter", {run_ends::stutter, false}}, reading{"stutter_fair", {run_ends::stutter, true}},
                    reading{"finite", {run_ends::finite, false}}, reading{"finite_fair", {run_ends::finite, true}}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace harrier::test
