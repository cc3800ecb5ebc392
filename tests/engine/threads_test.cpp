// Searches by several threads that are stopped wherever they are, written down, and gone on with by others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <tuple>

#include <harrier/engine/delay.hpp>
#include <harrier/engine/exhaustive.hpp>

#include "../litmus/so_many.hpp"
#include "compare.hpp"
#include "threads.hpp"

namespace harrier::differential {
namespace {

using testing::IsEmpty;

/// An engine that runs every execution, and with which name.
struct all_orders {
  std::string name;
  std::unique_ptr<shared_search> (*make)();

  friend std::ostream& operator<<(std::ostream& out, const all_orders& e) { return out << e.name; }
};

delay_report unread;

class ThreadsThatRunEverything : public testing::TestWithParam<std::tuple<all_orders, delivery>> {};

TEST_P(ThreadsThatRunEverything, RunEachExecutionOnce) {
  std::uint64_t programs = 0;
  for (std::uint64_t seed = 1; seed <= litmus::so_many(60); ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    const auto& [engine, model] = GetParam();
    const auto alone = oracle_of(tested, {.model = model});
    if (!alone || !alone->aborting.empty()) continue;  // these are compared under reductions
    ++programs;
    const search by_threads{.name = engine.name + " by threads", .takes_ordering = false};
    const auto together = observe(
        tested, [&](system& first, observer& watcher) { search_by_threads(engine.make, tested, first, watcher); }, {},
        {.model = model});

    EXPECT_THAT(differences(*alone, by_threads, together), IsEmpty()) << "seed " << seed;
    EXPECT_EQ(together.executions, alone->executions) << "seed " << seed;
  }
  EXPECT_GT(programs, 20U);
}

INSTANTIATE_TEST_SUITE_P(UnderEachModel, ThreadsThatRunEverything,
                         testing::Combine(testing::Values(all_orders{"exhaustive", [] { return share_exhaustive(); }},
                                                          all_orders{"delay", [] { return share_delay({}, unread); }}),
                                          testing::Values(delivery::unordered, delivery::causal, delivery::mailbox)),
                         [](const auto& of) {
                           return std::get<0>(of.param).name + "_" + std::string(to_string(std::get<1>(of.param)));
                         });

}  // namespace
}  // namespace harrier::differential
