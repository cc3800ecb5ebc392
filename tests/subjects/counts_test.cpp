// The literature's counts. They were computed by an independent model and agree with every figure that the papers
// print.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include <harrier/engine/exhaustive.hpp>
#include <harrier/explore/explore.hpp>

#include "../litmus/so_many.hpp"
#include "named.hpp"

namespace harrier::subjects {
namespace {

struct cell {
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::uint64_t executions;
  std::uint64_t deliveries;
  std::uint64_t traces;
};

void PrintTo(const cell& c, std::ostream* out) { *out << c.name; }

std::string test_name(const testing::TestParamInfo<cell>& info) {
  auto name = info.param.name;
  for (const auto& [parameter, value] : info.param.parameters) name += "_" + value;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// Counts the executions that differ in more than the order of independent deliveries: those in which some actor takes
/// its messages in another order.
class trace_counter final : public observer {
public:
  void step_flagged(system&) override {}
  void poll(system&) override {}
  void execution_blocked(system&) override {}
  void execution_ended(system& s) override {
    ++executions;
    fingerprint trace;
    for (auto i = s.setup_steps(); i < s.step_count(); ++i) {
      const auto& step = s.step_at(i);
      const std::uint64_t neighbours[] = {
          static_cast<std::uint64_t>(step.label),
          step.previous == no_step ? 0 : static_cast<std::uint64_t>(s.step_at(step.previous).label)};
      trace += hash_bytes(neighbours, sizeof neighbours);
    }
    traces_.insert(trace.low);
  }
  [[nodiscard]] std::uint64_t traces() const { return traces_.size(); }

  std::uint64_t executions = 0;

private:
  std::unordered_set<std::uint64_t> traces_;
};

class Counts : public testing::TestWithParam<cell> {};

TEST_P(Counts, AreTheLiteratures) {
  const auto& expected = GetParam();
  const auto system = named(expected.name, expected.parameters).start();
  trace_counter counter;

  search_context all{*system, counter};
  ASSERT_TRUE(explore_alone(all, share_exhaustive(made_by::one)));

  EXPECT_EQ(counter.executions, expected.executions);
  EXPECT_EQ(system->watch().deliveries(), expected.deliveries);
  EXPECT_EQ(counter.traces(), expected.traces);
}

INSTANTIATE_TEST_SUITE_P(Subjects, Counts,
                         testing::ValuesIn(std::vector<cell>{
                             {"registry", {{"workers", "2"}}, 30, 89, 6},
                             {"figure-3", {}, 30, 89, 6},
                             {"server", {}, 6, 26, 4},
                             {"server", {{"variant", "scala"}}, 6, 25, 4},
                             {"scala", {{"program", "server"}}, 6, 25, 4},
                             {"scala", {{"program", "spinsort"}}, 1152, 5044, 288},
                             {"scala", {{"program", "leader"}}, 374, 1466, 24},
                             {"scala", {{"program", "mergesort"}}, 33264, 113065, 8},
                             {"pi", {{"workers", "2"}}, 12, 43, 2},
                             {"pi", {{"workers", "3"}}, 540, 1621, 6},
                             {"pi", {{"workers", "4"}}, 60480, 168645, 24},
                             {"fib", {{"n", "3"}}, 6, 26, 2},
                             {"fib", {{"n", "4"}}, 168, 768, 4},
                             {"fib-collector", {}, 168, 768, 32},
                             {"fib-collector", {{"variant", "scala"}}, 168, 767, 32},
                             {"quicksort", {{"n", "3"}}, 168, 600, 4},
                             {"quicksort", {{"n", "4"}}, 11088, 43438, 8},
                             {"quicksort", {{"tree", "1101000"}}, 11088, 43438, 8},
                             {"mergesort", {{"n", "3"}}, 168, 600, 4},
                             {"mergesort", {{"n", "4"}}, 33264, 113066, 8},
                             {"mergesort", {{"n", "4"}, {"variant", "scala"}}, 33264, 113065, 8},
                             {"pipesort", {{"n", "2"}}, 11, 37, 2},
                             {"pipesort", {{"n", "3"}}, 291, 1082, 12},
                             {"pipesort", {{"n", "4"}}, 55104, 218259, 288},
                             {"chameneos", {{"meetings", "1"}}, 70560, 220465, 36},
                             {"leader", {{"n", "3"}}, 374, 1466, 24},
                             {"leader", {{"n", "4"}}, 78775, 423740, 492},
                             {"shortpath", {{"graph", "A"}}, 10614, 29964, 126},
                             {"shortpath", {{"graph", "triangle"}}, 3614, 9999, 62},
                             {"spinsort", {{"n", "4"}}, 1152, 5044, 288},
                             {"regsim", {{"n", "3"}}, 30, 90, 6},
                             {"regsim", {{"n", "4"}}, 630, 1841, 24},
                             {"regsim", {{"n", "5"}}, 22680, 65202, 120},
                             {"regsim", {{"n", "6"}}, 1247400, 3549297, 720},
                             {"mini-stop-work", {}, 2, 3, 2},
                             {"mini-exclusive", {}, 2, 2, 2},
                             {"senders", {{"n", "3"}}, 6, 15, 6},
                             {"readers", {{"readers", "2"}}, 90, 270, 6},
                             {"overtaken", {}, 56, 230, 6},
                             {"dht", {{"clients", "2"}, {"nodes", "1"}}, 9072, 26616, 96},
                             {"dht", {{"clients", "2"}}, 92400, 276958, 108},
                             {"mail", {{"letters", "0"}}, 630, 1850, 24},
                             {"mail", {{"users", "1"}, {"letters", "2"}}, 630, 1841, 144},
                             {"bounded-buffer", {{"producers", "1"}}, 3660, 11170, 12},
                             {"bounded-buffer", {{"consumers", "1"}, {"capacity", "1"}}, 25338, 79782, 36},
                             {"bounded-buffer", {{"consumers", "1"}, {"buffer", "guards"}}, 23100, 73505, 24},
                             {"regsim-tasks", {{"workers", "3"}, {"tasks", "1"}}, 16800, 50929, 24},
                             {"regsim-tasks", {{"workers", "2"}}, 1120, 3428, 24},
                             {"regsim-tasks", {{"workers", "2"}, {"told", "declarations"}}, 1120, 3428, 24},
                             {"pipesort-tasks", {{"n", "3"}, {"told", "1"}}, 3201, 11255, 48},
                             {"pipesort-tasks", {{"n", "3"}}, 19206, 65314, 144},
                         }),
                         test_name);

/// What engine dcute runs of a straight-line program: the figures of table 3.1 for Scala.
struct published {
  std::string program;
  std::string ordering;
  std::uint64_t executions;
  std::uint64_t deliveries;
};
void PrintTo(const published& p, std::ostream* out) { *out << p.program; }

class CountsOfScala : public testing::TestWithParam<published> {};

TEST_P(CountsOfScala, AreTheLiteratures) {
  const auto& expected = GetParam();
  options how;
  how.search.engine = "dcute";
  how.search.ordering = expected.ordering;
  how.judging.keep_going = true;
  const auto result = explore(named("scala", {{"program", expected.program}}), how);
  EXPECT_TRUE(result.exhausted);
  EXPECT_EQ(result.executions, expected.executions);
  EXPECT_EQ(result.transitions, expected.deliveries);
}

INSTANTIATE_TEST_SUITE_P(Subjects, CountsOfScala,
                         testing::Values(published{"server", "lca", 6, 25}, published{"server", "eca", 4, 17},
                                         published{"pi", "lca", 105, 732}, published{"pi", "eca", 24, 164},
                                         published{"mergesort", "lca", 8, 38}, published{"mergesort", "eca", 54, 210},
                                         published{"spinsort", "lca", 288, 1288},
                                         published{"spinsort", "eca", 1152, 5044}, published{"leader", "lca", 138, 666},
                                         published{"leader", "eca", 126, 611},
                                         published{"philosophers", "lca", 806, 6167},
                                         published{"philosophers", "eca", 9122, 64372}),
                         [](const auto& of) { return of.param.program + "_" + of.param.ordering; });

/// What engine optimal runs of a program: executions and deliveries.
struct run {
  std::uint64_t executions;
  std::uint64_t deliveries;

  friend bool operator==(const run&, const run&) = default;
  friend std::ostream& operator<<(std::ostream& out, const run& r) {
    return out << r.executions << " executions, " << r.deliveries << " deliveries";
  }
};

struct reduced {
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters;
  run plain;
  run observers;
  run fields;
  std::uint64_t given_up;  // with fields
};

void PrintTo(const reduced& r, std::ostream* out) { *out << r.name; }

class CountsOfOptimal : public testing::TestWithParam<reduced> {};

TEST_P(CountsOfOptimal, AreFewerWithIndependentFields) {
  const auto& expected = GetParam();
  const auto tested = named(expected.name, expected.parameters);
  std::uint64_t given_up = 0;
  const auto run_with = [&](std::optional<bool> observers, independence by) {
    options how;
    how.search.engine = "optimal";
    how.search.observers = observers;
    how.search.independence = by;
    const auto result = explore(tested, how);
    EXPECT_TRUE(result.exhausted) << result.stopped_by;
    given_up = result.blocked;
    return run{result.executions, result.transitions};
  };

  EXPECT_EQ(run_with(false, independence::receiver), expected.plain);
  EXPECT_EQ(run_with({}, independence::receiver), expected.observers);
  EXPECT_EQ(run_with({}, independence::fields), expected.fields);
  EXPECT_EQ(given_up, expected.given_up);
}

// Where something is declared, deliveries with fields are also those by which the declarations are checked.
INSTANTIATE_TEST_SUITE_P(
    Subjects, CountsOfOptimal,
    testing::Values(
        reduced{"dht", {{"clients", "2"}}, {108, 488}, {108, 488}, {4, 36}, 0},
        reduced{"dht", {{"clients", "3"}}, {4320, 20005}, {4320, 20005}, {8, 90}, 0},
        reduced{"dht", {{"clients", "3"}, {"stripes", "1"}}, {4320, 20005}, {4320, 20005}, {36, 370}, 0},
        reduced{"mail", {{"users", "2"}, {"letters", "0"}}, {24, 114}, {24, 114}, {18, 89}, 0},
        reduced{"mail", {{"users", "2"}, {"letters", "1"}}, {2880, 11078}, {2880, 11078}, {136, 1030}, 16},
        reduced{"mail", {{"users", "1"}, {"letters", "2"}}, {144, 425}, {144, 425}, {16, 82}, 3},
        reduced{"bounded-buffer", {{"producers", "1"}, {"consumers", "2"}}, {12, 54}, {12, 54}, {4, 30}, 0},
        reduced{"bounded-buffer", {{"producers", "2"}, {"consumers", "2"}}, {576, 1700}, {576, 1700}, {64, 352}, 2},
        reduced{"bounded-buffer",
                {{"producers", "2"}, {"consumers", "2"}, {"capacity", "1"}},
                {576, 1700},
                {576, 1700},
                {96, 524},
                0},
        reduced{"bounded-buffer",
                {{"producers", "2"}, {"consumers", "2"}, {"buffer", "guards"}},
                {192, 572},
                {192, 572},
                {32, 176},
                0},
        reduced{"bounded-buffer",
                {{"producers", "3"}, {"consumers", "2"}, {"capacity", "4"}},
                {14400, 39930},
                {14400, 39930},
                {576, 2430},
                2},
        reduced{"regsim-tasks", {{"workers", "4"}, {"tasks", "2"}}, {720, 4840}, {720, 4840}, {24, 166}, 0},
        reduced{"regsim-tasks",
                {{"workers", "4"}, {"tasks", "2"}, {"told", "declarations"}},
                {720, 4840},
                {720, 4840},
                {24, 166},
                0},
        reduced{"regsim-tasks", {{"workers", "6"}, {"tasks", "1"}}, {5040, 43945}, {5040, 43945}, {720, 6283}, 0},
        reduced{"pipesort-tasks", {{"n", "3"}, {"told", "2"}}, {144, 722}, {144, 722}, {12, 75}, 0},
        reduced{"pipesort-tasks", {{"n", "4"}, {"told", "2"}}, {5760, 28132}, {5760, 28132}, {288, 1465}, 0},
        reduced{"pipesort-tasks", {{"n", "4"}, {"told", "0"}}, {288, 1448}, {288, 1448}, {288, 1448}, 0}),
    [](const auto& of) {
      auto name = of.param.name;
      for (const auto& [parameter, value] : of.param.parameters) name += "_" + value;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

/// With messages that are tried in both orders: executions, those given up, and as engine optimal has them.
struct tried {
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::uint64_t plain;
  std::uint64_t semantic;
  std::uint64_t given_up;
};

void PrintTo(const tried& t, std::ostream* out) { *out << t.name; }

class CountsOfTries : public testing::TestWithParam<tried> {};

TEST_P(CountsOfTries, AreFewerWhereMessagesCommute) {
  const auto& expected = GetParam();
  const auto tested = named(expected.name, expected.parameters);
  options how;
  how.search.engine = "source";
  EXPECT_EQ(explore(tested, how).executions, expected.plain);
  how.search.independence = independence::semantic;
  const auto result = explore(tested, how);
  EXPECT_TRUE(result.exhausted) << result.stopped_by;
  EXPECT_EQ(result.executions, expected.semantic);
  EXPECT_EQ(result.blocked, expected.given_up);
}

INSTANTIATE_TEST_SUITE_P(Subjects, CountsOfTries,
                         testing::Values(tried{"figure-3", {}, 6, 2, 2}, tried{"pi", {{"workers", "5"}}, 120, 5, 11},
                                         tried{"dht", {{"clients", "2"}}, 108, 4, 24},
                                         tried{"mail", {{"users", "2"}, {"letters", "1"}}, 2880, 18, 127},
                                         tried{
                                             "bounded-buffer", {{"producers", "2"}, {"consumers", "2"}}, 576, 16, 114},
                                         tried{"regsim-tasks", {{"workers", "4"}, {"tasks", "2"}}, 720, 24, 72},
                                         tried{"pipesort-tasks", {{"n", "4"}, {"told", "2"}}, 5760, 64, 230},
                                         tried{"leader", {{"n", "4"}}, 492, 178, 78},
                                         tried{"two-phase-commit", {{"participants", "3"}}, 48, 24, 8}),
                         [](const auto& of) {
                           auto name = of.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Executions under Eta's model: each actor takes its messages in the order in which they were sent.
std::uint64_t executions_with_mailboxes(const program& tested) {
  const auto system = tested.start(delivery::mailbox);
  trace_counter counter;
  search_context all{*system, counter};
  EXPECT_TRUE(explore_alone(all, share_exhaustive(made_by::one)));
  return counter.executions;
}

TEST(CountsWithMailboxes, AreThoseOfEta) {
  EXPECT_EQ(executions_with_mailboxes(named("pingpong", {{"n", "10"}})), 2048U);
  EXPECT_EQ(executions_with_mailboxes(named("pingpong", {{"n", "15"}})), 65536U);
  EXPECT_EQ(executions_with_mailboxes(named("phils")), 150U);
  EXPECT_EQ(executions_with_mailboxes(named("store")), 1946U);
  EXPECT_EQ(executions_with_mailboxes(named("store", {{"clients", "2"}})), 10933U);
  EXPECT_EQ(executions_with_mailboxes(named("store", {{"backends", "2"}, {"clients", "2"}})), 18275U);
  EXPECT_EQ(executions_with_mailboxes(named("store", {{"frontends", "2"}, {"backends", "2"}, {"clients", "2"}})),
            82719U);
  EXPECT_EQ(executions_with_mailboxes(named("store", {{"frontends", "2"}, {"backends", "2"}, {"clients", "3"}})),
            239466U);
}

TEST(CountsWithMailboxes, AreThoseOfEtaForThreePhilosophers) {
  if (litmus::so_many(1) == 1) GTEST_SKIP() << "half a minute: HARRIER_MORE_SEEDS=2 counts them";
  EXPECT_EQ(executions_with_mailboxes(named("phils", {{"n", "3"}})), 3159870U);
}

}  // namespace
}  // namespace harrier::subjects
