// What is said of how many executions there are, while only some were run, beside how many there are.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <harrier/explore/explore.hpp>

#include <src/core/base/likely_size.hpp>

#include "named.hpp"

namespace harrier::subjects {
namespace {

struct known {
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::uint64_t executions;  // of engine optimal
};
void PrintTo(const known& k, std::ostream* out) { *out << k.name; }

class Estimates : public testing::TestWithParam<known> {};

TEST_P(Estimates, AreLikelyWithinTheBoundsThatAreGiven) {
  const auto tested = named(GetParam().name, GetParam().parameters);
  const auto all = GetParam().executions;
  for (const std::uint64_t percent : {1, 5, 20, 50}) {
    options how;
    how.search.engine = "optimal";
    how.search.observers = false;
    how.judging.keep_going = true;
    how.judging.check_determinism = repetition::off;
    how.limits.max_executions = std::max<std::uint64_t>(1, all * percent / 100);
    const auto seen = explore(tested, how);

    ASSERT_TRUE(seen.estimate) << percent;
    const auto likely = likely_size_of(*seen.estimate, seen.exhausted);
    EXPECT_LE(likely.at_least, static_cast<double>(all)) << percent << " %: " << seen.estimate->executions;
    EXPECT_GE(likely.at_most, static_cast<double>(all)) << percent << " %: " << seen.estimate->executions;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Of, Estimates,
    testing::Values(known{"registry", {{"workers", "6"}}, 5040}, known{"pi", {{"workers", "6"}}, 720},
                    known{"chameneos", {{"meetings", "3"}}, 1296}, known{"leader", {{"n", "4"}}, 492},
                    known{"leader", {{"n", "5"}}, 10032}, known{"shortpath", {{"graph", "B"}}, 296},
                    known{"regsim", {{"n", "6"}}, 720}, known{"philosophers", {{"n", "5"}}, 962},
                    known{"senders", {{"n", "7"}}, 5040}, known{"phils", {{"n", "4"}}, 225},
                    known{"message-philosophers", {{"n", "5"}}, 960}, known{"pingpong", {{"n", "7"}}, 1107},
                    known{"fib", {{"n", "7"}}, 4096}, known{"pipesort", {{"n", "4"}}, 288}));

}  // namespace
}  // namespace harrier::subjects
