// Engine stateful beside the set of all configurations, written down as text.
#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

#include <harrier/engine/exhaustive.hpp>

#include <src/engine/alone.hpp>

#include "../litmus/so_many.hpp"
#include "compare.hpp"
#include "mutants.hpp"
#include "states.hpp"

namespace harrier::differential {
namespace {

using testing::Each;
using testing::Gt;
using testing::IsEmpty;

constexpr std::uint64_t parts = 4;
const std::uint64_t seeds_a_part = litmus::so_many(30);
constexpr std::uint64_t most_deliveries = 1500;

using make_tables = litmus::random_program (*)(std::uint64_t seed);

std::vector<std::string> differences_of_seed(make_tables make, std::uint64_t seed) {
  const auto tables = make(seed);
  try {
    auto lines = state_differences(litmus::interpret(tables), explore_stateful, most_deliveries);
    for (auto& line : lines) line = "seed " + std::to_string(seed) + ": " + line + "\n" + litmus::to_text(tables);
    return lines;
  } catch (const untestable_program&) {
    return {};
  }
}

std::vector<std::string> differences_of_part(make_tables make, std::uint64_t part, std::uint64_t seeds) {
  std::vector<std::string> all;
  for (std::uint64_t i = 0; i < seeds; ++i)
    for (auto& line : differences_of_seed(make, 1 + part * seeds + i)) all.push_back(std::move(line));
  return all;
}

class States : public testing::TestWithParam<std::uint64_t> {};

TEST_P(States, OfProgramsThatEndAreAllFound) {
  EXPECT_THAT(differences_of_part(litmus::make_random, GetParam(), seeds_a_part), IsEmpty());
}

TEST_P(States, OfEndlessProgramsAreAllFound) {
  EXPECT_THAT(differences_of_part(litmus::make_endless, GetParam(), seeds_a_part / 2), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Differential, States, testing::Range(std::uint64_t{0}, parts));

/// How often what the comparison is about occurs in the programs that are small enough for it.
struct occurrence {
  int compared = 0, counted = 0, merging = 0, aborting = 0, with_twins = 0, with_findings = 0;
};

occurrence occurrence_in(make_tables make, std::uint64_t seeds) {
  occurrence all;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto tables = make(seed);
    try {
      const auto there = reach_once(litmus::interpret(tables), false, comparing::multisets, most_deliveries);
      if (!there.complete) continue;
      ++all.compared;
      all.counted += there.countable() ? 1 : 0;
      all.merging += there.steps.size() >= there.states.size() ? 1 : 0;
      all.aborting += there.aborts ? 1 : 0;
      all.with_twins += there.twins ? 1 : 0;
      all.with_findings += there.findings.empty() ? 0 : 1;
    } catch (const untestable_program&) {
      continue;
    }
  }
  return all;
}

TEST(Programs, ShowWhatIsCompared) {
  const auto ending = occurrence_in(litmus::make_random, 200);
  const auto endless = occurrence_in(litmus::make_endless, 100);

  EXPECT_THAT((std::vector{ending.counted, ending.merging, endless.counted, endless.merging}), Each(Gt(50)));
  EXPECT_THAT((std::vector{ending.aborting, ending.with_twins, ending.with_findings, endless.with_findings}),
              Each(Gt(10)));
}

/// An observer that counts ends and does nothing else.
class ends_counter final : public observer {
public:
  void step_flagged(system&) override {}
  void poll(system&) override {}
  void execution_ended(system&) override { ++ends; }
  void execution_blocked(system&) override {}

  std::uint64_t ends = 0;
};

// What the texts leave out, every order of deliveries would show.
TEST(Texts, SayAllThatDecidesHowAnExecutionGoesOn) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= litmus::so_many(80); ++seed) {
    const auto tables = litmus::make_random(seed);
    try {
      const auto tested = litmus::interpret(tables);
      const auto all = reach_by_every_order(tested, false, 2000);
      if (!all.complete || !all.countable()) continue;
      ++compared;
      const auto once = reach_once(tested, false, comparing::multisets, 2000);
      EXPECT_TRUE(once.complete);
      EXPECT_EQ(all.states, once.states) << seed;
      EXPECT_EQ(all.steps, once.steps) << seed;
      EXPECT_EQ(all.findings, once.findings) << seed;
    } catch (const untestable_program&) {
      continue;
    }
  }
  EXPECT_GT(compared, 25);
}

TEST(StatesNotCompared, AreThoseOfEveryOrder) {
  for (std::uint64_t seed = 1; seed <= litmus::so_many(50); ++seed) {
    const auto tables = litmus::make_random(seed);
    try {
      const auto tested = litmus::interpret(tables);
      if (!reach_by_every_order(tested, false, 2000).complete) continue;
      ends_counter every;
      const auto s = tested.start();
      s->watch().observe(&every);
      search_context all{*s, every};
      explore_alone(all, share_exhaustive(made_by::one));
      stateful_options how;
      how.comparison = state_comparison::none;
      how.sleep_sets = false;

      const auto found = search_states(tested, explore_stateful, how, 100'000);

      EXPECT_EQ(found.executions, every.ends) << seed;
      EXPECT_EQ(found.transitions, s->watch().deliveries()) << seed;
    } catch (const untestable_program&) {
      continue;
    }
  }
}

bool is_caught_by(const state_mutant& m, const litmus::random_program& tables, std::uint64_t most) {
  try {
    return !state_differences(litmus::interpret(tables), m.run, most).empty();
  } catch (const untestable_program&) {
    return false;
  }
}

/// Few programs are like these, which are tried first, and then all others in turn.
bool is_caught(const state_mutant& m) {
  for (const std::uint64_t seed : {1, 2, 20, 77, 168})
    if (is_caught_by(m, litmus::make_random(seed), most_deliveries / 3)) return true;
  for (const std::uint64_t seed : {1359, 1005})
    if (is_caught_by(m, litmus::make_endless(seed), 4 * most_deliveries)) return true;
  for (std::uint64_t seed = 1; seed <= 250; ++seed)
    if (is_caught_by(m, litmus::make_random(seed), most_deliveries / 3)) return true;
  return false;
}

std::string name_of(const testing::TestParamInfo<state_mutant>& of) { return of.param.name; }

class StateMutants : public testing::TestWithParam<state_mutant> {};

TEST_P(StateMutants, AreCaught) { EXPECT_TRUE(is_caught(GetParam())) << GetParam().change; }

INSTANTIATE_TEST_SUITE_P(Each, StateMutants, testing::ValuesIn(all_state_mutants()), name_of);

}  // namespace
}  // namespace harrier::differential
