// Two messages of one actor that have the same effect in both orders, in the state it is in, commute there. What an
// exploration of every order finds, and where it ends, is what a search that runs one of those orders finds.
#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

#include <src/engine/dpor/parts.hpp>

#include "cell_searches.hpp"
#include "cells.hpp"
#include "compare.hpp"
#include "mutants.hpp"

namespace harrier::differential {
namespace {

using testing::IsEmpty;

/// Of what the executions of each class led to.
template <class Classes>
std::set<std::uint64_t> ends_of(const Classes& all) {
  std::set<std::uint64_t> ends;
  for (const auto& [name, known] : all) ends.insert(known.end);
  return ends;
}

struct part {
  cell_kind kind;
  delivery model;
  std::uint64_t programs, orders, ends;  ///< of all orders; an end is a configuration and who took what
  std::uint64_t by_receiver, executions, blocked;

  friend std::ostream& operator<<(std::ostream& out, const part& p) {
    return out << to_string(p.kind) << '_' << to_string(p.model);
  }
};

class MessagesThatCommute : public testing::TestWithParam<part> {};

TEST_P(MessagesThatCommute, AreRunInOneOrder) {
  const auto& expected = GetParam();
  std::vector<std::string> all;
  auto sum = expected;
  sum.programs = sum.orders = sum.ends = sum.by_receiver = sum.executions = sum.blocked = 0;
  for (std::uint64_t seed = 1; seed < 101; ++seed) {
    const auto tested = make_cells(expected.kind, seed);
    const auto oracle = every_order(tested, expected.kind, expected.model);
    if (!oracle.is_complete || oracle.executions < 2) continue;
    const auto note = [&](const std::string& line) {
      if (!line.empty()) all.push_back("seed " + std::to_string(seed) + ": " + line);
    };
    const auto plain = seen_by(by_source_sets<parts>, tested, expected.kind, expected.model, seed);
    const auto seen = seen_by(searches_that_try.front(), tested, expected.kind, expected.model, seed);
    note(difference_in_ends(oracle, seen));
    if (seen.executions > plain.executions) note("more executions than with no pair of messages tried");
    note(difference_in_ends(oracle, seen_by(searches_that_try.back(), tested, expected.kind, expected.model, seed)));
    ++sum.programs;
    sum.orders += oracle.executions;
    sum.ends += ends_of(oracle.classes).size();
    sum.by_receiver += plain.executions;
    sum.executions += seen.executions;
    sum.blocked += seen.blocked;
  }
  EXPECT_THAT(all, IsEmpty());
  EXPECT_EQ(sum.programs, expected.programs);
  EXPECT_EQ(sum.orders, expected.orders);
  EXPECT_EQ(sum.ends, expected.ends);
  EXPECT_EQ(sum.by_receiver, expected.by_receiver);
  EXPECT_EQ(sum.executions, expected.executions);
  EXPECT_EQ(sum.blocked, expected.blocked);
}

INSTANTIATE_TEST_SUITE_P(Differential, MessagesThatCommute,
                         testing::Values(part{cell_kind::plain, delivery::unordered, 90, 19968, 217, 7866, 273, 704},
                                         part{cell_kind::plain, delivery::fifo, 74, 2402, 96, 333, 100, 70},
                                         part{cell_kind::plain, delivery::causal, 74, 2115, 95, 299, 153, 50},
                                         part{cell_kind::guarded, delivery::unordered, 91, 20022, 228, 9485, 292, 727},
                                         part{cell_kind::guarded, delivery::fifo, 74, 2246, 98, 327, 103, 64},
                                         part{cell_kind::guarded, delivery::causal, 74, 1959, 97, 293, 156, 44}),
                         [](const auto& of) { return testing::PrintToString(of.param); });

/// Where guards, calls, draws, creation and failures are. No class of the receivers' orders is run twice.
TEST(ProgramsWithGuards, ShowTheSameWithMessagesThatCommute) {
  std::vector<std::string> all;
  std::uint64_t programs = 0, by_receiver = 0, executions = 0, blocked = 0;
  for (const auto model : {delivery::unordered, delivery::fifo, delivery::causal})
    for (std::uint64_t seed = 7000; seed < 7120; ++seed) {
      const auto tables = litmus::make_random(seed);
      const auto tested = litmus::interpret(tables);
      const auto told = oracle_of(tested, {.model = model});
      if (!told) continue;
      ++programs;
      by_receiver += told->traces.size();
      const search semantic{"semantic", search::promise::covers, true, searches_that_try.front()};
      const auto seen = observe(tested, semantic, ordering_for(seed), much_larger, {.model = model});
      executions += seen.executions;
      blocked += seen.blocked;
      if (const auto line = difference_in_ends(*told, seen); !line.empty())
        all.push_back("seed " + std::to_string(seed) + ", " + std::string(to_string(model)) + ": " + line);
    }
  EXPECT_THAT(all, IsEmpty());
  EXPECT_EQ(programs, 190);
  EXPECT_EQ(by_receiver, 3328);
  EXPECT_EQ(executions, 2703);
  EXPECT_EQ(blocked, 126);
}

class MistakesOfMessagesThatCommute : public testing::TestWithParam<semantic_mutant> {};

TEST_P(MistakesOfMessagesThatCommute, AreCaught) {
  const auto& m = GetParam();
  for (std::uint64_t seed = 1; seed < 1000; ++seed) {
    const auto tested = make_cells(cell_kind::plain, seed);
    const auto oracle = every_order(tested, cell_kind::plain, m.model);
    if (!oracle.is_complete || oracle.executions < 2) continue;
    if (!difference_in_ends(oracle, seen_by(m.wrong, tested, cell_kind::plain, m.model, seed)).empty()) return;
  }
  FAIL() << m.name << " makes no difference";
}

INSTANTIATE_TEST_SUITE_P(Each, MistakesOfMessagesThatCommute, testing::ValuesIn(all_semantic_mutants()),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace harrier::differential
