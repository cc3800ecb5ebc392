#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <harrier/property/check.hpp>

#include "listed_model.hpp"
#include "oracle.hpp"

namespace harrier {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

verdict checked(model& m, const std::string& text, const check_options& options = {}) {
  const auto f = parse_formula(text).value.value();
  return check(m, {&f, 1}, options).front();
}

/// States 0, 1, ..., `length` in a row, by steps "a"; then `last` to itself, or the end.
class chain : public model {
public:
  chain(model_state length, std::optional<std::string> last) : length_(length), last_(std::move(last)) {}

  model_state initial() override { return 0; }
  std::span<const model_step> successors(model_state s) override {
    step_ = s < length_ ? model_step{0, s + 1} : model_step{1, s};
    return {&step_, s < length_ || last_ ? 1U : 0U};
  }
  bool holds(model_label l, std::string_view p) override { return l == 0 ? p == "a" : p == *last_; }
  std::vector<model_role> acting(model_label l) override { return {l}; }

private:
  model_state length_;
  std::optional<std::string> last_;
  model_step step_{};
};

TEST(MaxStates, LeavesUndecidedWhatHasNoViolationSoFar) {
  chain m(1000, "b");
  const auto found = checked(m, "G !c", {.max_states = 1000});

  EXPECT_EQ(found.holds, std::nullopt);
  EXPECT_EQ(found.limit, check_limit::states);
  EXPECT_FALSE(found.counterexample);
}

TEST(MaxStates, DoesNotLimitASpaceOfThatSize) {
  chain m(1000, "b");

  EXPECT_EQ(checked(m, "G !c", {.max_states = 1001}).holds, true);
}

TEST(MaxStates, StillLetsAViolationBeFound) {
  chain m(1000, "b");

  EXPECT_EQ(checked(m, "F b", {.max_states = 1001}).holds, true);
  EXPECT_EQ(checked(m, "!X X a", {.ends = run_ends::stutter, .max_states = 3}).holds, false);
  EXPECT_EQ(checked(m, "!X X a", {.ends = run_ends::ignore, .max_states = 3}).holds, std::nullopt);
}

TEST(MaxStates, TakesNoStateOnTheRimForAnEnd) {
  chain m(1000, "b");

  EXPECT_EQ(checked(m, "F c", {.ends = run_ends::finite, .max_states = 10}).holds, std::nullopt);
  EXPECT_EQ(checked(m, "F c", {.ends = run_ends::stutter, .max_states = 10}).holds, std::nullopt);
}

TEST(MaxStates, DoesNotMatterToAFormulaThatIsDecidedBefore) {
  chain m(1000, "b");

  EXPECT_EQ(checked(m, "a & X a", {.max_states = 5}).holds, true);
}

/// Verdicts under a limit that the whole space contradicts.
std::vector<std::string> contradicted(unsigned seed, int count) {
  std::mt19937 random(seed);
  std::vector<std::string> found;
  for (int i = 0; i < count; ++i) {
    const auto f = test::random_formula(random, test::below(random, 8));
    auto m = test::random_system(random, 30, 0, 2);
    check_options options{.ends = static_cast<run_ends>(i % 3), .fair = i % 2 == 0};
    const auto whole = check(m, {&f, 1}, options).front().holds;
    options.max_states = 1 + test::below(random, 20);
    const auto part = check(m, {&f, 1}, options).front().holds;
    if (part && part != whole) found.push_back(to_string(f));
  }
  return found;
}

TEST(MaxStates, NeverMakesAVerdictWrong) { EXPECT_THAT(contradicted(21, 2000), IsEmpty()); }

TEST(MaxPairs, LeavesUndecided) {
  chain m(1000, "b");
  const auto found = checked(m, "G !c", {.max_pairs = 100});

  EXPECT_EQ(found.holds, std::nullopt);
  EXPECT_EQ(found.limit, check_limit::pairs);
}

std::string conjunction_of(const std::string& before, const std::string& between, const std::string& after, int count) {
  std::string text = "true";
  for (int i = 0; i < count; ++i) {
    text += " & (" + before + std::to_string(i) + between + std::to_string(i) + after + ")";
  }
  return text;
}

TEST(Automaton, ThatWouldBeTooLargeLeavesUndecided) {
  chain m(1000, "b");
  const auto found = checked(m, "!(" + conjunction_of("F p", " | G q", "", 40) + ")", {.ends = run_ends::finite});

  EXPECT_EQ(found.holds, true);  // no p and no q ever holds: most choices are dead at once
}

TEST(Automaton, WithTooManyChoicesLeavesUndecided) {
  chain m(1000, "a");
  const auto found = checked(m, "!(" + conjunction_of("F p", " | F q", "", 30) + ")");
  const auto split = checked(m, "!(" + conjunction_of("X (a U p", ") | G X (a & X q", ")", 30) + ")");

  EXPECT_EQ(found.holds, true);
  EXPECT_EQ(split.limit, check_limit::automaton);
}

TEST(Automaton, OfAWideFormulaIsSmall) {
  chain m(1000, "b");

  EXPECT_EQ(checked(m, conjunction_of("G(p", " -> F q", ")", 300)).holds, true);
  EXPECT_EQ(checked(m, "!(" + conjunction_of("G(p", " | X q", ")", 300) + ")").holds, true);
}

TEST(MillionStates, AreCheckedWithoutRecursion) {
  chain m(1'000'000, "b");

  EXPECT_EQ(checked(m, "G F a").holds, false);
}

TEST(MillionStates, GiveALongCounterexample) {
  chain m(1'000'000, std::nullopt);

  EXPECT_THAT(checked(m, "F b", {.ends = run_ends::finite}).counterexample.value().prefix, SizeIs(1'000'000));
}

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

TEST(DeepFormula, IsCheckedWithoutRecursion) {
  chain m(10, "b");
  const auto next = repeated("X ", 100'000);

  EXPECT_EQ(checked(m, next + "b").holds, true);
  EXPECT_EQ(checked(m, next + "a", {.ends = run_ends::finite}).holds, false);
  EXPECT_EQ(checked(m, "!(" + next + "a) & !(" + next + "X a)").holds, true);
}

TEST(DeepFormula, OfUntilsIsChecked) {
  chain m(10, "b");

  EXPECT_EQ(checked(m, repeated("a U b W ", 100) + "b").holds, true);
}

TEST(DeepFormula, OfTooManyUntilsIsLeftUndecided) {
  chain m(10, "b");

  EXPECT_EQ(checked(m, repeated("a U b W ", 5'000) + "b").limit, check_limit::automaton);
}

TEST(WideFormula, IsCheckedInLinearMemory) {
  chain m(10, "b");
  std::string wide = "a";
  for (int i = 0; i < 20'000; ++i) wide += " | p" + std::to_string(i);

  EXPECT_EQ(checked(m, "F !(" + wide + ")").holds, true);
}

}  // namespace
}  // namespace harrier
