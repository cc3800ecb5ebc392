// Tests of which something is to hold, run as users run them.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "etest.hpp"

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> failing = {"Converges.FailsByRestOfAll",
                                          "Converges.FailsWhereOneIsLost",
                                          "Each/Values.FailWithOne/0",
                                          "Histories.FailWithTwoCopies",
                                          "Lamps.FailAlways",
                                          "Lamps.FailAlwaysInTheSecondStage",
                                          "Lamps.FailByTheBodyItself",
                                          "Lamps.FailEventually",
                                          "Lamps.FailWhereOneLeadsToNothing"};

class SpecifiedEtest : public Etest {};

TEST_F(SpecifiedEtest, FailsWhereWhatIsToHoldDoesNot) {
  const auto all = run("Lamps.*:Each/Values.*:Typed/*:Histories.*:Converges.*", {"--gtest_output=json:specified.json"});

  EXPECT_EQ(failed(results("specified.json")), failing) << all.out << all.err;
  EXPECT_EQ(results("specified.json").size(), failing.size() + 5);
}

TEST_F(SpecifiedEtest, NamesWhatDoesNotHoldAndTheDeliveries) {
  EXPECT_THAT(run("Lamps.FailAlways").out,
              AllOf(HasSubstr("specified_samples.cpp:"),
                    HasSubstr("always 'one is on' does not hold of lamp_0 and lamp_1, in lamp_1\n"
                              "3 deliveries lead to it"),
                    HasSubstr("   1. room_2.switch_all()"), HasSubstr("   3. lamp_1.on()"),
                    HasSubstr("Run just these deliveries again with")));
  EXPECT_THAT(run("Lamps.FailEventually").out,
              HasSubstr("eventually 'one is on at last' does not hold at the end of the execution"));
  EXPECT_THAT(run("Lamps.FailWhereOneLeadsToNothing").out, HasSubstr("leads_to 'goes off' is not kept of lamp_"));
  EXPECT_THAT(run("Lamps.FailByTheBodyItself").out,
              AllOf(HasSubstr("always 'there are two' does not hold\n"), HasSubstr("6. test.handle_all() returns")));
  EXPECT_THAT(run("Histories.FailWithTwoCopies").out, HasSubstr("'one register' is not linearizable: "));
  EXPECT_THAT(run("Converges.FailsWhereOneIsLost").out,
              HasSubstr("in the end it does not come about that two were heard: "));
}

TEST_F(SpecifiedEtest, FailsAgainByItsTrace) {
  for (const auto& name : failing) {
    const auto again = run_line(command_in(run(name).out, "Run just these deliveries again"));

    EXPECT_EQ(again.status, 1) << name << again.err;
    if (name == "Histories.FailWithTwoCopies") {
      EXPECT_THAT(again.out, HasSubstr("  - client_3: read() = 1 (invoked in delivery 6, returned in delivery 8)"));
    }
    EXPECT_THAT(again.out, AllOf(HasSubstr("[  FAILED  ] " + name), Not(HasSubstr("did not occur")),
                                 Not(HasSubstr("has changed")), Not(HasSubstr("EXPLORED"))));
  }
}

TEST_F(SpecifiedEtest, IsJudgedByEveryEngine) {
  for (const std::string engine : {"exhaustive", "persistent", "source"}) {
    run("Lamps.*", {"--harrier_engine=" + engine, "--gtest_output=json:by.json"});
    EXPECT_EQ(failed(results("by.json")).size(), 5U) << engine;
  }
  for (const std::string engine : {"random", "delay"}) {
    run("Lamps.*:-Lamps.FailWhereOneLeadsToNothing",
        {"--harrier_engine=" + engine, "--harrier_max_executions=100", "--gtest_output=json:by.json"});
    EXPECT_EQ(failed(results("by.json")).size(), 4U) << engine;
  }
}

TEST_F(SpecifiedEtest, IsSearchedByJobsAndFromCheckpoints) {
  const auto shared = run("Lamps.GoOffAgain", {"--harrier_jobs=2", "--harrier_checkpoint=there"});
  EXPECT_THAT(shared.out, AllOf(HasSubstr("[ EXPLORED ] Lamps.GoOffAgain: 6 executions"), HasSubstr(", 2 jobs, "),
                                Not(HasSubstr("NOTE"))));
  const auto begun = run("Lamps.GoOffAgain", {"--harrier_checkpoint=some", "--harrier_max_executions=2"});
  EXPECT_THAT(begun.out, HasSubstr("[ PARTIAL  ] Lamps.GoOffAgain: 2 executions"));
  EXPECT_THAT(run("Lamps.GoOffAgain", {"--harrier_resume=some"}).out,
              HasSubstr("[ EXPLORED ] Lamps.GoOffAgain: 6 executions"));
}

TEST_F(SpecifiedEtest, IsRefusedInASentence) {
  const auto all = run("Refused.*", {"--gtest_output=json:refused.json"});

  EXPECT_EQ(failed(results("refused.json")).size(), 6U) << all.out;
  EXPECT_THAT(all.out,
              AllOf(HasSubstr("'all are off' is said to hold after the first delivery"),
                    HasSubstr("'all are off' is the name of two things that are to hold"),
                    HasSubstr("'all are off' is said to hold in some executions and not in others"),
                    HasSubstr("an assertion fails in a function of 'all are off', which says by what it returns"),
                    HasSubstr("engine optimal can")));
  EXPECT_THAT(run("Refused.WhatAssertsAtTheEnd").out, HasSubstr("an assertion fails in a function of 'all are off'"));
}

TEST_F(SpecifiedEtest, SaysWhatItHasNotJudged) {
  EXPECT_THAT(
      run("Vacuous.OfNobody").out,
      HasSubstr("never, in any execution: there is an actor of class nobody, at which 'nobody is there' looks"));
  const auto undecided = run("Undecided.ByAHistory", {"--harrier_require_complete"});
  EXPECT_EQ(undecided.status, 1);
  EXPECT_THAT(undecided.out, HasSubstr("histories of 'one register' that take more than 1 tries"));
  EXPECT_THAT(run("Cut.NothingWasJudged").out, HasSubstr("nothing was judged: no execution came to its end"));
}

}  // namespace
