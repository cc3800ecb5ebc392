// What an earlier checker, Prut4j, gets wrong by its algorithm, as small systems.
#include <string>

#include <gtest/gtest.h>

#include <harrier/property/check.hpp>

#include "listed_model.hpp"

namespace harrier {
namespace {

using test::action;
using test::listed_model;

std::optional<bool> holds(model& m, const std::string& text, run_ends ends) {
  const auto f = parse_formula(text).value.value();
  return check(m, {&f, 1}, {.ends = ends}).front().holds;
}

/// Go fish: the dealer passes the turn once, then the players go on without it, or the game ends.
listed_model go_fish() {
  const action turn{{"turn"}, {}};
  const action ask{{"ask"}, {}};
  const action card{{"card"}, {}};
  const action out{{"out of cards"}, {}};
  return {{turn, ask, card, out}, {{{0, 1}}, {{1, 2}}, {{2, 1}, {3, 3}}, {}}};
}

TEST(Probe, AMarkOnTheWayIntoACycleIsNotOneOfTheCycle) {
  auto m = go_fish();

  EXPECT_EQ(holds(m, "F G !turn", run_ends::ignore), true);
  EXPECT_EQ(holds(m, "F G !turn", run_ends::stutter), true);
  EXPECT_EQ(holds(m, "F G !turn", run_ends::finite), true);
  EXPECT_EQ(holds(m, "!(G F turn & G F ask)", run_ends::ignore), true);
}

TEST(Probe, TerminationIsSeenWhereEndsAreNotIgnored) {
  auto m = go_fish();

  EXPECT_EQ(holds(m, "G F (turn | ask | card | \"out of cards\")", run_ends::ignore), true);
  EXPECT_EQ(holds(m, "G F (turn | ask | card | \"out of cards\")", run_ends::stutter), false);
}

/// A kernel: the master goes on with its workers, or sends Exit and everything ends.
listed_model kernel() {
  return {{action{{"work"}, {}}, action{{"done"}, {}}, action{{"exit"}, {}}}, {{{0, 1}, {2, 2}}, {{1, 0}}, {}}};
}

TEST(Probe, WhatOnlyEndingRunsDoIsSeenWhereEndsAreNotIgnored) {
  auto m = kernel();

  EXPECT_EQ(holds(m, "G !exit", run_ends::ignore), true);
  EXPECT_EQ(holds(m, "G !exit", run_ends::stutter), false);
  EXPECT_EQ(holds(m, "G !exit", run_ends::finite), false);
}

/// Two ways into the same state, one of which owes a "b": pruning by (state, action) alone loses the one that comes
/// second.
class TwoWays : public testing::TestWithParam<bool> {
protected:
  static listed_model system() {
    const std::vector<action> labels{action{{"a"}, {}}, action{{}, {}}, action{{"c"}, {}}};
    const model_step owing{0, 1};
    const model_step plain{1, 1};
    if (GetParam()) return {labels, {{owing, plain}, {{2, 1}}}};
    return {labels, {{plain, owing}, {{2, 1}}}};
  }
};

TEST_P(TwoWays, AreToldApartInEitherOrder) {
  auto m = system();

  EXPECT_EQ(holds(m, "a -> F b", run_ends::ignore), false);
}

INSTANTIATE_TEST_SUITE_P(Orders, TwoWays, testing::Bool());

/// Three eventualities, of which the runs meet any two for ever.
TEST(Probe, MoreThanTwoAcceptanceSetsAreLookedAt) {
  listed_model m({action{{"a"}, {}}, action{{"b"}, {}}, action{{"c"}, {}}},
                 {{{0, 1}, {0, 2}, {1, 3}}, {{1, 0}}, {{2, 0}}, {{2, 0}}});

  EXPECT_EQ(holds(m, "!(G F a & G F b & G F c & G F d)", run_ends::ignore), true);
  EXPECT_EQ(holds(m, "!(G F a & G F b & G F c)", run_ends::ignore), false);
}

}  // namespace
}  // namespace harrier
