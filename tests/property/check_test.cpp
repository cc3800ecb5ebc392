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

using test::action;
using test::listed_model;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

verdict checked(model& m, const std::string& text, const check_options& options = {}) {
  const auto f = parse_formula(text).value.value();
  return check(m, {&f, 1}, options).front();
}

const action a{{"a"}, {}};
const action b{{"b"}, {}};

/// a, then b, then nothing.
listed_model ending() { return {{a, b}, {{{0, 1}}, {{1, 2}}, {}}}; }

struct example {
  const char* text;
  bool ignore;
  bool stutter;
  bool finite;
};

class Ends : public testing::TestWithParam<example> {};

TEST_P(Ends, AreReadInThreeWays) {
  auto m = ending();
  const auto& e = GetParam();

  EXPECT_EQ(checked(m, e.text, {.ends = run_ends::ignore}).holds, e.ignore) << e.text;
  EXPECT_EQ(checked(m, e.text, {.ends = run_ends::stutter}).holds, e.stutter) << e.text;
  EXPECT_EQ(checked(m, e.text, {.ends = run_ends::finite}).holds, e.finite) << e.text;
}

INSTANTIATE_TEST_SUITE_P(Table, Ends,
                         testing::Values(example{"false", true, false, false},      //
                                         example{"F b", true, true, true},          //
                                         example{"F c", true, false, false},        //
                                         example{"G (a | b)", true, false, true},   //
                                         example{"G F b", true, false, true},       //
                                         example{"G X true", true, true, false},    //
                                         example{"X X true", true, true, false},    //
                                         example{"X !X true", true, false, true},   //
                                         example{"X X !a", true, true, false},      //
                                         example{"!X X a", true, true, true},       //
                                         example{"a W b & X b", true, true, true},  //
                                         example{"X (b W c)", true, false, true},   //
                                         example{"X (c R b)", true, false, true},   //
                                         example{"X (b U c)", true, false, false},  //
                                         example{"X (c M b)", true, false, false}));

TEST(Check, OfASystemThatCannotMoveReadsTheEmptyRun) {
  listed_model m({a}, {{}});

  EXPECT_EQ(checked(m, "F a", {.ends = run_ends::finite}).holds, false);
  EXPECT_EQ(checked(m, "G a", {.ends = run_ends::finite}).holds, true);
  EXPECT_EQ(checked(m, "G a", {.ends = run_ends::stutter}).holds, false);
  EXPECT_EQ(checked(m, "false", {.ends = run_ends::ignore}).holds, true);
}

TEST(Check, OfNoFormulasExploresNothing) {
  auto m = ending();

  EXPECT_THAT(check(m, {}), IsEmpty());
  EXPECT_EQ(m.expansions(), 0U);
}

TEST(Check, ReadsInfiniteRunsUnderEveryReading) {
  listed_model m({a, b}, {{{0, 0}, {1, 1}}, {}});

  EXPECT_EQ(checked(m, "F b", {.ends = run_ends::ignore}).holds, false);
  EXPECT_EQ(checked(m, "F b", {.ends = run_ends::stutter}).holds, false);
  EXPECT_EQ(checked(m, "F b", {.ends = run_ends::finite}).holds, false);
}

TEST(Check, GivesACounterexampleThatEndsInACycle) {
  listed_model m({a, b}, {{{0, 1}}, {{1, 2}}, {{0, 1}}});
  const auto found = checked(m, "F G b").counterexample.value();

  EXPECT_EQ(found.end, lasso_end::cycle);
  EXPECT_THAT(found.prefix, ElementsAre(model_step{0, 1}));
  EXPECT_THAT(found.cycle, ElementsAre(model_step{1, 2}, model_step{0, 1}));
}

TEST(Check, GivesACounterexampleThatStutters) {
  auto m = ending();
  const auto found = checked(m, "G F b", {.ends = run_ends::stutter}).counterexample.value();

  EXPECT_EQ(found.end, lasso_end::stutter);
  EXPECT_THAT(found.prefix, ElementsAre(model_step{0, 1}, model_step{1, 2}));
  EXPECT_THAT(found.cycle, IsEmpty());
}

TEST(Check, GivesACounterexampleThatStops) {
  auto m = ending();
  const auto found = checked(m, "F c", {.ends = run_ends::finite}).counterexample.value();

  EXPECT_EQ(found.end, lasso_end::stop);
  EXPECT_THAT(found.prefix, ElementsAre(model_step{0, 1}, model_step{1, 2}));
  EXPECT_THAT(found.cycle, IsEmpty());
}

