// Programs whose messages touch different fields: with independent fields fewer executions show the same.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include <harrier/engine/exhaustive.hpp>
#include <harrier/engine/optimal.hpp>
#include <harrier/explore/explore.hpp>

#include "named.hpp"

namespace harrier::subjects {
namespace {

struct small_one {
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters;
};

void PrintTo(const small_one& s, std::ostream* out) {
  *out << s.name;
  for (const auto& [parameter, value] : s.parameters) *out << ' ' << parameter << '=' << value;
}

std::string test_name(const testing::TestParamInfo<small_one>& info) {
  auto name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  for (const auto& [parameter, value] : info.param.parameters) name += "_" + value;
  return name;
}

/// The configurations in which executions end.
class ends final : public observer {
public:
  void step_flagged(system&) override { FAIL() << "a check of the program failed"; }
  void poll(system&) override {}
  void execution_blocked(system&) override {}
  void execution_ended(system& s) override { seen.insert(s.configuration().low); }
  std::set<std::uint64_t> seen;
};

template <class Search>
std::set<std::uint64_t> ends_of(const program& tested, Search search) {
  const auto system = tested.start();
  ends watcher;
  search_context context{*system, watcher};
  EXPECT_TRUE(search(context));
  return watcher.seen;
}

bool in_all_orders(search_context& context) { return explore_alone(context, share_exhaustive(made_by::one)); }
bool plainly(search_context& context) { return explore_alone(context, share_optimal({}, made_by::one)); }
bool by_fields(search_context& context) {
  return explore_alone(context, share_optimal({.independence = independence::fields}, made_by::one));
}

class IndependentFields : public testing::TestWithParam<small_one> {};

TEST_P(IndependentFields, LeadToEachEndThatAnyOrderLeadsTo) {
  const auto tested = named(GetParam().name, GetParam().parameters);

  const auto all = ends_of(tested, in_all_orders);

  EXPECT_EQ(ends_of(tested, by_fields), all);
  options how;
  how.search.engine = "stateful";
  const auto states = explore(tested, how).states;
  ASSERT_TRUE(states);
  EXPECT_EQ(states->final_states, all.size());
}

/// The kinds, messages and actors of what an exploration finds: which execution shows it is left to the engine.
std::set<std::string> findings_of(const program& tested, const options& how) {
  const auto result = explore(tested, how);
  EXPECT_TRUE(result.exhausted) << how.search.engine.name() << ": " << result.stopped_by;
  std::set<std::string> all;
  for (const auto* some : {&result.findings, &result.warnings})
    for (const auto& f : *some) all.insert(std::string(to_string(f.kind)) + ": " + f.message);
  return all;
}

TEST_P(IndependentFields, ShowTheFindingsOfEveryEngine) {
  const auto tested = named(GetParam().name, GetParam().parameters);
  options how;
  how.judging.keep_going = true;
  how.search.engine = "exhaustive";
  const auto expected = findings_of(tested, how);
  for (const std::string engine : {"optimal", "source", "dcute", "persistent", "transdpor", "trust", "stateful"}) {
    how.search.engine = engine;
    EXPECT_EQ(findings_of(tested, how), expected) << engine;
  }
  how.search.engine = "optimal";
  how.search.independence = independence::fields;
  EXPECT_EQ(findings_of(tested, how), expected) << "fields";
  how.search.engine = "source";
  how.search.independence = independence::semantic;
  EXPECT_EQ(findings_of(tested, how), expected) << "semantic";
}

INSTANTIATE_TEST_SUITE_P(Subjects, IndependentFields,
                         testing::ValuesIn(std::vector<small_one>{
                             {"dht", {{"nodes", "1"}}},
                             {"dht", {{"nodes", "1"}, {"stripes", "1"}}},
                             {"dht", {{"clients", "2"}}},
                             {"mail", {{"letters", "0"}}},
                             {"mail", {{"users", "1"}, {"letters", "2"}}},
                             {"bounded-buffer", {{"producers", "1"}}},
                             {"bounded-buffer", {{"consumers", "1"}, {"capacity", "1"}}},
                             {"bounded-buffer", {{"consumers", "1"}, {"buffer", "guards"}}},
                             {"regsim-tasks", {{"workers", "3"}, {"tasks", "1"}}},
                             {"regsim-tasks", {{"workers", "2"}, {"told", "declarations"}}},
                             {"pipesort-tasks", {{"n", "3"}}},
                         }),
                         test_name);

/// Those of which there are too many orders to run them all.
class IndependentFieldsOfLarger : public testing::TestWithParam<small_one> {};

TEST_P(IndependentFieldsOfLarger, LeadToEachEndThatAnyClassLeadsTo) {
  const auto tested = named(GetParam().name, GetParam().parameters);

  EXPECT_EQ(ends_of(tested, by_fields), ends_of(tested, plainly));
}

TEST_P(IndependentFieldsOfLarger, LeaveAsManyExecutionsInEachOrderingAndForTwoWorkers) {
  const auto tested = named(GetParam().name, GetParam().parameters);
  options how;
  how.search.engine = "optimal";
  how.search.independence = independence::fields;
  const auto expected = explore(tested, how).executions;
  for (const auto& ordering : ordering_names()) {
    how.search.ordering = ordering;
    EXPECT_EQ(explore(tested, how).executions, expected) << ordering;
  }
  how.search.jobs = 2;
  EXPECT_EQ(explore(tested, how).executions, expected) << "two workers";
}

INSTANTIATE_TEST_SUITE_P(Subjects, IndependentFieldsOfLarger,
                         testing::ValuesIn(std::vector<small_one>{
                             {"dht", {{"clients", "3"}}},
                             {"dht", {{"clients", "3"}, {"stripes", "1"}}},
                             {"mail", {{"letters", "1"}}},
                             {"bounded-buffer", {{"capacity", "1"}}},
                             {"bounded-buffer", {{"producers", "3"}, {"capacity", "3"}}},
                             {"bounded-buffer", {{"producers", "3"}, {"buffer", "guards"}}},
                             {"regsim-tasks", {{"tasks", "3"}}},
                             {"regsim-tasks", {{"told", "declarations"}}},
                             {"pipesort-tasks", {{"n", "4"}}},
                         }),
                         test_name);

}  // namespace
}  // namespace harrier::subjects
