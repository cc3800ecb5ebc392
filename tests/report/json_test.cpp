#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <harrier/report/json.hpp>

#include "example.hpp"

namespace harrier {
namespace {

using testing::ElementsAre;

std::vector<std::string> names_in(const json_value& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

TEST(Json, OfAnExplorationHasTheDocumentedFieldsFirst) {
  auto names = names_in(to_json(exploration{}));
  names.resize(21);

  EXPECT_THAT(names, ElementsAre("program", "parameters", "engine", "sleep_sets", "ordering", "delivery", "exhausted",
                                 "executions", "blocked", "transitions", "states", "max_depth", "actors", "seconds",
                                 "transitions_per_second", "peak_rss_mib", "estimate", "jobs", "outcomes",
                                 "assumed_away", "findings"));
}

TEST(Json, OfAnExplorationWithoutStatesSaysNull) {
  exploration r;
  EXPECT_TRUE(to_json(r).at("states").is_null());
  r.states = {.comparison = "exact", .states = 7};
  EXPECT_EQ(to_json(r).at("states"), 7);
  EXPECT_EQ(to_json(r).at("state_space").at("comparison"), "exact");
}

TEST(Json, OfAnEstimateSaysHowItWasMade) {
  exploration r;
  EXPECT_TRUE(to_json(r).at("estimate").is_null());
  r.estimate = size_estimate{.executions = 40'000,
                             .explored = 0.25,
                             .seconds_to_go = 3,
                             .by_explored_mass = 40'000,
                             .by_subtree_sizes = 50'000};

  EXPECT_EQ(to_json(r).at("estimate"), (json_value{{"executions", 40'000.0},
                                                   {"at_least", 40'000.0 / 4},
                                                   {"at_most", 240'000.0},
                                                   {"explored", 0.25},
                                                   {"seconds_to_go", 3.0},
                                                   {"method", "explored mass"},
                                                   {"by_explored_mass", 40'000.0},
                                                   {"by_subtree_sizes", 50'000.0}}));

  r.exhausted = true;
  EXPECT_EQ(to_json(r).at("estimate").at("at_least"), 40'000.0);
  EXPECT_EQ(to_json(r).at("estimate").at("at_most"), 40'000.0);
}

TEST(Json, OfAFindingHasItsScheduleAndItsTrace) {
  const auto json = to_json(example_finding());

  EXPECT_EQ(json.at("kind"), "assertion");
  EXPECT_EQ(json.at("length"), 2);
  EXPECT_EQ(json.at("schedule").at(1), (json_value{{"id", "1.0"}, {"message", "set(5)"}, {"receiver", "server_0"}}));
  EXPECT_EQ(json.at("trace").at(0).at("sends").at(0).at("message"), "set(5)");
}

TEST(Json, OfAFindingThatCannotBeRepeatedLeavesDeliveriesWithoutNames) {
  auto f = example_finding();
  f.trace.pop_back();

  EXPECT_EQ(to_json(f).at("length"), 2);
  EXPECT_TRUE(to_json(f).at("schedule").at(1).at("message").is_null());
}

TEST(Json, OfAStepComesBackAsItWas) {
  const auto step = example_finding().trace[1];

  EXPECT_EQ(trace_step_from(to_json(step)), step);
}

}  // namespace
}  // namespace harrier
