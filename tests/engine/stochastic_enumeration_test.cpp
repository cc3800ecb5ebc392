// How many orders there are, guessed from samples, beside how many there are.
#include <gtest/gtest.h>

#include <string>

#include <harrier/engine/stochastic_enumeration.hpp>
#include <harrier/harrier.hpp>

namespace harrier {
namespace {

class stop_after final : public observer {
public:
  explicit stop_after(std::uint64_t deliveries) : most_(deliveries) {}
  void step_flagged(system&) override {}
  void poll(system& s) override { stopping_ = s.watch().deliveries() >= most_; }
  void execution_ended(system&) override {}
  void execution_blocked(system&) override {}

private:
  std::uint64_t most_;
};

enumeration sampled(const program& tested, std::size_t population, std::uint64_t deliveries = 300'000) {
  const auto s = tested.start();
  stop_after watcher(deliveries);
  s->watch().observe(&watcher);
  search_context search{*s, watcher};
  return enumerate_stochastically(search, {.seed = 7, .population = population});
}

struct sink {
  int taken = 0;
  void take(int) { ++taken; }
};
struct source {
  ref<sink> to;
  void go(self& me, int n) {
    for (int i = 0; i < n; ++i) me.send<&sink::take>(to, i);
    if (n > 1 && me.choose(2) == 1) me.send<&source::go>(me.me<source>(), n - 1);
  }
};

program messages_to_one(int n) {
  return make_program([n](self& me) {
    const auto one = me.create<sink>();
    for (int i = 0; i < n; ++i) me.send<&sink::take>(one, i);
  });
}
program uneven() {
  return make_program([](self& me) {
    const auto to = me.create<sink>();
    for (int i = 1; i < 3; ++i) me.send<&source::go>(me.create<source>(to), i);
  });
}

TEST(StochasticEnumeration, IsExactWhereAllNodesOfALevelAreAlike) {
  const auto seen = sampled(messages_to_one(6), 3);

  EXPECT_GT(seen.samples, 10U);
  EXPECT_DOUBLE_EQ(seen.executions, 720);
}

TEST(StochasticEnumeration, IsExactIfItsPopulationHoldsEachLevel) {
  options how;
  how.search.engine = "exhaustive";
  const auto truth = static_cast<double>(explore(uneven(), how).executions);

  EXPECT_DOUBLE_EQ(sampled(uneven(), 1'000'000).executions, truth);
}

TEST(StochasticEnumeration, IsRightOnAverageOnAnUnevenTree) {
  options how;
  how.search.engine = "exhaustive";
  const auto truth = static_cast<double>(explore(uneven(), how).executions);
  for (const std::size_t population : {1U, 16U}) {
    const auto seen = sampled(uneven(), population, 2'000'000);
    EXPECT_NEAR(seen.executions / truth, 1, 0.1) << population << " of " << truth;
  }
}

TEST(StochasticEnumeration, SaysOneOfAProgramThatCanDeliverNothing) {
  const auto seen = sampled(make_program([](self&) {}), 4);

  EXPECT_EQ(seen.samples, 1U);
  EXPECT_DOUBLE_EQ(seen.executions, 1);
}

TEST(StochasticEnumeration, SaysNothingOfAProgramWhoseExecutionsDoNotEnd) {
  struct restless {
    void go(self& me) { me.send<&restless::go>(me.me<restless>()); }
  };
  const auto seen = sampled(make_program([](self& me) { me.send<&restless::go>(me.create<restless>()); }), 4, 20'000);

  EXPECT_EQ(seen.samples, 0U);
}

TEST(LookingAhead, SaysHowManyOrdersThereAreAndHowMuchOptimalWouldRun) {
  options how;
  how.search.only_estimate = true;
  const auto seen = explore(messages_to_one(12), how);

  ASSERT_TRUE(seen.orders);
  EXPECT_NEAR(seen.orders->executions / 479'001'600, 1, 1e-6);
  EXPECT_EQ(seen.engine, "optimal");
  EXPECT_FALSE(seen.exhausted);
  ASSERT_TRUE(seen.estimate);
  EXPECT_GT(seen.estimate->executions, 1e6);
  EXPECT_TRUE(explore(messages_to_one(3), how).exhausted);
}

struct refuser {
  int taken = 0;
  void take(self& me, int n) {
    ++taken;
    me.check(n != 7, "nobody takes 7");
  }
};

TEST(LookingAhead, GoesOnPastFindings) {
  options how;
  how.search.only_estimate = true;
  const auto seen = explore(
      [](self& me) {
        const auto r = me.create<refuser>();
        for (int n = 0; n < 12; ++n) me.send<&refuser::take>(r, n);
      },
      how);

  EXPECT_EQ(seen.findings.size(), 1U);
  EXPECT_GT(seen.executions, 1U);
  ASSERT_TRUE(seen.estimate);
  EXPECT_GT(seen.estimate->executions, 1e6);
}

}  // namespace
}  // namespace harrier
