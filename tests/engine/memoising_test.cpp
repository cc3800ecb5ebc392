// Handlers that are not called again for what they did: every search, beside all executions of handlers that are.
#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../litmus/so_many.hpp"
#include "cells.hpp"
#include "compare.hpp"

namespace harrier::differential {
namespace {

using testing::IsEmpty;

const std::uint64_t seeds = litmus::so_many(40);

/// `plain`, each system with a memory.
program remembering(const program& plain) {
  auto with_memory = plain;
  with_memory.make = [make = plain.make](delivery model) {
    auto s = make(model);
    EXPECT_TRUE(s->memoise(memoising::on));
    return s;
  };
  return with_memory;
}

struct compared {
  std::uint64_t programs = 0;
  std::vector<std::string> differences;

  void add(const program& tested, std::uint64_t seed, delivery model) {
    const auto plain = oracle_of(tested, {.model = model});
    if (!plain) return;
    const auto kept = compare(remembering(tested), seed, {.check_undo = seed % 8 == 0, .model = model});
    if (!kept.fits && plain->executions > 1) say(seed, "another number of executions");
    if (!kept.fits) return;  // one execution: nothing is compared
    ++programs;
    for (const auto& line : kept.differences) say(seed, line);
    if (kept.oracle.executions != plain->executions) say(seed, "another number of executions");
    if (kept.oracle.findings != plain->findings) say(seed, "other findings");
    if (kept.oracle.traces.size() != plain->traces.size()) say(seed, "another number of traces");
    for (const auto& [key, seen] : plain->traces) {
      const auto found = kept.oracle.traces.find(key);
      if (found == kept.oracle.traces.end())
        say(seed, "a trace is missing");
      else if (found->second.end != seen.end || found->second.executions != seen.executions)
        say(seed, "a trace ends differently");
    }
  }
  void say(std::uint64_t seed, const std::string& what) {
    differences.push_back("seed " + std::to_string(seed) + ": " + what);
  }
};

class RandomProgramsFromMemory : public testing::TestWithParam<delivery> {};

TEST_P(RandomProgramsFromMemory, AreTheSameToEverySearch) {
  compared all;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    for (const auto kind : {cell_kind::plain, cell_kind::tracked, cell_kind::guarded})
      all.add(make_cells(kind, seed), seed, GetParam());

  EXPECT_THAT(all.differences, IsEmpty());
  EXPECT_GE(all.programs, seeds);
}

// Their actors show less than they are, so nothing is remembered; coroutines, replies and failures come here.
TEST_P(RandomProgramsFromMemory, ThatCannotBeRememberedAreTheSameToo) {
  compared all;
  for (std::uint64_t seed = 1; seed <= seeds / 2; ++seed) {
    const auto tables = litmus::make_random(seed);
    all.add(litmus::interpret(tables), seed, GetParam());
  }

  EXPECT_THAT(all.differences, IsEmpty());
  EXPECT_GE(all.programs, seeds / 10);
}

INSTANTIATE_TEST_SUITE_P(Differential, RandomProgramsFromMemory,
                         testing::Values(delivery::unordered, delivery::fifo, delivery::mailbox_interleaved),
                         [](const auto& of) {
                           return of.param == delivery::mailbox_interleaved ? "mailbox_interleaved"
                                                                            : std::string(to_string(of.param));
                         });

TEST(RandomProgramsFromMemory, AreRecalledFromItMostly) {
  std::uint64_t recalled = 0;
  std::uint64_t deliveries = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    static_cast<void>(observe(
        make_cells(cell_kind::plain, seed),
        [&](system& s, observer& watcher) {
          ASSERT_TRUE(s.memoise(memoising::on));
          for (const auto& by : searches())
            if (by.name == "persistent") by.run(s, watcher, "fifo");
          if (s.memoised()) recalled += s.memoised()->recalled;
          deliveries += s.watch().deliveries();
        },
        much_larger));

  EXPECT_GT(deliveries, 1000U);
  EXPECT_GT(recalled, deliveries / 2);
}

}  // namespace
}  // namespace harrier::differential
