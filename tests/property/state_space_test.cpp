#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <harrier/property/check.hpp>
#include <harrier/property/model.hpp>

#include "listed_model.hpp"

namespace harrier {
namespace {

using test::action;
using test::listed_model;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<action> one_label{action{{"a"}, {}}};

/// 0 -> 3 -> 1 and 0 -> 2; the numbers are not those in which states are found.
const std::vector<std::vector<model_step>> branching{{{0, 3}, {0, 2}}, {}, {{0, 0}}, {{0, 1}}};

TEST(StateSpace, NumbersStatesBreadthFirst) {
  listed_model m(one_label, branching);
  state_space space(m);
  space.explore(10);
  const std::vector<model_state> ids{space.model_id(0), space.model_id(1), space.model_id(2), space.model_id(3)};

  EXPECT_THAT(ids, ElementsAre(0, 3, 2, 1));
  EXPECT_THAT(space.steps(0), ElementsAre(model_step{0, 1}, model_step{0, 2}));
  EXPECT_THAT(space.steps(3), IsEmpty());
  EXPECT_EQ(space.transitions(), 4U);
}

TEST(StateSpace, NumbersStatesBreadthFirstIfOnlyTheFirstAreTheModelsOwnNumbers) {
  listed_model m(one_label, {{{0, 1}}, {{0, 2}, {0, 4}}, {{0, 0}}, {}, {{0, 3}, {0, 2}}});
  state_space space(m);
  space.explore(10);
  const std::vector<model_state> ids{space.model_id(0), space.model_id(1), space.model_id(2), space.model_id(3),
                                     space.model_id(4)};

  EXPECT_THAT(ids, ElementsAre(0, 1, 2, 4, 3));
  EXPECT_THAT(space.steps(3), ElementsAre(model_step{0, 4}, model_step{0, 2}));
}

TEST(StateSpace, ExpandsNoMoreThanAsked) {
  listed_model m(one_label, branching);
  state_space space(m);
  space.explore(2);

  EXPECT_EQ(m.expansions(), 2U);
  EXPECT_EQ(space.found(), 4U);
  EXPECT_FALSE(space.complete());
}

TEST(StateSpace, IsCompleteWhenAllThatWasFoundIsExpanded) {
  listed_model m(one_label, branching);
  state_space space(m);
  space.explore(4);

  EXPECT_TRUE(space.complete());
}

TEST(StateSpace, AsksForTheSuccessorsOfAStateOnceForManyChecks) {
  listed_model m(one_label, branching);
  state_space space(m);
  const std::vector<formula> formulas{parse_formula("G a").value.value(), parse_formula("F !a").value.value()};
  static_cast<void>(check(space, formulas));
  static_cast<void>(check(space, formulas, {.ends = run_ends::stutter}));

  EXPECT_EQ(m.expansions(), 4U);
}

TEST(StateSpace, AsksForAPropositionOnceALabelInOneCheck) {
  listed_model m(one_label, branching);
  const std::vector<formula> formulas{parse_formula("G a").value.value(), parse_formula("F !a").value.value()};
  static_cast<void>(check(m, formulas));

  EXPECT_EQ(m.questions(), 1U);
}

/// Fails the second time it is asked for successors, once.
class failing_model : public listed_model {
public:
  using listed_model::listed_model;
  std::span<const model_step> successors(model_state s) override {
    if (++calls_ == 2) throw std::runtime_error("no answer");
    return listed_model::successors(s);
  }

private:
  int calls_ = 0;
};

TEST(StateSpace, StaysUsableWhenTheModelThrows) {
  failing_model m(one_label, branching);
  state_space space(m);

  EXPECT_THROW(space.explore(10), std::runtime_error);
  space.explore(10);
  EXPECT_EQ(space.found(), 4U);
  EXPECT_EQ(space.transitions(), 4U);
}

}  // namespace
}  // namespace harrier
