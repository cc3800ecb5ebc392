// Protocols through the engines that explore actor programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <harrier/explore/explore.hpp>
#include <harrier/protocol/module.hpp>
#include <harrier/protocol/program.hpp>

#include "../explored.hpp"
#include "cg_checked.hpp"
#include "cg_strict.hpp"
#include "support.hpp"

namespace harrier::protocol {
namespace {

// Runs to an end, of a space without cycles.
std::uint64_t runs(const state_graph& graph, state_id from = 0) {
  if (graph.steps[from].empty()) return 1;
  std::uint64_t sum = 0;
  for (const auto& t : graph.steps[from]) sum += runs(graph, t.target);
  return sum;
}

// Two workers, whose answers come in any order.
constexpr auto two_answers =
    "(s/defrole ::m) (s/defrole ::w) (s/defsession ::p [] (s/par (s/cat (-->> T ::m (::w 1)) (-->> U (::w 1) ::m))"
    " (s/cat (-->> T ::m (::w 2)) (-->> U (::w 2) ::m))))";

TEST(ProgramOfAModule, HasTheRunsOfItsSpaceUnderEveryEngine) {
  const auto s = session(two_answers, "p");
  for (const auto mode : {module_mode::strict, module_mode::liberal_checked}) {
    generate_options options;
    options.mode = mode;
    const auto loaded = load(generate(s, "p", options));
    module_space space(loaded.probe());
    const auto expected = runs(harrier::protocol::explore(space));
    for (const auto* engine : {"exhaustive", "source", "optimal", "persistent", "trust", "transdpor", "dcute"}) {
      const auto result = explore_all(make_program("p", loaded.probe()), engine);
      EXPECT_TRUE(result.exhausted);
      EXPECT_EQ(result.executions, expected) << engine;
      EXPECT_TRUE(result.findings.empty()) << engine;
    }
  }
}

TEST(ProgramOfADefinition, TakesEveryBranchOfNondeterminism) {
  const auto text =
      session_p("(s/alt (s/cat (-->> T ::a ::b) (-->> T ::b ::c)) (s/cat (-->> T ::a ::b) (-->> U ::b ::c)))");

  EXPECT_EQ(explore_all(make_program(parsed(text), "p", {}), "exhaustive").executions, 2U);
}

TEST(ProgramOfAModule, IsAtADeadlockWhereARoleWaitsForEver) {
  const auto s = session(session_p("(s/alt (s/cat (-->> T ::a ::b) (-->> T ::b ::c)) (-->> U ::a ::b))"), "p");
  for (const auto& [mode, deadlocks] : {std::pair{module_mode::strict, 0U}, {module_mode::liberal_checked, 1U}}) {
    generate_options options;
    options.mode = mode;
    const auto loaded = load(generate(s, "p", options));
    const auto result = explore_all(make_program("p", loaded.probe()), "exhaustive");

    ASSERT_EQ(result.findings.size(), deadlocks) << "in the strict mode nobody waits: the session may end after U";
    for (const auto& f : result.findings) {
      EXPECT_EQ(f.kind, finding_kind::deadlock);
      ASSERT_EQ(f.trace.size(), 2U);
      EXPECT_EQ(f.trace[1].message, "b RECV U FROM a");
    }
  }
}

TEST(ProgramOfAModule, IsMadeOfACompiledClass) {
  options how;
  how.search.engine = "exhaustive";
  how.limits.max_depth = 6;
  how.limits.max_executions = 100;

  EXPECT_GT(explore(program_of<cg_strict::cg>("cg"), how).truncated, 0U);
  EXPECT_GT(explore(program_of<cg_checked::cg>("cg"), how).truncated, 0U);
}

}  // namespace
}  // namespace harrier::protocol
