#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <harrier/report/causes.hpp>
#include <harrier/report/explanation.hpp>
#include <harrier/report/text.hpp>

#include "example.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

trace_step step_of(const std::string& receiver, const std::string& message) {
  trace_step step;
  step.receiver = receiver;
  step.message = message;
  return step;
}

TEST(Text, OfAFindingShowsEachDeliveryAndWhatFailed) {
  EXPECT_EQ(to_text(example_finding()),
            R"(assertion: two reads in a row agree (server.cpp:23), in client_1
2 deliveries lead to it; fewer may do, too (seen in 4 executions):

   1. client_1.start()
        creates logger_2
        sends server_0.set(5)
        client_1 is now {store=server_0}
   2. server_0.set(5)
        chooses 2, 1
        server_0 is gone
        FAILED assertion: two reads in a row agree (server.cpp:23)
)");
}

TEST(Text, OfAReasonTellsHowTheOrderThatPassesGoesOn) {
  explanation why{.sentence = "a_0 took b() first.", .alike = 1};
  for (const auto* message : {"a()", "b()", "c()"}) why.steps.push_back(step_of("a_0", message));

  EXPECT_EQ(to_text(why),
            "Why: a_0 took b() first.\n     The order that passes goes on after delivery 1 with a_0.b(), a_0.c().\n");
}

TEST(Text, OfAReasonIsOfOneLineWhereNoOrderPasses) {
  EXPECT_EQ(to_text(explanation{.sentence = "No way."}), "Why: No way.\n");
  EXPECT_EQ(to_text(explanation{}), "");
}

TEST(Text, OfAReasonSendsNothingToATerminal) {
  explanation why{.sentence = "a_0 took \x1b[31m"};
  why.steps.push_back(step_of("a_0", "\x1b[2J"));

  EXPECT_THAT(to_text(why), AllOf(HasSubstr("took \\x1b[31m"), HasSubstr("a_0.\\x1b[2J"), Not(HasSubstr("\x1b"))));
}

TEST(Text, OfADeadlockSaysWhoWaitsFirst) {
  finding f;
  f.kind = finding_kind::deadlock;
  f.message = "nothing can be delivered, and a_0 waits";
  f.details = {"a_0 waits for b_1"};

  EXPECT_THAT(to_text(f), StartsWith("deadlock: nothing can be delivered, and a_0 waits\n  - a_0 waits for b_1\n"));
}

TEST(Text, OfAStepShowsAStateOnlyWhenItIsNewsAndSaysSoIfThereAreNone) {
  step_printer printer;
  auto step = step_of("counter_0", "add(1)");
  step.state = "{value=1}";
  printer.print(step);
  const auto unchanged = printer.print(step);
  step.state = "{value=2}";

  EXPECT_EQ(unchanged, "   2. counter_0.add(1)\n        counter_0 is as before, and sends nothing\n");
  EXPECT_THAT(printer.print(step), HasSubstr("counter_0 is now {value=2}"));
}

/// What is printed of the second of two steps that leave an actor in these states.
std::string printed_after(const std::string& before, const std::string& after, shown_states states) {
  text_style style;
  style.states = states;
  step_printer printer(style);
  auto step = step_of("server_0", "set()");
  step.state = before;
  printer.print(step);
  step.state = after;
  return printer.print(step);
}

TEST(Text, OfAStepShowsTheFieldsThatChanged) {
  constexpr auto changed = shown_states::changed;
  EXPECT_THAT(printed_after("{value=1, log=[1, 2]}", "{value=2, log=[1, 2]}", changed),
              HasSubstr("server_0 is now {.. value=2}\n"));
  EXPECT_THAT(printed_after("{a=\"}, b=\", at={x=1, y=2}, c=3}", "{a=\"}, b=\", at={x=1, y=5}, c=3}", changed),
              HasSubstr("server_0 is now {.. at={.. y=5}}\n"));
  EXPECT_THAT(
      printed_after("{phase=commit{round=1, by=node_1}, n=1}", "{phase=commit{round=2, by=node_1}, n=1}", changed),
      HasSubstr("is now {.. phase=commit{.. round=2}}\n"));
  EXPECT_THAT(printed_after("{phase=commit{round=1}, n=100000}", "{phase=abort{round=1}, n=100000}", changed),
              HasSubstr("is now {.. phase=abort{round=1}}\n"));
}

