// How many executions a search will come to, guessed while it runs: docs/estimation.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <harrier/harrier.hpp>

#include <src/explore/explored_mass.hpp>
#include <src/explore/subtree_sizes.hpp>

namespace harrier {
namespace {

using path = std::vector<branching>;

TEST(ExploredMass, OfTheFirstLeafIsItsShare) { EXPECT_DOUBLE_EQ(explored_mass(path{{1, 1}, {1, 2}}), 1.0 / 6); }

TEST(ExploredMass, CountsWhatWasLeftOfEachPoint) {
  EXPECT_DOUBLE_EQ(explored_mass(path{{2, 2}, {2, 0}}), 1.0 / 4 + 1.0 / 8 + 1.0 / 8);
}

TEST(ExploredMass, IsOneAtTheLastLeaf) { EXPECT_DOUBLE_EQ(explored_mass(path{{3, 0}, {1, 0}, {4, 0}}), 1); }

TEST(ExploredMass, OfAnExecutionWithoutDeliveriesIsOne) { EXPECT_DOUBLE_EQ(explored_mass(path{}), 1); }

/// A root with two children: the first has three leaves, the second one.
const std::vector<path> three_and_one = {{{1, 1}, {1, 2}}, {{1, 1}, {2, 1}}, {{1, 1}, {3, 0}}, {{2, 0}}};

std::vector<double> sizes_along(const std::vector<path>& leaves) {
  subtree_sizes sizes;
  std::vector<double> estimates;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    sizes.look(leaves[i], i + 1);
    estimates.push_back(sizes.estimate());
  }
  return estimates;
}

TEST(SubtreeSizes, TakeAllChildrenForAsLargeAsTheMeanOfThoseVisited) {
  EXPECT_THAT(sizes_along(three_and_one), testing::ElementsAre(6, 6, 6, 4));
}

TEST(SubtreeSizes, FollowBranchesThatArePlannedLate) {
  EXPECT_THAT(sizes_along({{{1, 0}, {1, 1}}, {{1, 2}, {2, 0}}, {{2, 1}}, {{3, 0}}}),
              testing::ElementsAre(2, 6, 4.5, 4));
}

TEST(SubtreeSizes, NeedNotSeeEachLeaf) {
  subtree_sizes sizes;
  sizes.look(three_and_one[0], 1);
  sizes.look(three_and_one[2], 3);
  EXPECT_DOUBLE_EQ(sizes.estimate(), 6);
  sizes.look(three_and_one[3], 4);

  EXPECT_DOUBLE_EQ(sizes.estimate(), 4);
}

TEST(SubtreeSizes, TakeWhatTheyDidNotSeeForAsLargeAsWhatTheySee) {
  subtree_sizes sizes;
  sizes.look(path{{3, 1}, {2, 0}}, 7);

  EXPECT_DOUBLE_EQ(sizes.estimate(), 8);
}

TEST(SubtreeSizes, StayFiniteInADeepTree) {
  subtree_sizes sizes;
  sizes.look(path(10'000, {1, 9}), 1);

  EXPECT_TRUE(std::isfinite(sizes.estimate()));
}

struct receiver {
  int sum = 0;
  void take(self& me, int n) { sum += n + static_cast<int>(me.choose(2)); }
  void keep(self&, int n) { sum = sum * 2 + n; }
};

void six_messages(self& me) {
  const auto to = me.create<receiver>();
  for (int n = 1; n <= 6; ++n) me.send<&receiver::keep>(to, n);
}

void three_messages_and_draws(self& me) {
  const auto to = me.create<receiver>();
  for (int n = 1; n <= 3; ++n) me.send<&receiver::take>(to, n);
}

struct gambler {
  std::uint64_t won = 0;
  void bet(self& me) {
    for (int i = 0; i < 4; ++i) won += me.choose(std::uint64_t{1} << 15);
  }
};

void countless_draws(self& me) {
  const auto to = me.create<gambler>();
  for (int n = 1; n <= 40; ++n) me.send<&gambler::bet>(to);
}

struct relay {
  ref<receiver> to;
  void pass(self& me, int n) { me.send<&receiver::keep>(to, n); }
};

/// What races at the receiver is sent one delivery later.
void passed_on(self& me) {
  const auto to = me.create<receiver>();
  for (int n = 1; n <= 4; ++n) me.send<&relay::pass>(me.create<relay>(to), n);
}

options by(const std::string& engine, std::uint64_t most = 0) {
  options how;
  how.search.engine = engine;
  how.limits.max_executions = most;
  how.judging.check_determinism = repetition::off;
  return how;
}

const std::vector<std::string> enumerating = {"optimal", "exhaustive", "source", "dcute", "persistent", "transdpor"};

class Estimate : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Of, Estimate, testing::ValuesIn(enumerating));

TEST_P(Estimate, IsExactWhenTheSearchIsOver) {
  const auto r = explore(make_program(passed_on), by(GetParam()));

  ASSERT_TRUE(r.exhausted && r.estimate);
  EXPECT_DOUBLE_EQ(r.estimate->executions, static_cast<double>(r.executions));
  EXPECT_DOUBLE_EQ(r.estimate->explored, 1);
  EXPECT_DOUBLE_EQ(r.estimate->seconds_to_go, 0);
}

/// Whatever was run of `program`, nothing is infinite, not a number, negative, or less than what was seen.
void expect_sound_estimates(const program& program, const std::string& engine, std::uint64_t most) {
  for (std::uint64_t n = 1; n <= most; ++n) {
    const auto r = explore(program, by(engine, n));
    ASSERT_TRUE(r.estimate);
    const auto& e = *r.estimate;
    for (const auto value : {e.executions, e.explored, e.seconds_to_go, e.by_explored_mass, e.by_subtree_sizes})
      ASSERT_TRUE(std::isfinite(value) && value >= 0);
    ASSERT_GE(e.executions, static_cast<double>(r.executions));
    ASSERT_GT(e.explored, 0);
    ASSERT_LE(e.explored, 1);
  }
}

TEST_P(Estimate, IsNeverLessThanWhatWasSeen) { expect_sound_estimates(make_program(passed_on), GetParam(), 30); }

TEST_P(Estimate, IsSoundWhereDrawsAreCountless) {
  expect_sound_estimates(make_program(countless_draws), GetParam(), 3);
}

TEST_P(Estimate, IsToldToThoseWhoWatch) {
  auto how = by(GetParam());
  how.told.progress_interval = 0;
  double told = 0;
  how.told.on_progress = [&](const progress& p) { told = std::max(told, p.estimate.executions); };
  how.limits.max_executions = 200'000;
  static_cast<void>(explore(make_program([](self& me) {
                              const auto to = me.create<receiver>();
                              for (int n = 1; n <= 10; ++n) me.send<&receiver::keep>(to, n);
                            }),
                            how));

  EXPECT_GT(told, 0);
}

TEST_P(Estimate, IsLeftOutWhereTheDepthLimitCutExecutions) {
  auto how = by(GetParam());
  how.limits.max_depth = 5;

  EXPECT_FALSE(explore(make_program(passed_on), how).estimate);
}

/// These know at once all that can take the place of a delivery; source and transdpor when they have met it.
class EarlyEstimate : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Of, EarlyEstimate, testing::Values("optimal", "exhaustive", "dcute", "persistent"));

TEST_P(EarlyEstimate, OfABalancedTreeIsRightFromItsFirstExecution) {
  const auto r = explore(make_program(six_messages), by(GetParam(), 1));

  ASSERT_TRUE(r.estimate);
  EXPECT_DOUBLE_EQ(r.estimate->executions, 720);
  EXPECT_DOUBLE_EQ(r.estimate->by_subtree_sizes, 720);
}

TEST_P(EarlyEstimate, CountsEachCombinationOfDraws) {
  const auto r = explore(make_program(three_messages_and_draws), by(GetParam(), 1));

  ASSERT_TRUE(r.estimate);
  EXPECT_DOUBLE_EQ(r.estimate->executions, 6 * 8);
}

class NoEstimate : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Of, NoEstimate, testing::Values("random", "round-robin", "stateful", "trust"));

TEST_P(NoEstimate, IsMadeByAnEngineThatDoesNotEnumerateATreeDepthFirst) {
  EXPECT_FALSE(explore(make_program(six_messages), by(GetParam())).estimate);
}

}  // namespace
}  // namespace harrier
