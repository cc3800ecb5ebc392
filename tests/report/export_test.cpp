#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <harrier/report/export.hpp>
#include <harrier/report/json.hpp>

#include "example.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

trace_step step_of(std::string id, std::string receiver, std::string message, std::vector<trace_send> sends = {}) {
  trace_step step;
  step.id = std::move(id);
  step.receiver = std::move(receiver);
  step.message = std::move(message);
  step.sends = std::move(sends);
  return step;
}

diagram drawn(std::vector<trace_step> steps) {
  trace_file trace;
  trace.program = "example";
  trace.finding.message = "it fails";
  trace.finding.trace = std::move(steps);
  return diagram_of(trace);
}

diagram example_diagram() {
  trace_file trace;
  trace.program = "server";
  trace.finding = example_finding();
  return diagram_of(trace);
}

/// Of `length` deliveries round a ring of fifty actors.
diagram ring(std::size_t length) {
  std::vector<trace_step> steps;
  for (std::size_t i = 0; i < length; ++i)
    steps.push_back(step_of(std::to_string(i) + ".0", "node_" + std::to_string(i % 50), "pass()",
                            {{"pass()", "node_" + std::to_string((i + 1) % 50)}}));
  return drawn(std::move(steps));
}

TEST(Diagram, HasALaneForEachActorInOrderOfAppearance) {
  EXPECT_THAT(example_diagram().lanes, ElementsAre("driver", "client_1", "server_0"));
}

TEST(Diagram, KnowsTheStepInWhichAMessageWasSent) {
  const auto made = example_diagram();

  EXPECT_EQ(made.events[0].delivered.sent_in, std::nullopt);
  EXPECT_EQ(made.lanes[made.events[0].delivered.from_lane], "driver");
  EXPECT_EQ(made.events[1].delivered.sent_in, 0U);
}

TEST(Diagram, FollowsAMessageThroughAMailbox) {
  auto to_mailbox = step_of("0.0", "node_0.mailbox", "arrival(go())");
  to_mailbox.machinery = true;
  auto next = step_of("2.0", "node_1.mailbox", "arrival(on())");
  next.machinery = true;
  const auto made = drawn({to_mailbox, step_of("1.0", "node_0", "go()", {{"arrival(on())", "node_1.mailbox"}}), next,
                           step_of("3.0", "node_1", "on()")});

  ASSERT_THAT(made.events, SizeIs(2));
  EXPECT_THAT(made.lanes, ElementsAre("driver", "node_0", "node_1"));
  EXPECT_EQ(made.events[1].delivered.sent_in, 0U);
  EXPECT_THAT(made.pending, IsEmpty());
}

TEST(Diagram, KeepsWhatCameToAMailboxOnlyAsPending) {
  auto to_mailbox = step_of("1.0", "node_1.mailbox", "arrival(on())");
  to_mailbox.machinery = true;
  const auto made = drawn({step_of("0.0", "node_0", "go()", {{"arrival(on())", "node_1.mailbox"}}), to_mailbox});

  ASSERT_THAT(made.pending, SizeIs(1));
  EXPECT_EQ(made.pending[0].message, "on()");
  EXPECT_EQ(made.lanes[made.pending[0].to_lane], "node_1");
}

TEST(Diagram, TellsLostMessagesFromThoseThatAreStillToCome) {
  auto sends = step_of("0.0", "node_0", "go()", {{"on()", "node_1"}, {"on()", "node_1"}});
  sends.faults = {"on() to node_1 is lost"};
  const auto made = drawn({sends});

  EXPECT_THAT(made.events[0].lost, SizeIs(1));
  EXPECT_THAT(made.pending, SizeIs(1));
}

TEST(Diagram, TellsWhichMessagesComeFromTimers) {
  const auto made = drawn({step_of("0.0", "node_0", "go()", {{"late() by a timer", "node_0"}}),
                           step_of("1.0", "node_0", "late()", {{"later() by a timer", "node_0"}})});

  EXPECT_TRUE(made.events[1].delivered.by_timer);
  ASSERT_THAT(made.pending, SizeIs(1));
  EXPECT_TRUE(made.pending[0].by_timer);
  EXPECT_EQ(made.pending[0].message, "later()");
}

TEST(Diagram, OfAFileThatSomebodyElseWroteNamesNoStepThatIsNotThere) {
  const auto made = drawn({step_of("7.0", "a", "m()"), step_of("99999999999999999999.0", "a", "m()"),
                           step_of("3.0", "b", "m()"), step_of("", "b", "m()"), step_of("-1.9", "", "m()")});

  EXPECT_THAT(made.lanes, ElementsAre("unknown sender", "a", "b", "set-up", "(no name)"));
  for (const auto& event : made.events) EXPECT_EQ(event.delivered.sent_in, std::nullopt);
}

TEST(Diagram, OfARunOfAProtocolHasALaneForEachRole) {
  trace_file trace;
  trace.program = "harrier protocol";
  trace.finding.trace = {step_of("0.0", "game_0", "a SEND x TO b", {{"a SEND y TO b", "game_0"}}),
                         step_of("1.0", "game_0", "a SEND y TO b"), step_of("2.0", "game_0", "b RECV x FROM a")};
  const auto made = diagram_of(trace);

  EXPECT_THAT(made.lanes, ElementsAre("a", "b"));
  EXPECT_EQ(made.events[2].delivered.from_lane, 0U);
  EXPECT_EQ(made.events[2].delivered.sent_in, 0U);
  ASSERT_THAT(made.pending, SizeIs(1));
  EXPECT_EQ(made.pending[0].message, "y");
}