TEST(Text, OfAStepShowsTheWholeStateIfAskedOrIfNothingIsSaved) {
  EXPECT_THAT(printed_after("{value=1, log=[]}", "{value=2, log=[]}", shown_states::full),
              HasSubstr("server_0 is now {value=2, log=[]}\n"));
  EXPECT_THAT(printed_after("{value=1}", "{value=2}", shown_states::changed), HasSubstr("server_0 is now {value=2}\n"));
  EXPECT_THAT(printed_after("17 of 18, all well", "18 of 18, all well", shown_states::changed),
              HasSubstr("server_0 is now 18 of 18, all well\n"));
}

TEST(Text, OfAHugeStateIsCutUnlessAllIsAskedFor) {
  const auto huge = "{text=\"" + std::string(3000, 'x') + "\"}";
  const auto cut = printed_after("{}", huge, shown_states::changed);
  EXPECT_LT(cut.size(), 2200U);
  EXPECT_THAT(cut, HasSubstr("xxx ... 1,025 bytes not shown; the saved trace has them all ...\n"));
  EXPECT_THAT(printed_after("{}", huge, shown_states::full), HasSubstr(huge + "\n"));
}

TEST(Text, IsCutBetweenCharacters) {
  text_style style;
  style.longest_line = 3;
  EXPECT_EQ(cut_line("a\u00e9\u00e9", style), "a\u00e9 ... 2 bytes not shown; the saved trace has them all ...");
  EXPECT_EQ(cut_line("ab\u00e9", style), "ab ... 2 bytes not shown; the saved trace has them all ...");
  EXPECT_EQ(cut_line("abc", style), "abc");
}

TEST(Text, OfAStepThatSendsVeryMuchIsCut) {
  step_printer printer;
  auto step = step_of("server_0", "set()");
  for (int i = 0; i < 500; ++i) step.sends.push_back({"get()", "client_" + std::to_string(i)});
  const auto text = printer.print(step);

  EXPECT_THAT(text, HasSubstr("sends client_99.get()\n        ... 400 more not shown; the saved trace has them all"));
  EXPECT_EQ(text.find("client_100."), std::string::npos);
}

TEST(Text, AfterStepsThatAreNotShownHasWholeStates) {
  step_printer printer;
  auto step = step_of("server_0", "set()");
  for (const auto* state : {"{value=1, name=\"server\"}", "{value=2, name=\"server\"}"}) {
    step.state = state;
    state[7] == '1' ? static_cast<void>(printer.print(step)) : printer.skip(step);
  }
  step.state = "{value=3, name=\"server\"}";

  EXPECT_EQ(printer.print(step), "   3. server_0.set()\n        server_0 is now {value=3, name=\"server\"}\n");
}

