// What ETESTs are told on the command line and in the environment.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "etest.hpp"

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(Etest, IsToldWhatToDoByTheTestThenByFlagsThenByTheEnvironment) {
  EXPECT_THAT(run("Passes.WithSafeTellers", {}, "HARRIER_ENGINE=trust").out, HasSubstr("(engine trust, "));
  EXPECT_THAT(run("Passes.WithSafeTellers", {"--harrier_engine=source"}, "HARRIER_ENGINE=trust").out,
              HasSubstr("(engine source, "));
  EXPECT_THAT(run("Limited.*", {"--harrier_engine=source"}).out, HasSubstr("(engine exhaustive, "));
  EXPECT_THAT(run("Passes.WithSafeTellers", {"--harrier_delivery=mailbox"}).out, HasSubstr("delivery mailbox"));
}

TEST_F(Etest, RefusesFlagsThatItDoesNotKnow) {
  const auto unknown = run("Passes.*", {"--harrier_engin=optimal"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, StartsWith("error: unknown flag --harrier_engin; did you mean '--harrier_engine'?\n"));
  EXPECT_THAT(unknown.out, Not(HasSubstr("RUN")));
  EXPECT_EQ(run("Passes.*", {"--harrier_colour"}).err,
            "error: unknown flag --harrier_colour; --harrier_help lists all\n");

  for (const auto* flag :
       {"--harier_engine=optimal", "--harrier-engine=optimal", "-harrier_engine=optimal", "--Harrier_engine=optimal",
        "--harrier=optimal", "--harier_xyz", "--harrierengine=optimal"}) {
    const auto misspelt = run("Nobody.*", {flag});
    EXPECT_EQ(misspelt.status, 2) << flag;
    EXPECT_THAT(misspelt.err, AllOf(StartsWith(std::string("error: unknown flag ") + flag),
                                    HasSubstr("flags are written --harrier_NAME=VALUE")));
  }
  EXPECT_EQ(run("Passes.WithFinally", {"--carrier=3", "--barrier_width=2", "-h2"}).status, 0) << "somebody else's";

  const auto wrong = run("Passes.*", {"--harrier_engine=fast"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, StartsWith("error: --harrier_engine=fast: one of auto, optimal, "));

  const auto number = run("Passes.*", {}, "HARRIER_MAX_EXECUTIONS=many");
  EXPECT_EQ(number.status, 2);
  EXPECT_THAT(number.err, StartsWith("error: environment variable HARRIER_MAX_EXECUTIONS=many: a whole number"));
}

TEST_F(Etest, TakesTheOptionsOfTheCommandLine) {
  const auto searched = [&](const std::string& flag, const std::string& environment = {}) {
    const auto done = run("Shared.ByJobs", flag.empty() ? std::vector<std::string>{} : std::vector{flag},
                          "HARRIER_ENGINE=optimal " + environment);
    EXPECT_EQ(done.status, 0) << flag << environment << done.err << done.out;
    return done.out;
  };
  EXPECT_THAT(searched("--harrier_observers=on"), HasSubstr("120 executions"));
  EXPECT_THAT(searched("--harrier_independence=fields"), HasSubstr("120 executions"));
  EXPECT_THAT(searched("--harrier_check_determinism=all"), HasSubstr("120 executions"));
  EXPECT_THAT(searched("--harrier_check_undo"), HasSubstr("120 executions"));
  EXPECT_THAT(searched("", "HARRIER_JOBS=2 HARRIER_STATES=full"), HasSubstr("120 executions"));
  EXPECT_THAT(run("Shared.ByJobs", {"--harrier_engine=source", "--harrier_independence=semantic"}).out,
              HasSubstr("[ EXPLORED ] Shared.ByJobs: 1 execution "));
  EXPECT_THAT(run("Shared.ByJobs", {"--harrier_engine=stateful", "--harrier_search=bfs", "--harrier_visited=exact",
                                    "--harrier_state_comparison=exact", "--harrier_steps=little"})
                  .out,
              HasSubstr("(engine stateful, "));
}

TEST_F(Etest, HasFlagsOfItsOwn) {
  const auto told = run("Worded.*", {"--harrier_max_executions=7"});

  EXPECT_EQ(told.status, 0) << told.out;
  EXPECT_THAT(told.out, AllOf(HasSubstr("4 executions"), HasSubstr("(engine source, ")));
}

TEST_F(Etest, RefusesAnAttributeThatIsNoNumberOfSeconds) {
  const auto done = run("Negative.*");
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.out, HasSubstr(".time_limit = -1: a number of seconds is expected, 0 or more"));
}

TEST_F(Etest, RefusesAnEnvironmentVariableThatIsNearlyOne) {
  const auto misspelt = run("Passes.*", {}, "HARRIER_ENGIN=optimal");
  EXPECT_EQ(misspelt.status, 2);
  EXPECT_THAT(misspelt.err, HasSubstr("unknown environment variable HARRIER_ENGIN; did you mean 'HARRIER_ENGINE'?"));
  EXPECT_EQ(run("Passes.*", {}, "HARRIER_OF_SOMEBODY_ELSE=1").status, 0);
}

}  // namespace