TEST(Check, GivesTheBeginningOfRunsThatAreWrongHoweverTheyGoOn) {
  listed_model m({a, b}, {{{0, 0}, {1, 1}}, {{0, 0}}});
  const auto found = checked(m, "G !b", {.ends = run_ends::finite}).counterexample.value();

  EXPECT_EQ(found.end, lasso_end::any);
  EXPECT_THAT(found.prefix, ElementsAre(model_step{1, 1}));
}

TEST(Check, DemandsALetterOfAStrongNextBesideAWeakOne) {
  listed_model m({b}, {{{0, 1}}, {}});

  EXPECT_EQ(checked(m, "!(X a & !X !a)", {.ends = run_ends::finite}).holds, true);
  EXPECT_EQ(checked(m, "!(!X !a & X a)", {.ends = run_ends::finite}).holds, true);
}

class InnerCycle : public testing::TestWithParam<bool> {};

TEST_P(InnerCycle, CountsForTheCycleAroundIt) {
  const action neither{{}, {}};
  std::vector<model_step> last{{2, 1}, {1, 0}};
  if (GetParam()) std::swap(last[0], last[1]);
  listed_model m({a, b, neither}, {{{2, 1}}, {{0, 2}}, last});

  EXPECT_EQ(checked(m, "!(G F a & G F b)").holds, false);
}

INSTANTIATE_TEST_SUITE_P(Orders, InnerCycle, testing::Bool());

/// A long way round and a short way to the same fault.
TEST(Check, GivesAShortWayToTheFault) {
  std::vector<std::vector<model_step>> states(40);
  for (model_state s = 0; s + 1 < states.size(); ++s) states[s] = {{0, s + 1}};
  states.back() = {{1, model_state{39}}};
  states[0].push_back({0, 39});
  listed_model m({a, b}, states);

  EXPECT_THAT(checked(m, "G !b").counterexample.value().prefix, SizeIs(2));
}

/// A violation close by is found although the system has no end.
class counter : public model {
public:
  model_state initial() override { return 0; }
  std::span<const model_step> successors(model_state s) override {
    step_ = {s, s + 1};
    return {&step_, 1};
  }
  bool holds(model_label l, std::string_view p) override { return std::to_string(l) == p; }

private:
  model_step step_{};
};

TEST(Check, OfAnEndlessSystemStopsAtAViolation) {
  counter m;

  EXPECT_THAT(checked(m, "!F (\"500\" | \"700\")", {.ends = run_ends::stutter}).counterexample.value().prefix,
              SizeIs(501));
}

std::vector<formula> random_formulas(std::mt19937& random, std::size_t count) {
  std::vector<formula> formulas;
  while (formulas.size() < count) formulas.push_back(test::random_formula(random, test::below(random, 8)));
  return formulas;
}

bool is_same(const verdict& x, const verdict& y) {
  const auto steps = [](const verdict& v) {
    return v.counterexample ? std::pair(v.counterexample->prefix, v.counterexample->cycle)
                            : std::pair(std::vector<model_step>{}, std::vector<model_step>{});
  };
  return x.holds == y.holds && x.limit == y.limit && steps(x) == steps(y);
}

/// Formulas whose verdict together with others, in a space that was explored before, is another than alone.
std::vector<std::string> dependent_verdicts(unsigned seed, int systems) {
  std::mt19937 random(seed);
  std::vector<std::string> found;
  for (int i = 0; i < systems; ++i) {
    auto m = test::random_system(random, 200, 0, 3);
    const auto formulas = random_formulas(random, 8);
    const check_options options{
        .ends = run_ends::finite, .fair = i % 2 == 0, .max_states = 1 + test::below(random, 200)};
    state_space space(m);
    space.explore(test::below(random, 200));
    const auto together = check(space, formulas, options);
    for (std::size_t j = 0; j < formulas.size(); ++j) {
      if (!is_same(together[j], check(m, {&formulas[j], 1}, options).front())) found.push_back(to_string(formulas[j]));
    }
  }
  return found;
}

TEST(Check, OfOneFormulaDoesNotDependOnTheOthers) { EXPECT_THAT(dependent_verdicts(5, 60), IsEmpty()); }

}  // namespace
}  // namespace harrier
