// Programs in stages: each stage searched by itself, by every engine, beside all orders of the whole.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include <src/explore/by_stages.hpp>

#include "../litmus/so_many.hpp"
#include "compare.hpp"
#include "threads.hpp"

namespace harrier::differential {
namespace {

using testing::IsEmpty;

const std::uint64_t programs = litmus::so_many(40);
constexpr std::uint64_t shared_programs = 12;  // threads wait more than they run
constexpr limits largest{400, 6000};

struct compared {
  std::uint64_t programs = 0;
  std::uint64_t traces = 0;
  std::uint64_t with_findings = 0;
  std::vector<std::string> differences;
};

/// @param calls  of which the bodies are made.
compared compare_stages(delivery model, const std::vector<int>& calls, bool each_order_matters,
                        const std::vector<search>& by = searches(), bool observers = false) {
  compared all;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const auto tables = litmus::make_random(seed);
    std::vector<int> mine;
    for (std::size_t i = 0; i < 6; ++i) mine.push_back(calls[(seed / (i + 1) + i) % calls.size()]);
    const auto tested = litmus::interpret_as_test(tables, mine);
    const watch_for what{.check_undo = seed % 7 == 0, .observers = observers, .model = model};
    const auto oracle = oracle_of(tested, what, largest);
    if (!oracle) continue;
    ++all.programs;
    all.traces += oracle->traces.size();
    all.with_findings += !oracle->findings.empty();
    const auto say = [&](const std::string& line) {
      all.differences.push_back("seed " + std::to_string(seed) + ": " + line);
    };
    if (oracle->how_it_ended == verdict::derailed) say("exhaustive went wrong: " + oracle->why);
    if (oracle->ends_differ) say("one trace ended in two configurations");
    for (auto s : by) {
      if (s.run == nullptr || (s.name == "trust" && model == delivery::mailbox)) continue;
      if (each_order_matters) s.promises = search::promise::covers;
      const auto reduced =
          observe(tested, s, ordering_for(seed), much_larger, {.observers = observers, .model = model});
      for (const auto& line : differences(*oracle, s, reduced)) say(line);
    }
  }
  return all;
}

class Stages : public testing::TestWithParam<delivery> {};

TEST_P(Stages, ThatEndAtRestAreSearchedOneByOneAsTheWholeIs) {
  const auto all = compare_stages(GetParam(), {1, 1, 0}, false);

  EXPECT_THAT(all.differences, IsEmpty());
  EXPECT_GE(all.programs, 5U);
  EXPECT_GE(all.traces, 8U);
  EXPECT_GE(all.with_findings, 2U);
}

TEST_P(Stages, ThatMayEndEarlierAreSearchedInAllOrders) {
  const auto all = compare_stages(GetParam(), {2, 1, 0, 3}, true);

  EXPECT_THAT(all.differences, IsEmpty());
  EXPECT_GE(all.programs, 5U);
  EXPECT_GE(all.traces, 8U);
}

/// By up to eight threads that are stopped now and then, and what they left is written down.
compared compare_shared_stages(const char* engine, delivery model, const std::vector<int>& calls,
                               search::promise promise) {
  compared all;
  for (std::uint64_t seed = 1; seed <= shared_programs; ++seed) {
    const auto tables = litmus::make_random(seed);
    std::vector<int> mine;
    for (std::size_t i = 0; i < 6; ++i) mine.push_back(calls[(seed / (i + 1) + i) % calls.size()]);
    const auto tested = litmus::interpret_as_test(tables, mine);
    const watch_for what{.model = model};
    const auto oracle = oracle_of(tested, what, largest);
    if (!oracle) continue;
    ++all.programs;
    all.traces += oracle->traces.size();
    all.with_findings += !oracle->findings.empty();
    options how;
    how.search.engine = engine;
    how.search.observers = false;  // the oracle counts classes in which their order matters
    how.search.delivery = model;
    const search by{engine, promise, false, nullptr};
    const auto seen = observe(
        tested,
        [&](system& fresh, observer& watcher) {
          const search_request asked{.tested = tested, .initial = fresh, .how = how, .who = made_by::several};
          search_by_threads([&] { return search_by(engine_named(engine), asked); }, tested, fresh, watcher);
        },
        much_larger, what);
    for (const auto& line : differences(*oracle, by, seen))
      all.differences.push_back("seed " + std::to_string(seed) + ": " + line);
  }
  return all;
}

TEST_P(Stages, AreSharedByThreadsThatAreStopped) {
  if (GetParam() == delivery::mailbox_interleaved) GTEST_SKIP() << "refused: messages may be on their way";
  for (const auto* engine : {"optimal", "source", "trust"}) {
    if (std::string(engine) == "trust" && GetParam() == delivery::mailbox) continue;
    const auto at_rest = compare_shared_stages(engine, GetParam(), {1, 1, 0}, search::promise::once);
    EXPECT_THAT(at_rest.differences, IsEmpty());
    EXPECT_GE(at_rest.programs, 2U);
    const auto earlier = compare_shared_stages(engine, GetParam(), {2, 1, 0, 3}, search::promise::covers);
    EXPECT_THAT(earlier.differences, IsEmpty());
  }
}

class StagesWithObservers : public testing::TestWithParam<delivery> {};

TEST_P(StagesWithObservers, RunEachObservationalClassOnce) {
  const auto at_rest = compare_stages(GetParam(), {1, 1, 0}, false, searches_with_observers(), true);
  EXPECT_THAT(at_rest.differences, IsEmpty());
  EXPECT_GE(at_rest.traces, 20U);

  const auto earlier = compare_stages(GetParam(), {2, 1, 0, 3}, true, searches_with_observers(), true);
  EXPECT_THAT(earlier.differences, IsEmpty());
  EXPECT_GE(earlier.traces, 20U);
}

INSTANTIATE_TEST_SUITE_P(Each, StagesWithObservers,
                         testing::Values(delivery::unordered, delivery::fifo, delivery::causal),
                         [](const auto& of) { return std::string(to_string(of.param)); });

INSTANTIATE_TEST_SUITE_P(Each, Stages, testing::ValuesIn(delivery_models()), [](const auto& of) {
  auto name = std::string(to_string(of.param));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace harrier::differential
