// The published tables, cell by cell: bench/tables prints what is counted here.
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include <bench/tables/eta.hpp>
#include <bench/tables/report.hpp>
#include <bench/tables/selection.hpp>
#include <bench/tables/task_selection.hpp>

namespace harrier::tables {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr std::uint64_t quick = 20'000;

std::vector<trial> run_all(std::uint64_t most_deliveries) {
  laboratory lab({.seconds = 200, .deliveries = most_deliveries});
  std::vector<trial> trials;
  for (const auto& c : read_figures(HARRIER_PUBLISHED_FIGURES)) trials.push_back(lab.run(c));
  return trials;
}

/// Of each table, its equal and its different cells.
std::vector<std::pair<std::string, std::pair<int, int>>> counts(const std::vector<trial>& trials) {
  std::vector<std::pair<std::string, std::pair<int, int>>> list;
  for (const auto& about : all_tables()) {
    outcome table{about, {}};
    for (const auto& t : trials)
      if (t.published.table == about.name) table.trials.push_back(t);
    list.emplace_back(about.name, std::pair(table.sum().equal, table.sum().different));
  }
  return list;
}

TEST(Tables, AreReproduced) {
  EXPECT_THAT(counts(run_all(10'000'000)),
              ElementsAre(Pair("3.1", Pair(28, 0)), Pair("3.2", Pair(27, 0)), Pair("3.3", Pair(12, 0)),
                          Pair("4.1", Pair(128, 0)), Pair("4.2", Pair(128, 0)), Pair("T1", Pair(52, 0)),
                          Pair("T2", Pair(42, 8))));
}

/// Of the cells in which states are compared: our messages, states and depth.
std::vector<std::vector<std::uint64_t>> states_of(const std::string& subject, const std::string& table) {
  laboratory lab({});
  std::vector<std::vector<std::uint64_t>> found;
  for (const auto& c : read_figures(HARRIER_PUBLISHED_FIGURES)) {
    if (c.table != table || c.subject != subject || !c.states.given() || !c.can_run()) continue;
    const auto t = lab.run(c);
    found.push_back({t.transitions.value(), t.states.value(), t.depth.value()});
  }
  return found;
}

// Figures that no other test has: they move if states are taken for the same that are not, or the other way round.
TEST(Tables, CompareStatesAsMeasured) {
  EXPECT_THAT(states_of("server", "3.2"), ElementsAre(ElementsAre(22, 21, 7), ElementsAre(21, 20, 6)));
  EXPECT_THAT(states_of("server", "3.3"), ElementsAre(ElementsAre(26, 10, 4), ElementsAre(22, 20, 6),
                                                      ElementsAre(25, 10, 4), ElementsAre(21, 19, 5)));
  EXPECT_THAT(states_of("shortpath", "3.3"), ElementsAre(ElementsAre(639, 274, 8), ElementsAre(556, 229, 10)));
}

TEST(Tables, SayWhyACellDiffersOrWasNotRun) {
  for (const auto& t : run_all(quick)) {
    const bool needs_a_reason = t.outcome == trial::verdict::different || t.outcome == trial::verdict::not_run;
    if (t.published.beside() || !needs_a_reason) continue;
    EXPECT_NE(t.why, "") << t.published.table << ' ' << t.published.subject << ' ' << t.published.row;
  }
}

TEST(Tables, ShowThePublishedFigureBesideOurs) {
  cell c;
  c.table = "4.2";
  c.subject = "fib(5)";
  c.row = "LCA";
  c.column = "Persistent";
  c.program = "fib n=5";
  c.engine = "persistent";
  c.ordering = "lca";
  c.extra = 1;
  c.paths.printed = "16";
  c.transitions.printed = "93";
  c.remark = "one too many";

  const auto text = to_text(outcome{{"4.2", "A title", ""}, {laboratory({}).run(c)}});

  EXPECT_EQ(text,
            "A title\n"
            "\n"
            "              Persistent\n"
            "              published     ours\n"
            "fib(5)  LCA     16 / 93  16 / 92  !=[1]\n"
            "\n"
            "[1] one too many\n"
            "Persistent: 0 equal, 1 different\n");
}

TEST(Tables, HaveEtasSpacesExactly) {
  for (const std::string test : {"Store(1,1,1,3)", "Store(1,1,2,3)", "Store(1,2,2,3)", "Phils(2)", "PingPong(10)"}) {
    const auto row = run_eta(test, 200);
    EXPECT_EQ(row.all.executions, row.all.published) << test;
    EXPECT_TRUE(row.reduced.executions && *row.reduced.executions <= row.reduced.published) << test;
    const auto ratio = row.estimate / static_cast<double>(row.all.published);
    EXPECT_TRUE(ratio > 0.3 && ratio < 3) << test << ": " << ratio << " by " << row.samples << " samples";
  }
}

// Without going back over actors: what is left are the orders of the messages of one actor.
TEST(Tables, HaveTheExecutionsOfTheSelectionOfActors) {
  for (const std::string test : {"QSort(5)", "QSort(6)", "Fib(5)", "Pi(3)", "Pi(5)", "PSort(4,1)"}) {
    const auto row = run_selection(test, 200);
    EXPECT_EQ(row.ours.executions, row.published.executions) << test;
    EXPECT_GE(row.with_fifo.executions, row.ours.executions) << test;
  }
  for (const std::string test : {"Pi(3)", "Pi(5)", "PSort(4,1)"}) {
    const auto row = run_selection(test, 200);
    EXPECT_EQ(row.ours.states, row.published.states) << test;
  }
  for (const std::string test : {"Pi(3)", "Pi(5)"}) {
    const auto row = run_selection(test, 200);
    EXPECT_EQ(row.ours.without, row.published.without) << test;
  }
  EXPECT_EQ(run_selection("Fib(5)", 200).ours.without, 0U);  // 23 there: see docs/algorithms/orderings.md
}

TEST(TaskSelection, GivesAtLeastTheFactorOfWhatWasCut) {
  const task_row cut{.test = "Mail(2,3)",
                     .program = "mail letters=2",
                     .plain = {.executions = 1000, .seconds = 60, .ended = false},
                     .fields = {.executions = 8, .seconds = 0.5}};

  EXPECT_THAT(to_text(std::vector<task_row>{cut}), AllOf(HasSubstr(" >1000 "), HasSubstr(" >125.0  >120.0 ")));
}

TEST(TaskSelection, GivesNoFactorInTimeOfWhatIsTooShort) {
  const task_row soon{.test = {},
                      .program = "dht",
                      .plain = {.executions = 108, .seconds = 0.01},
                      .fields = {.executions = 4, .seconds = 0.001}};

  EXPECT_THAT(to_text(std::vector<task_row>{soon}), HasSubstr(" 27.0       - "));
}

}  // namespace
}  // namespace harrier::tables
