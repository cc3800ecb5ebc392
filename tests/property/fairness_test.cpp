#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <harrier/property/check.hpp>

#include "listed_model.hpp"

namespace harrier {
namespace {

using test::action;
using test::listed_model;

const check_options unfair{.ends = run_ends::ignore, .fair = false};
const check_options fair{.ends = run_ends::ignore, .fair = true};

bool holds(model& m, const std::string& text, const check_options& options) {
  const auto f = parse_formula(text).value.value();
  return check(m, {&f, 1}, options).front().holds.value();
}

constexpr model_role player = 0;
constexpr model_role other = 1;

const action receive{{"receive"}, {player}};
const action play{{"play"}, {other}};
const action send{{"send"}, {other}};
const action reset{{"reset"}, {other}};

/// A message waits for the player in every state but the last; the others may play for ever.
listed_model waiting_message() { return {{receive, play}, {{{0, 1}, {1, 0}}, {{1, 1}}}}; }

TEST(Fairness, MakesARoleActThatCouldAlwaysAct) {
  auto m = waiting_message();

  EXPECT_FALSE(holds(m, "F receive", unfair));
  EXPECT_TRUE(holds(m, "F receive", fair));
}

/// As rock-paper-scissors: a round sends to the player, who receives or is overtaken by the end of the round, in which
/// nothing can be received.
listed_model message_that_comes_and_goes() { return {{send, receive, reset}, {{{0, 1}}, {{1, 0}, {2, 0}}}}; }

TEST(Fairness, DoesNotMakeARoleActThatAgainAndAgainCannot) {
  auto m = message_that_comes_and_goes();

  EXPECT_FALSE(holds(m, "G(send -> F receive)", fair));
}

/// As above, but what was sent stays receivable: round after round, the player always has something to receive.
listed_model rounds_with_a_queue() { return {{send, receive, play}, {{{0, 1}}, {{1, 0}, {2, 2}}, {{1, 0}, {2, 1}}}}; }

TEST(Fairness, IsJudgedOnTheWholeCycle) {
  auto m = rounds_with_a_queue();

  EXPECT_FALSE(holds(m, "G(send -> F receive)", unfair));
  EXPECT_TRUE(holds(m, "G(send -> F receive)", fair));
}

/// The component {0, 1} contains a step of the player, but the cycle that violates stays in 1, where the player is
/// able.
listed_model fair_component_with_an_unfair_cycle() { return {{receive, play, send}, {{{2, 1}}, {{0, 0}, {1, 1}}}}; }

TEST(Fairness, IsNotJudgedOnTheComponentAroundACycle) {
  auto m = fair_component_with_an_unfair_cycle();

  EXPECT_FALSE(holds(m, "!F G play", unfair));
  EXPECT_TRUE(holds(m, "!F G play", fair));
}

TEST(Fairness, DoesNotExcludeARoleThatFinished) {
  listed_model m({receive, play}, {{{0, 1}}, {{1, 1}}});

  EXPECT_FALSE(holds(m, "G F receive", fair));
}

TEST(Fairness, SaysNothingAboutRunsThatEnd) {
  listed_model m({play, receive}, {{{0, 1}, {1, 0}}, {}});

  EXPECT_FALSE(holds(m, "G F receive", {.ends = run_ends::stutter, .fair = true}));
  EXPECT_FALSE(holds(m, "G F receive", {.ends = run_ends::finite, .fair = true}));
}

TEST(Fairness, CountsBothRolesOfASynchronousStep) {
  listed_model m({action{{"meet"}, {player, other}}, play}, {{{0, 0}, {1, 0}}});

  EXPECT_TRUE(holds(m, "F meet", fair));
  EXPECT_FALSE(holds(m, "F play", fair));
}

TEST(Fairness, LeavesStepsWithoutARoleAlone) {
  listed_model m({action{{"tick"}, {}}, receive}, {{{0, 0}, {1, 0}}});

  EXPECT_TRUE(holds(m, "F receive", fair));
  EXPECT_FALSE(holds(m, "F tick", fair));
}

/// 200 players: more marks than fit into a machine word.
listed_model many_players() {
  std::vector<action> labels;
  std::vector<model_step> steps;
  for (model_role r = 0; r < 200; ++r) {
    labels.push_back({{std::string("p").append(std::to_string(r))}, {r}});
    steps.push_back({r, 0});
  }
  return {std::move(labels), {std::move(steps)}};
}

TEST(Fairness, CountsMoreThanSixtyFourRoles) {
  auto m = many_players();

  EXPECT_FALSE(holds(m, "G F p199", unfair));
  EXPECT_TRUE(holds(m, "G F p199", fair));
}

TEST(Fairness, GivesACounterexampleInWhichEveryRoleActs) {
  auto m = many_players();
  const auto f = parse_formula("G !p7").value.value();
  const auto verdict = check(m, {&f, 1}, fair).front();

  EXPECT_EQ(verdict.counterexample.value().cycle.size(), 200U);
}

/// Leaves out the player's steps, and says that it could have acted.
class reduced_model : public listed_model {
public:
  using listed_model::listed_model;
  std::optional<std::vector<model_role>> enabled(model_state /*state*/) override {
    return std::vector<model_role>{player, other};
  }
};

TEST(Fairness, BelievesAModelThatNamesTheRolesThatCouldAct) {
  reduced_model m({play}, {{{0, 0}}});

  EXPECT_TRUE(holds(m, "F receive", fair));
}

}  // namespace
}  // namespace harrier