TEST(Diagram, GivesNoTwoActorsTheSameName) {
  const auto made = drawn({step_of("0.0", "a\n", "m()"), step_of("0.1", "a\\n", "m()")});

  EXPECT_THAT(made.lanes, ElementsAre("driver", "a\\n", "a\\n (2)"));
}

TEST(Mermaid, ShowsWhatAReportShows) {
  const auto text = to_mermaid(example_diagram());

  EXPECT_THAT(text, HasSubstr("sequenceDiagram\n  participant p0 as driver\n"));
  EXPECT_THAT(text, HasSubstr("  p0->>p1: 1. start()\n"));
  EXPECT_THAT(text, HasSubstr("  Note over p1: creates logger_2\n"));
  EXPECT_THAT(text, HasSubstr("  p1->>p2: 2. set(5)\n"));
  EXPECT_THAT(text, HasSubstr("  Note over p2: chooses 2, 1\n"));
  EXPECT_THAT(text, HasSubstr("  Note over p2: is gone\n"));
}

TEST(Mermaid, SaysWhereAMessageWasSentUnlessThatWasJustBefore) {
  const auto text = to_mermaid(drawn({step_of("0.0", "a", "m()", {{"x()", "b"}, {"y()", "b"}}),
                                      step_of("1.1", "b", "y()"), step_of("1.0", "b", "x()")}));

  EXPECT_THAT(text, AllOf(HasSubstr(": 2. y()\n"), HasSubstr(": 3. x(), sent in 1\n")));
}

class ShortFormat : public testing::TestWithParam<const char*> {
protected:
  static std::string write(const diagram& trace) {
    const auto all = export_formats();
    return std::find_if(all.begin(), all.end(), [](const auto& f) { return f.name == GetParam(); })->write(trace);
  }
};

TEST_P(ShortFormat, StaysBelowTheLimitOfMermaidAndSaysWhatIsLeftOut) {
  const auto text = write(ring(10'000));

  EXPECT_LT(text.size(), 50'000U);
  EXPECT_THAT(text, AllOf(HasSubstr(" 1. pass()"), HasSubstr(" 10. pass()"), HasSubstr(" 10000. pass()"),
                          HasSubstr(" deliveries not shown"), HasSubstr("assertion")));
}

TEST_P(ShortFormat, StaysBelowThatWithNamesAndTextsOfAMegabyte) {
  const std::string huge(1'000'000, '<');
  std::vector<trace_step> steps;
  for (int i = 0; i < 20; ++i) {
    steps.push_back(step_of("0.0", huge + std::to_string(i), huge));
    steps.back().findings.assign(1000, huge.substr(0, 1000));
  }
  const auto text = write(drawn(std::move(steps)));

  EXPECT_LT(text.size(), 50'000U);
  EXPECT_THAT(text, HasSubstr("bytes not shown"));
}

TEST_P(ShortFormat, HasALaneEvenForAFindingWithoutSteps) {
  EXPECT_THAT(write(drawn({})), AllOf(HasSubstr("example"), HasSubstr("it fails")));
}

INSTANTIATE_TEST_SUITE_P(Exports, ShortFormat, testing::Values("mermaid", "plantuml"));

TEST(Perfetto, HasASliceForEachDeliveryAndAFlowForEachMessage) {
  const auto json = json_value::parse(to_perfetto(example_diagram()));
  std::vector<std::string> phases;
  for (const auto& event : json["traceEvents"])
    if (event["ph"] != "M") phases.push_back(event["ph"].get<std::string>() + " " + event["name"].get<std::string>());

  EXPECT_THAT(phases, testing::UnorderedElementsAre("X start()", "X set(5)", "s message", "f message",
                                                    "i assertion: two reads in a row agree (server.cpp:23)"));
}

/// What the documentation of the format asks of each kind of event.
TEST(Perfetto, GivesEachEventTheFieldsOfItsKind) {
  const auto json = json_value::parse(to_perfetto(ring(100)));
  std::set<std::string> begun;
  for (const auto& event : json["traceEvents"]) {
    for (const auto* field : {"name", "ph", "ts", "pid", "tid"}) ASSERT_TRUE(event.contains(field)) << event;
    const auto phase = event["ph"].get<std::string>();
    EXPECT_EQ(phase == "X", event.contains("dur")) << event;
    EXPECT_EQ(phase == "i", event.contains("s")) << event;
    if (phase == "s") begun.insert(event["id"].dump());
    if (phase != "f") continue;
    EXPECT_EQ(begun.erase(event["id"].dump()), 1U) << event;
    EXPECT_EQ(event["bp"], "e");
  }
  EXPECT_THAT(begun, IsEmpty());
}

TEST(Dot, DrawsEveryDeliveryAtItsOwnHeight) {
  const auto text = to_dot(ring(1000));

  EXPECT_THAT(text, AllOf(HasSubstr("  s1000 ["), HasSubstr("  s999 -> s1000;\n"), HasSubstr(",-48000\"")));
}

TEST(ShiViz, BeginsWithTheExpressionThatReadsIt) {
  EXPECT_THAT(
      to_shiviz(example_diagram()),
      testing::StartsWith("(?<event>.*)\\n(?<host>\\S*) (?<clock>\\{.*\\})\n\nbegins\ndriver {\"driver\":1}\n"));
}

TEST(ShiViz, KeepsOnlyTheEndWhereTheClocksWouldBeTooMany) {
  std::vector<trace_step> steps;
  for (int i = 0; i < 2000; ++i) steps.push_back(step_of("0.0", "node_" + std::to_string(i), "m()"));
  const auto text = to_shiviz(drawn(std::move(steps)));

  EXPECT_THAT(text,
              AllOf(HasSubstr("before it not shown)"), Not(HasSubstr("\n1. node_0.")), HasSubstr("2000. node_1999")));
}

}  // namespace
}  // namespace harrier
