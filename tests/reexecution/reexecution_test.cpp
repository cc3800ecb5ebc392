// A system that cannot go back, under every engine and delivery model, beside the native kit on the same programs.
#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "../engine/compare.hpp"
#include "../litmus/so_many.hpp"
#include "reexecuting.hpp"

namespace harrier::reexecution {
namespace {

using differential::observed;
using testing::IsEmpty;

const std::uint64_t programs = litmus::so_many(80);
constexpr differential::limits largest{120, 3000};

std::vector<std::uint64_t> traces_of(const observed& o) {
  std::vector<std::uint64_t> traces;
  for (const auto& [t, seen] : o.traces) traces.push_back(t);
  return traces;
}

/// How the program of `tables` differs when it is re-executed; nothing if it is too large, or has one execution only.
std::optional<std::vector<std::string>> differences(const litmus::random_program& tables, delivery model) {
  const auto native = differential::oracle_of(litmus::interpret(tables), {.model = model}, largest);
  if (!native || native->how_it_ended != differential::verdict::complete) return {};
  const auto compared = differential::compare(reexecute(tables), tables.seed, {.model = model}, largest);
  auto lines = compared.differences;
  if (traces_of(compared.oracle) != traces_of(*native))
    lines.emplace_back("exhaustive: other traces than the native kit");
  if (compared.oracle.executions != native->executions)
    lines.emplace_back("exhaustive: other executions than the native kit");
  for (auto& line : lines) line = "seed " + std::to_string(tables.seed) + ": " + line + "\n" + litmus::to_text(tables);
  return lines;
}

/// One of 12 traces, with a guard that a delivery to the same actor opens.
constexpr std::uint64_t guarded_seed = 5243;

std::size_t traces_by_optimal(reexecuting::answers when) {
  const auto tables = litmus::make_random(guarded_seed);
  const auto& all = differential::searches();
  const auto optimal = std::find_if(all.begin(), all.end(), [](const auto& s) { return s.name == "optimal"; });
  return differential::observe(reexecute(tables, when), *optimal, "fifo", differential::much_larger).traces.size();
}

// Whoever answers from the state that a receiver is in now loses classes, and nothing says so.
TEST(Acceptance, IsAskedOfAReceiversPast) {
  const auto tables = litmus::make_random(guarded_seed);
  const auto native = differential::oracle_of(litmus::interpret(tables));
  ASSERT_TRUE(native);
  const auto wrong = differential::oracle_of(reexecute(tables, reexecuting::answers::from_now));
  ASSERT_TRUE(wrong);

  EXPECT_EQ(native->executions, 120U);
  EXPECT_EQ(wrong->executions, 120U);
  EXPECT_EQ(native->traces.size(), 12U);
  EXPECT_EQ(traces_by_optimal(reexecuting::answers::from_now), 6U);
  EXPECT_EQ(traces_by_optimal(reexecuting::answers::from_then), 12U);
}

class Reexecution : public testing::TestWithParam<delivery> {};

TEST_P(Reexecution, IsTheSameToEverySearch) {
  std::vector<std::string> all;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const auto lines = differences(litmus::make_random(seed), GetParam());
    if (!lines) continue;
    ++compared;
    all.insert(all.end(), lines->begin(), lines->end());
  }

  EXPECT_THAT(all, IsEmpty());
  EXPECT_GE(compared, programs / 5);
}

INSTANTIATE_TEST_SUITE_P(Each, Reexecution, testing::ValuesIn(delivery_models()), [](const auto& of) {
  auto name = std::string(to_string(of.param));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace harrier::reexecution