TEST(Text, HasNoControlCharactersWhateverIsReported) {
  auto f = example_finding();
  f.message = "line\nbreak \x1b[31m";
  f.file = "odd\n.cpp";
  f.details = {std::string("nul\0", 4)};
  f.trace[0].message = "start(\xff)";
  f.trace[0].creates = {"a\tb"};
  f.trace[1].findings = {"assertion: \r"};

  const auto text = to_text(f);
  EXPECT_THAT(text,
              AllOf(HasSubstr(R"(line\nbreak \x1b[31m (odd\n.cpp:23))"), HasSubstr(R"(nul\0)"),
                    HasSubstr(R"(start(\xff))"), HasSubstr(R"(creates a\tb)"), HasSubstr(R"(FAILED assertion: \r)")));
  for (const auto c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
}

TEST(Text, IsColouredOnlyIfAsked) {
  text_style style;
  style.colour = true;
  exploration r;
  r.exhausted = true;

  EXPECT_THAT(to_text(example_finding()), Not(HasSubstr("\x1b")));
  EXPECT_THAT(to_text(example_finding(), style),
              AllOf(StartsWith("\x1b[1m\x1b[31massertion"), HasSubstr("\x1b[31mFAILED")));
  EXPECT_THAT(summary_of(r, style), StartsWith("\x1b[1m\x1b[32mExplored completely"));
}

TEST(Text, LeavesOutHowAMessageReachedItsMailbox) {
  auto f = example_finding();
  auto arrival = step_of("server_0.mailbox", "arrival(set(5))");
  arrival.machinery = true;
  f.trace.insert(f.trace.begin() + 1, arrival);
  f.schedule.insert(f.schedule.begin() + 1, {0, 7});

  EXPECT_EQ(to_text(f), to_text(example_finding()));
}

TEST(Text, OfALongTraceLeavesOutItsMiddle) {
  finding f;
  f.trace.assign(1000, step_of("a_0", "go()"));
  text_style style;
  style.most_steps = 30;
  const auto text = to_text(f, style);
  style.most_steps = 0;

  EXPECT_THAT(text, AllOf(HasSubstr("  20. a_0.go()"), HasSubstr("... 970 deliveries not shown"),
                          HasSubstr(" 991. a_0.go()"), HasSubstr("1000. a_0.go()")));
  EXPECT_THAT(text, AllOf(Not(HasSubstr("  21. ")), Not(HasSubstr(" 990. "))));
  EXPECT_THAT(to_text(f, style), HasSubstr(" 500. a_0.go()"));
}

finding found_in(const std::string& actor, std::uint32_t line, const std::string& message, std::size_t length) {
  finding f;
  f.kind = finding_kind::assertion;
  f.actor = actor;
  f.line = line;
  f.message = message;
  f.trace.assign(length, step_of(actor, "go()"));
  return f;
}

finding deadlock_of(const std::string& who) {
  finding f;
  f.kind = finding_kind::deadlock;
  f.message = "nothing can be delivered, and " + who;
  return f;
}

TEST(Causes, OfFailedChecksAreTheChecksAndWhoseTheyAre) {
  const std::vector<finding> all = {found_in("client_1", 12, "it is 3", 7), found_in("server_0", 12, "it is 3", 5),
                                    found_in("client_2", 12, "it is 4", 6), found_in("client_1", 13, "it is 3", 5)};

  EXPECT_EQ(causes_of(all), (std::vector<std::vector<std::size_t>>{{2, 0}, {1}, {3}}));
}

TEST(Causes, OfWhatHasNoLineAreItsWordsWithoutNumbers) {
  const std::vector<finding> all = {
      deadlock_of("client_1 waits for server_0"), deadlock_of("client_1, client_2 and client_3 wait"),
      deadlock_of("client_4 waits for server_7"), deadlock_of("client_1 and client_3 wait"),
      found_in("a_1", 0, "3 are left", 4),        found_in("a_2", 0, "17 are left", 4),
      found_in("a_2", 0, "none are left", 4)};

  EXPECT_EQ(causes_of(all), (std::vector<std::vector<std::size_t>>{{0, 2}, {1, 3}, {4, 5}, {6}}));
}

TEST(Causes, AreShownByTheirShortestScheduleAndCounted) {
  exploration r;
  r.exhausted = true;
  r.findings = {found_in("client_1", 12, "it is 3", 7), found_in("server_0", 14, "full", 5),
                found_in("client_2", 12, "it is 4", 6)};

  const auto text = to_text(r);
  EXPECT_THAT(text,
              AllOf(StartsWith("Found (3 of 3) assertion: it is 4"),
                    HasSubstr("One other finding has the same cause, it seems:\n  (1 of 3) assertion: it is 3"),
                    HasSubstr(", in client_1; 7 deliveries lead to it\n"), HasSubstr("Found (2 of 3) assertion: full"),
                    HasSubstr("Explored completely: 3 findings, of 2 causes as it seems.")));
  EXPECT_THAT(text, Not(HasSubstr("Found (1 of 3)")));
}

TEST(Summary, OfACompleteSearchNamesItsDeliveryModel) {
  exploration r;
  r.exhausted = true;

  EXPECT_THAT(summary_of(r),
              AllOf(HasSubstr("Explored completely: no finding."), HasSubstr("delivery model: unordered")));
}

TEST(Summary, OfASearchThatALimitStoppedClaimsNothing) {
  exploration r;
  r.stopped_by = "the limit of 10 executions";

  EXPECT_THAT(summary_of(r), AllOf(HasSubstr("Stopped by the limit of 10 executions: no finding so far."),
                                   HasSubstr("this proves nothing beyond what was run"), Not(HasSubstr("completely"))));
}

TEST(Summary, OfASearchThatALimitStoppedSaysHowMuchItsRunIsOfAnEstimate) {
  exploration r;
  r.stopped_by = "the limit of 12400 executions";
  r.executions = 12'400;
  r.estimate = size_estimate{.executions = 39'871, .explored = 0.311, .seconds_to_go = 5};

  EXPECT_THAT(summary_of(r),
              AllOf(HasSubstr("about 31 % of an estimated 40,000 executions"),
                    HasSubstr("this proves nothing beyond what was run"), HasSubstr("12,400 executions")));
}

TEST(Outlook, SaysHowMuchThereIsAndWhetherThatCanBeDone) {
  exploration r;
  EXPECT_EQ(outlook(r), "");
  r.engine = "optimal";
  r.orders = order_count{479'001'600, 812};
  r.estimate = size_estimate{.executions = 2.3e6, .explored = 0.1, .seconds_to_go = 90};
  EXPECT_EQ(
      outlook(r),
      "There are about 480,000,000 orders of deliveries (estimated, by 812 samples).\n"
      "Engine optimal would run about 2,300,000 of them (likely from 580,000 to 35,000,000), for 90 s more: a matter "
      "of minutes.\n");
  r.estimate->seconds_to_go = 3000;
  EXPECT_THAT(outlook(r), HasSubstr("for 50 min more: a matter of minutes, at worst hours.\n"));
  r.estimate->seconds_to_go = 2e5;
  EXPECT_THAT(outlook(r), HasSubstr("for 2 days more: a matter of days, at worst months.\n"));
  r.estimate->seconds_to_go = 1e12;
  EXPECT_THAT(outlook(r), HasSubstr("hopeless without a bound"));
  r.exhausted = true;
  EXPECT_THAT(outlook(r), Not(HasSubstr("Engine")));
}

TEST(Estimate, IsGivenWithTwoDigitsOrItsOrderOfMagnitude) {
  EXPECT_EQ(share_of({.executions = 1, .explored = 0.5}), "about 50 % of an estimated 1 execution");
  EXPECT_EQ(share_of({.executions = 42, .explored = 0.5}), "about 50 % of an estimated 42 executions");
  EXPECT_EQ(share_of({.executions = 997, .explored = 0.5}), "about 50 % of an estimated 1,000 executions");
  EXPECT_EQ(share_of({.executions = 4.2e17, .explored = 1e-12}), "less than 1 % of an estimated 10^17 executions");
}

TEST(Estimate, OfASearchThatIsNotOverIsNeverAllOfIt) {
  EXPECT_EQ(share_of({.executions = 100, .explored = 1}), "about 99 % of an estimated 100 executions");
}

TEST(RoughTime, IsInTheUnitThatAPersonWouldTake) {
  EXPECT_EQ(rough_time(0), "0 s");
  EXPECT_EQ(rough_time(119), "120 s");
  EXPECT_EQ(rough_time(200), "3 min");
  EXPECT_EQ(rough_time(7'200), "2 h");
  EXPECT_EQ(rough_time(5 * 86'400), "5 days");
  EXPECT_EQ(rough_time(1e20), "10^12 years");
}

TEST(Summary, OfASearchThatFoundSomethingSaysThatThereMayBeMore) {
  exploration r;
  r.stopped_by = "the first finding";
  r.findings.push_back(example_finding());

  EXPECT_THAT(summary_of(r, {}, "look for all"), HasSubstr("1 finding. There may be more. (look for all)"));
}

TEST(Summary, OfASearchThatFoundSomethingInItsFirstExecutionCountsThat) {
  exploration result;
  result.findings.push_back(example_finding());
  result.transitions = 2;
  result.max_depth = 2;
  result.actors = 3;
  EXPECT_THAT(summary_of(result),
              HasSubstr("1 execution up to the finding, 2 deliveries, at most 2 in one execution, 3 actors"));
}

TEST(Numbers, AreWrittenWithCommas) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1'247'400), "1,247,400");
}

}  // namespace
}  // namespace harrier
