// Messages that are lost, or arrive twice (core/faults.hpp).
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include <harrier/core/faults.hpp>
#include <harrier/native/program.hpp>

#include "compare.hpp"
#include "outside_oracle.hpp"

namespace harrier::differential {
namespace {

using testing::IsEmpty;

constexpr delivery models[] = {delivery::unordered, delivery::fifo, delivery::causal, delivery::mailbox};

// By definition a message is lost at any moment before it is taken; harrier decides when it is sent.
TEST(LostMessages, AreThoseOfTheDefinition) {
  for (const auto model : models) {
    SCOPED_TRACE(to_string(model));
    std::uint64_t programs = 0;
    std::uint64_t traces = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const auto c = outside::compare_with_outside(litmus::make_random(seed), model, {2000, 40'000}, 1 + seed % 2);
      if (!c.fits) continue;
      ++programs;
      traces += c.expected.traces.size();
      EXPECT_EQ(c.difference, "");
    }
    EXPECT_GT(programs, 20U);
    EXPECT_GT(traces, 200U);
  }
}

TEST(Faults, AreTheSameToEverySearch) {
  constexpr faults possible[] = {{.lose = 1}, {.duplicate = 1}, {.lose = 1, .duplicate = 1}, {.lose = 2}};
  for (const auto model : models) {
    SCOPED_TRACE(to_string(model));
    std::uint64_t programs = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const auto tables = litmus::make_random(seed);
      const auto c = compare(with_faults(litmus::interpret(tables), possible[seed % 4]), seed,
                             {.check_undo = seed % 8 == 0, .model = model});
      if (!c.fits) continue;
      ++programs;
      EXPECT_THAT(c.differences, IsEmpty()) << "seed " << seed << "\n" << litmus::to_text(tables);
    }
    EXPECT_GT(programs, 10U);
  }
}

}  // namespace
}  // namespace harrier::differential
