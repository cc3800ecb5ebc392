#include <gtest/gtest.h>

#include <src/isolation/wire.hpp>

namespace harrier {
namespace {

finding a_finding() {
  finding f;
  f.kind = finding_kind::deadlock;
  f.message = "peer_0 waits for \xff\n";
  f.actor = "peer_0";
  f.file = "peers.cpp";
  f.line = 17;
  f.details = {"peer_0 waits for peer_1", "peer_1 waits for peer_0"};
  f.occurrences = 3;
  f.schedule = {{0, 1}, {7, 4}, {0, 2}};
  f.trace = {{.id = "0.0",
              .message = "go()",
              .receiver = "peer_0",
              .state = "{other=peer_1}",
              .choices = {2, 0},
              .sends = {{"answer()", "peer_1"}},
              .faults = {"answer() to peer_1 is lost"},
              .creates = {"logger_2"},
              .destroys = true,
              .findings = {"assertion: one (peers.cpp:3)"}}};
  return f;
}

/// One about a whole execution.
finding an_unplaced_finding() {
  finding f;
  f.kind = finding_kind::crash;
  f.message = "it ended";
  return f;
}

exploration an_exploration() {
  exploration r;
  r.engine = "stateful";
  r.sleep_sets = true;
  r.ordering = "lifo";
  r.delivery = "causal";
  r.seed = 1'234'567'890'123'456'789U;
  r.exhausted = true;
  r.stopped_by = "a limit";
  r.executions = 1;
  r.truncated = 2;
  r.blocked = 3;
  r.transitions = 4;
  r.states = exploration::state_counts{"canonical", 5, 6, 7, 8, 9.5, 0.125};
  r.max_depth = 10;
  r.actors = 11;
  r.seconds = 0.0625;
  r.peak_rss_mib = 12.5;
  r.estimate = size_estimate{40'000, 0.3125, 7.5, 41'000, 39'000};
  r.orders = order_count{1e12, 17};
  r.findings = {a_finding()};
  r.warnings = {an_unplaced_finding()};
  r.notes = {"one", "two"};
  return r;
}

/// As it comes out of the pipe.
json_value sent(const json_value& json) { return json_value::parse(to_text(json)); }

TEST(Wire, KeepsAllOfAFindingButBytesThatAreNoText) {
  const auto before = a_finding();
  const auto after = finding_from_wire(sent(to_wire(before)));

  EXPECT_EQ(to_text(to_json(after)), to_text(to_json(before)));
  EXPECT_EQ(after.message, "peer_0 waits for \xEF\xBF\xBD\n");
}

TEST(Wire, KeepsTheDeliveriesOfASchedule) {
  const auto after = finding_from_wire(sent(to_wire(a_finding())));

  EXPECT_EQ(after.schedule, a_finding().schedule);
}

TEST(Wire, KeepsAFindingThatNobodyCanPlace) {
  const auto after = finding_from_wire(sent(to_wire(an_unplaced_finding())));

  EXPECT_EQ(to_json(after), to_json(an_unplaced_finding()));
}

TEST(Wire, KeepsAllOfAnExploration) {
  const auto after = exploration_from_wire(sent(to_wire(an_exploration())));

  EXPECT_EQ(to_text(to_json(after)), to_text(to_json(an_exploration())));
}

TEST(Wire, KeepsTheSchedulesOfAnExplorationsFindings) {
  const auto after = exploration_from_wire(sent(to_wire(an_exploration())));

  ASSERT_EQ(after.findings.size(), 1U);
  EXPECT_EQ(after.findings[0].schedule, a_finding().schedule);
}

TEST(Wire, KeepsAnExplorationThatIsToldInParts) {
  auto before = an_exploration();
  before.outcomes = {{"committed", 3}, {"aborted", 4}};
  auto& longest = before.findings[0];
  for (message_slot i = 0; i < 5000; ++i) {
    longest.schedule.push_back({i, i});
    longest.trace.push_back(longest.trace.front());
  }
  exploration_in_parts parts;
  std::size_t longest_line = 0;
  tell_in_parts(before, [&](const json_value& told) {
    longest_line = std::max(longest_line, to_text(told).size());
    EXPECT_TRUE(parts.hear(sent(told)));
  });

  ASSERT_TRUE(parts.whole().has_value());
  EXPECT_EQ(to_text(to_json(*parts.whole())), to_text(to_json(before)));
  EXPECT_EQ(parts.whole()->findings[0].schedule, longest.schedule);
  EXPECT_LT(longest_line, 100'000U);
}

TEST(Wire, KeepsThatNoStatesWereLookedAt) {
  EXPECT_FALSE(exploration_from_wire(sent(to_wire(exploration{}))).states.has_value());
}

TEST(Wire, KeepsThatNothingIsEstimated) {
  EXPECT_FALSE(exploration_from_wire(sent(to_wire(exploration{}))).estimate.has_value());
}

}  // namespace
}  // namespace harrier
