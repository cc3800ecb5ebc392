// Executions so long that nothing may take time for each pair of their steps: what does is seen as a test that does not
// come to its end.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include <harrier/core/dependence.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/native/program.hpp>
#include <harrier/native/self.hpp>

#include "clocks.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t steps = 150'000;

/// The messages of one receiver become ever more.
struct sink {
  std::int64_t sum = 0;
  void put(self&, int value) { sum += value; }
};
struct source {
  ref<sink> to;
  int sent = 0;
  void go(self& me) {
    me.send<&sink::put>(to, ++sent);
    me.send<&source::go>(me.me<source>());
  }
};
void flood(self& me) {
  const auto to = me.create<sink>();
  for (int i = 0; i < 3; ++i) me.send<&source::go>(me.create<source>(source{to, 0}));
}

class LongExecutions : public testing::TestWithParam<std::string> {
protected:
  LongExecutions() {
    how.search.engine = GetParam();
    how.limits.max_depth = steps;
    how.limits.max_executions = 1;
    how.judging.check_determinism = repetition::off;
  }
  const program clocks = make_program(run_clocks);
  const program sources = make_program(flood);
  options how;
};

TEST_P(LongExecutions, AreGoneThrough) {
  for (const auto* tested : {&clocks, &sources}) EXPECT_GT(explore(*tested, how).transitions, 0U);
}

TEST_P(LongExecutions, AreShared) {
  how.search.jobs = 2;
  for (const auto* tested : {&clocks, &sources}) EXPECT_GT(explore(*tested, how).transitions, 0U);
}

TEST_P(LongExecutions, AreWrittenDownAndGoneOnWith) {
  // A checkpoint has all that is left: `optimal` reverses every race of an execution before it writes one.
  how.limits.max_depth = steps / (GetParam().starts_with("optimal") ? 25 : 10);
  how.kept.checkpoint = testing::TempDir() + "long_execution_" + GetParam();
  const auto first = explore(sources, how);
  EXPECT_EQ(first.transitions, how.limits.max_depth);
  how.kept.resume = how.kept.checkpoint;
  how.limits.max_executions = 3;
  const auto both = explore(sources, how);
  EXPECT_GT(both.transitions, first.transitions);
  EXPECT_EQ(both.truncated, 3U);
}

/// Each creates the next, and sends to it alone.
struct link {
  int seen = 0;
  void pass(self& me, int more) {
    ++seen;
    if (more > 0) me.send<&link::pass>(me.create<link>(), more - 1);
  }
};
constexpr int links = 20'000;
void chain(self& me) { me.send<&link::pass>(me.create<link>(), links - 1); }

class LongChains : public testing::TestWithParam<std::string> {};

TEST_P(LongChains, AreOneExecution) {
  options how;
  how.search.engine = GetParam();
  const auto all = explore(make_program(chain), how);

  EXPECT_TRUE(all.exhausted);
  EXPECT_EQ(all.executions, 1U);
  EXPECT_EQ(all.max_depth, links);
}

INSTANTIATE_TEST_SUITE_P(Engines, LongChains,
                         testing::Values("optimal", "source", "persistent", "transdpor", "dcute", "trust", "auto"),
                         [](const auto& named) { return named.param; });

TEST(ClocksOfALongChain, ShareTheirParts) {
  constexpr std::size_t most_a_step = 16;
  const auto s = make_program(chain).start();
  happens_before order(*s, 0);
  for (auto m = s->first_deliverable(); m != no_message; m = s->first_deliverable()) {
    s->deliver(m);
    order.push(dependence(*s));
  }
  const auto last = s->last_step();

  EXPECT_TRUE(order.before(static_cast<step_index>(s->setup_steps()), last));
  EXPECT_FALSE(order.before(last, last - 1));
  EXPECT_LT(order.parts_of_clocks(), most_a_step * s->depth());
}

INSTANTIATE_TEST_SUITE_P(Engines, LongExecutions, testing::Values("optimal", "exhaustive", "stateful"),
                         [](const auto& named) { return named.param; });

}  // namespace
}  // namespace harrier
