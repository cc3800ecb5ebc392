// Engine stateful under the delivery models that have queues. What is ahead of what there is not to be seen in the text
// of a configuration; so its ways to search and to remember are compared with one another, and what is found with every
// order of deliveries.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include <src/engine/alone.hpp>

#include "../litmus/random_program.hpp"
#include "../litmus/so_many.hpp"
#include "states.hpp"

namespace harrier::differential {
namespace {

constexpr std::uint64_t most_deliveries = 1500;
const std::uint64_t seeds = litmus::so_many(40);

class StatesInOrder : public testing::TestWithParam<delivery> {};

program under(delivery model, const program& tested) {
  return {[=](delivery) { return tested.start(model); }};
}

TEST_P(StatesInOrder, AreTheSameHoweverTheyAreSearchedAndRemembered) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = under(GetParam(), litmus::interpret(tables));
    const auto run = [&](search_order order, visited_states visited, bool sleep_sets) {
      stateful_options how;
      how.search = order;
      how.visited = visited;
      how.sleep_sets = sleep_sets;
      return search_states(tested, explore_stateful, how, 200 * most_deliveries);
    };
    reached there;
    try {
      there = reach_by_every_order(tested, false, most_deliveries);
    } catch (const untestable_program&) {
      continue;
    }
    if (!there.complete) continue;
    ++compared;
    const auto plain = run(search_order::depth_first, visited_states::compacted, false);
    const auto whole = run(search_order::depth_first, visited_states::exact, false);
    const auto nearest = run(search_order::breadth_first, visited_states::compacted, false);
    EXPECT_EQ(plain.findings, there.findings) << "seed " << seed;
    EXPECT_EQ(whole.findings, there.findings) << "seed " << seed;
    EXPECT_EQ(nearest.findings, there.findings) << "seed " << seed;
    if (!there.creates) {
      EXPECT_EQ(whole.report.states, plain.report.states) << "seed " << seed;
      EXPECT_EQ(nearest.report.states, plain.report.states) << "seed " << seed;
    }
    if (!may_sleep({}, GetParam())) continue;
    const auto asleep = run(search_order::depth_first, visited_states::compacted, true);
    EXPECT_EQ(asleep.findings, there.findings) << "seed " << seed;
    if (!there.creates && !there.aborts) {
      EXPECT_EQ(asleep.report.states, plain.report.states) << "seed " << seed;
    }
  }
  EXPECT_GT(compared, 5);
}

INSTANTIATE_TEST_SUITE_P(Differential, StatesInOrder,
                         testing::Values(delivery::fifo, delivery::causal, delivery::mailbox,
                                         delivery::mailbox_interleaved),
                         [](const auto& of) {
                           auto name = std::string(to_string(of.param));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace harrier::differential
