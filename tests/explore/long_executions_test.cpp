// Executions so long that nothing may take time for each pair of their steps: what does is seen as a test that does not
// come to its end.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

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
    how.engine = GetParam();
    how.max_depth = steps;
    how.max_executions = 1;
    how.check_determinism = repetition::off;
  }
  const program clocks = make_program(run_clocks);
  const program sources = make_program(flood);
  options how;
};

TEST_P(LongExecutions, AreGoneThrough) {
  for (const auto* tested : {&clocks, &sources}) EXPECT_GT(explore(*tested, how).transitions, 0U);
}

TEST_P(LongExecutions, AreShared) {
  how.jobs = 2;
  for (const auto* tested : {&clocks, &sources}) EXPECT_GT(explore(*tested, how).transitions, 0U);
}

TEST_P(LongExecutions, AreWrittenDownAndGoneOnWith) {
  // A checkpoint has all that is left: `optimal` reverses every race of an execution before it writes one.
  how.max_depth = steps / 5;
  how.checkpoint = testing::TempDir() + "long_execution_" + GetParam();
  const auto first = explore(sources, how);
  EXPECT_EQ(first.transitions, how.max_depth);
  how.resume = how.checkpoint;
  how.max_executions = 3;
  const auto both = explore(sources, how);
  EXPECT_GT(both.transitions, first.transitions);
  EXPECT_EQ(both.truncated, 3U);
}

INSTANTIATE_TEST_SUITE_P(Engines, LongExecutions, testing::Values("optimal", "exhaustive", "stateful"),
                         [](const auto& named) { return named.param; });

}  // namespace
}  // namespace harrier
