// Searches by several threads that are stopped wherever they are, written down, and gone on with by others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <harrier/engine/exhaustive.hpp>

#include "compare.hpp"
#include "threads.hpp"

namespace harrier::differential {
namespace {

using testing::IsEmpty;

class ThreadsThatRunEverything : public testing::TestWithParam<delivery> {};

TEST_P(ThreadsThatRunEverything, RunEachExecutionOnce) {
  std::uint64_t programs = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    const auto alone = oracle_of(tested, {.model = GetParam()});
    if (!alone || !alone->aborting.empty()) continue;  // these are compared under reductions
    ++programs;
    const search by_threads{.name = "exhaustive by threads",
                            .takes_ordering = false,
                            .run_several = [](const program& p, system& first, observer& watcher, std::string_view) {
                              return search_by_threads(share_exhaustive, p, first, watcher);
                            }};
    const auto together = observe(tested, by_threads, "fifo", {}, {.model = GetParam()});

    EXPECT_THAT(differences(*alone, by_threads, together), IsEmpty()) << "seed " << seed;
    EXPECT_EQ(together.executions, alone->executions) << "seed " << seed;
  }
  EXPECT_GT(programs, 50U);
}

INSTANTIATE_TEST_SUITE_P(UnderEachModel, ThreadsThatRunEverything,
                         testing::Values(delivery::unordered, delivery::causal, delivery::mailbox),
                         [](const auto& of) { return std::string(to_string(of.param)); });

}  // namespace
}  // namespace harrier::differential
