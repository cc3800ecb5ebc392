#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
2 deliveries lead to it (seen in 4 executions; this is the shortest):

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

TEST(Text, OfADeadlockSaysWhoWaitsFirst) {
  finding f;
  f.kind = finding_kind::deadlock;
  f.message = "nothing can be delivered, and a_0 waits";
  f.details = {"a_0 waits for b_1"};

  EXPECT_THAT(to_text(f), StartsWith("deadlock: nothing can be delivered, and a_0 waits\n  - a_0 waits for b_1\n"));
}

TEST(Text, OfAStepShowsAStateOnlyWhenItIsNews) {
  step_printer printer;
  auto step = step_of("counter_0", "add(1)");
  step.state = "{value=1}";
  printer.print(1, step);
  const auto unchanged = printer.print(2, step);
  step.state = "{value=2}";

  EXPECT_EQ(unchanged, "   2. counter_0.add(1)\n");
  EXPECT_THAT(printer.print(3, step), HasSubstr("counter_0 is now {value=2}"));
}

TEST(Text, OfALongTraceLeavesOutItsMiddle) {
  finding f;
  f.trace.assign(1000, step_of("a_0", "go()"));
  const auto text = to_text(f, 30);

  EXPECT_THAT(text, AllOf(HasSubstr("  20. a_0.go()"), HasSubstr("... 970 deliveries not shown"),
                          HasSubstr(" 991. a_0.go()"), HasSubstr("1000. a_0.go()")));
  EXPECT_THAT(text, AllOf(Not(HasSubstr("  21. ")), Not(HasSubstr(" 990. "))));
  EXPECT_THAT(to_text(f, 0), HasSubstr(" 500. a_0.go()"));
}

TEST(Summary, OfACompleteSearchNamesItsDeliveryModel) {
  exploration r;
  r.exhausted = true;

  EXPECT_THAT(summary_of(r),
              AllOf(HasSubstr("Explored completely: no finding."), HasSubstr("delivery model: unordered")));
}

TEST(Summary, OfASearchThatALimitStoppedClaimsNothing) {
  exploration r;
  r.stopped_by = "--max-executions 10";

  EXPECT_THAT(summary_of(r), AllOf(HasSubstr("Stopped by --max-executions 10: no finding so far."),
                                   HasSubstr("this proves nothing beyond what was run"), Not(HasSubstr("completely"))));
}

TEST(Summary, OfASearchThatFoundSomethingSaysThatThereMayBeMore) {
  exploration r;
  r.stopped_by = "the first finding";
  r.findings.push_back(example_finding());

  EXPECT_THAT(summary_of(r), AllOf(HasSubstr("1 finding. There may be more."), HasSubstr("--keep-going")));
}

TEST(Numbers, AreWrittenWithCommas) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1'247'400), "1,247,400");
}

}  // namespace
}  // namespace harrier
