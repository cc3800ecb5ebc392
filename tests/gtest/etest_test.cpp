// Real binaries with ETESTs, run as users and their tools run them.
#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../replay/kinds.hpp"
#include "etest.hpp"

namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Those of specified_test.cpp.
constexpr auto specified_samples =
    ":Lamps.*:Each/Values.*:Typed/*:Histories.*:Converges.*:Refused.*:Vacuous.*:Undecided.*:Cut.*";

TEST_F(Etest, FailsOnceForEachTestThatMustFailAndNeverElse) {
  const auto all =
      run(std::string("*-Harms.ByALeak:Long.*:Twice.*") + specified_samples, {"--gtest_output=json:all.json"});

  EXPECT_EQ(all.status, 1) << all.err;
  const auto each = results("all.json");
  EXPECT_THAT(
      failed(each),
      ElementsAre("Condition.Fails", "Deadlock.OfTwo", "Fails.AfterOneDelivery", "Fails.InAHandler",
                  "Fails.InTheSecondStage", "Fails.WithALostUpdate", "Fails.WithFinally", "Few/Amounts.AddUp/1",
                  "Harms.BeforeTheFirstMessage", "Harms.ByACrash", "Harms.ByACrashOfTheBody",
                  "Harms.ByAHandlerThatForgets", "Harms.ByALoop", "Harms.ByAMock", "Harms.ByAThrowOfTheBody",
                  "Harms.ByAWrongDeclaration", "Harms.ByAnException", "Harms.ByWhatIsOutside",
                  "Harms.ByWordsThatAreOthersEachTime", "Huge.State", "Judged.NothingByAFinallyThatSeesNoEnd",
                  "Judged.NothingWhereEachExecutionIsAssumedAway", "Judged.NothingWhereEachExecutionIsCut",
                  "Left.Undelivered", "Negative.LimitOfTime", "Property.IsBroken", "Shared.ByJobsFails",
                  "Shop.FailsByItsFixturesCheckOfEachEnd", "Shop.IsNoFixtureForAnOrdinaryTest", "Shown.AreNoAddresses",
                  "Shown.AreReferencesByTheNamesOfTheirActors", "Shown.AreValuesThatGoogleTestDoesNotKnow"));
  for (const auto& [name, failures] : each) EXPECT_LE(failures, 1U) << name;
}

TEST_F(Etest, TellsAFailureInTheWordsOfTheTest) {
  const auto lost = run("Fails.WithALostUpdate").out;

  EXPECT_THAT(lost, AllOf(HasSubstr("samples.cpp:"), HasSubstr(": Failure\n"),
                          HasSubstr("Expected equality of these values: state(shared).balance (which is 120), 130, "
                                    "somebody's money is gone\n9 deliveries lead to it"),
                          HasSubstr("3. account_0.ask()\n        sends teller_1.reply(100)"),
                          HasSubstr("9. test.handle_all() returns"), Not(HasSubstr("driver"))));
}

TEST_F(Etest, SaysWhyItFailsAndHowAnOrderGoesOnThatPasses) {
  EXPECT_THAT(run("Fails.WithALostUpdate").out,
              AllOf(HasSubstr("\nWhy: account_0 took ask() from teller_2 between ask() and set(110) from teller_1. The "
                              "other way round it passes: account_0 is {balance=110} after ask(), not {balance=100}."),
                    HasSubstr("account_0.set(130), test.handle_all() returns.\n\nFound in execution")));
  EXPECT_THAT(run("Fails.InAHandler").out, HasSubstr("Why: strict_0 took take(2) before take(1), both from the test."));
  EXPECT_THAT(run("Fails.WithALostUpdate", {"--harrier_in_process"}).out, Not(HasSubstr("Why: ")))
      << "other orders might end this process";
}

TEST_F(Etest, SaysTheCommandThatRunsJustTheFailureAgain) {
  for (const std::string name : {"Fails.WithALostUpdate", "Fails.WithFinally", "Fails.InTheSecondStage",
                                 "Fails.InAHandler", "Fails.AfterOneDelivery", "Deadlock.OfTwo", "Harms.ByAnException",
                                 "Harms.ByAThrowOfTheBody", "Few/Amounts.AddUp/1"}) {
    const auto again = run_line(command_in(run(name).out, "Run just these deliveries again"));

    EXPECT_EQ(again.status, 1) << again.err;
    EXPECT_THAT(again.out, AllOf(HasSubstr("   1. "), HasSubstr("[  FAILED  ] " + name),
                                 Not(HasSubstr("did not occur")), Not(HasSubstr("has changed")),
                                 Not(HasSubstr("EXPLORED")), HasSubstr("1 test from 1 test suite ran")));
  }
}

TEST_F(Etest, CrashesAgainWhereItsTraceIsRun) {
  const auto again = run_line(command_in(run("Harms.ByACrash").out, "Run just these deliveries again"));

  EXPECT_GE(again.status, 128);
  EXPECT_THAT(again.out, EndsWith("   1. harmful_0.crash() is next\n"));
}

/// The sample that fails by a finding of that kind; none where no test can: nobody but a monitor, a protocol or an
/// adapter tells of it.
std::optional<std::string> sample_with(harrier::finding_kind kind) {
  switch (kind) {
    case harrier::finding_kind::assertion: return "Fails.InAHandler";
    case harrier::finding_kind::deadlock: return "Deadlock.OfTwo";
    case harrier::finding_kind::undelivered: return "Left.Undelivered";
    case harrier::finding_kind::exception: return "Harms.ByAnException";
    case harrier::finding_kind::crash: return "Harms.ByACrash";
    case harrier::finding_kind::nontermination: return "Harms.ByALoop";
    case harrier::finding_kind::ltl: return "Property.IsBroken";
    case harrier::finding_kind::nondeterminism: return "Harms.ByAHandlerThatForgets";
    case harrier::finding_kind::declaration: return "Harms.ByAWrongDeclaration";
    case harrier::finding_kind::invariant:
    case harrier::finding_kind::conformance:
    case harrier::finding_kind::unexpected: break;
  }
  return std::nullopt;
}

std::vector<std::string> samples_with_findings() {
  std::vector<std::string> all;
  for (const auto kind : harrier::all_kinds())
    if (const auto sample = sample_with(kind)) all.push_back(*sample);
  return all;
}

class EtestWithAFinding : public Etest, public testing::WithParamInterface<std::string> {};

TEST_P(EtestWithAFinding, FailsAgainByItsTrace) {
  const auto& name = GetParam();
  const auto again = run_line("timeout 5 " + command_in(run(name).out, "Run just these deliveries again"));
  const bool ends = name != "Harms.ByACrash" && name != "Harms.ByALoop";

  EXPECT_THAT(again.out, AllOf(Not(HasSubstr("did not occur")), Not(HasSubstr("has changed")))) << again.err;
  EXPECT_THAT(again.out, ends ? HasSubstr("[  FAILED  ] " + name) : HasSubstr(" is next\n"));
  EXPECT_TRUE(ends ? again.status == 1 : again.status >= 124) << again.status;
}

INSTANTIATE_TEST_SUITE_P(EveryKind, EtestWithAFinding, testing::ValuesIn(samples_with_findings()),
                         [](const auto& of) { return of.param.substr(of.param.find('.') + 1); });

TEST_F(Etest, BreaksIntoADebuggerAtTheAssertion) {
  if (!e2e::can_run({"gdb", "--version"})) GTEST_SKIP() << "there is no gdb";
  const auto command = command_in(run("Fails.WithALostUpdate").out, "in a debugger");
  const auto gdb = run_line("ASAN_OPTIONS=detect_leaks=0 " + command.substr(0, command.find(" --args")) +
                            " -batch -ex run -ex bt" + command.substr(command.find(" --args")));

  if (gdb.out.find("ptrace") != std::string::npos || gdb.err.find("ptrace") != std::string::npos)
    GTEST_SKIP() << "gdb may not trace here";
  EXPECT_THAT(gdb.out, AllOf(HasSubstr("SIGTRAP"), testing::ContainsRegex("run_etest \\(.*\\) at")));
}

TEST_F(Etest, BreaksOnFailureOnlyWhereTheFailureIsReported) {
  const auto broken = run("Fails.WithALostUpdate:Passes.*", {"--gtest_break_on_failure"});

  EXPECT_EQ(broken.status, 128 + 5) << broken.err;
  EXPECT_THAT(broken.out,
              AllOf(HasSubstr("[       OK ] Passes.WithSafeTellers"), HasSubstr("9 deliveries lead to it")));
}

TEST_F(Etest, SurvivesAHandlerThatEndsTheProcess) {
  const auto crash = run("Harms.ByACrash*:Passes.WithFinally");

  EXPECT_EQ(crash.status, 1);
  EXPECT_THAT(crash.out, AllOf(HasSubstr("crash: harmful_0.crash() ended the process: SIGABRT"),
                               HasSubstr("2. test.handle_all() returns\n        FAILED crash"),
                               HasSubstr("[       OK ] Passes.WithFinally")));
}

TEST_F(Etest, FailsWhereAHandlerLeaksIfASanitizerCanSee) {
#if defined(__SANITIZE_ADDRESS__)
  const auto leak = run("Harms.ByALeak:Passes.WithFinally", {}, "ASAN_OPTIONS=detect_leaks=1");

  EXPECT_EQ(leak.status, 1) << leak.out;
  EXPECT_THAT(leak.out, AllOf(HasSubstr("memory is lost: the report of LeakSanitizer says where it was allocated"),
                              HasSubstr("[       OK ] Passes.WithFinally")));
  EXPECT_THAT(leak.err, HasSubstr("samples.cpp"));
#else
  GTEST_SKIP() << "built without AddressSanitizer";
#endif
}

TEST_F(Etest, StopsAHandlerThatNeverEnds) {
  EXPECT_THAT(run("Harms.ByALoop").out, HasSubstr("nontermination: harmful_0.loop() did not end within 0.3 s"));
}

TEST_F(Etest, EndsAllTestsWhenInterrupted) {
  const auto ended = e2e::run({GTEST_SAMPLES, "--gtest_filter=Long.*:Passes.*"}, {.meanwhile = [](pid_t tests) {
                                e2e::busy_child_of(tests);
                                kill(tests, SIGINT);
                              }});

  EXPECT_EQ(ended.status, 128 + 2);
  EXPECT_THAT(ended.out, AllOf(HasSubstr("[ PARTIAL  ] Long.ByFar: "), HasSubstr("stopped by an interrupt"),
                               Not(HasSubstr("[==========] 4 tests"))));
}

TEST_F(Etest, ShowsHowFarItIsOnATerminal) {
  const std::vector<std::string> words = {GTEST_SAMPLES, "--gtest_filter=Long.*", "--harrier_time_limit=4"};
  const auto seen = e2e::run(words, {.on_terminal = true});

  EXPECT_THAT(seen.out,
              AllOf(ContainsRegex(" executions, [1-4] s; less than 1 % of an estimated 10\\^"), HasSubstr(" to go")));
  EXPECT_THAT(e2e::run(words).err, Not(HasSubstr("to go")));
}

TEST_F(Etest, IsFilteredRepeatedAndSharded) {
  const auto count = [](const std::string& out, const std::string& what) {
    std::size_t n = 0;
    for (auto at = out.find(what); at != std::string::npos; at = out.find(what, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count(run("Passes.*").out, "[ EXPLORED ]"), 3U);
  EXPECT_EQ(count(run("Passes.*", {"--gtest_repeat=3"}).out, "[ EXPLORED ]"), 9U);

  std::set<std::string> ran;
  std::size_t runs = 0;
  for (const std::string shard : {"0", "1"}) {
    const auto part =
        run("Passes.*:Opened.*", {"--gtest_output=json:shard.json"}, "GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=" + shard);
    EXPECT_EQ(part.status, 0);
    for (const auto& [name, failures] : results("shard.json")) {
      ran.insert(name);
      ++runs;
    }
  }
  EXPECT_EQ(ran.size(), 5U);
  EXPECT_EQ(runs, 5U);
}

TEST_F(Etest, IsListedWithoutBeingRun) {
  const auto list = run("Harms.*:Few*", {"--gtest_list_tests"});

  EXPECT_EQ(list.status, 0);
  EXPECT_THAT(list.out, AllOf(HasSubstr("Harms.\n  ByAMock\n  ByACrash\n"), HasSubstr("Few/Amounts.\n  AddUp/0")));
}

TEST_F(Etest, LeavesPropertiesInTheReport) {
  run("Passes.WithFinally:Limited.*", {"--gtest_output=xml:report.xml"});

  EXPECT_THAT(
      content("report.xml"),
      AllOf(HasSubstr(R"(name="harrier_executions" value="6")"), HasSubstr(R"(name="harrier_complete" value="true")"),
            HasSubstr(R"(name="harrier_complete" value="false")"),
            HasSubstr(R"(name="harrier_stopped_by" value="the limit of 3 executions")")));
}

TEST_F(Etest, FindsTheSameWithEveryEngine) {
  for (const std::string engine :
       {"optimal", "exhaustive", "dcute", "persistent", "transdpor", "source", "trust", "stateful"}) {
    const auto each = run("Passes.*:Fails.*", {"--harrier_engine=" + engine, "--gtest_output=json:by.json"});
    EXPECT_THAT(failed(results("by.json")),
                ElementsAre("Fails.AfterOneDelivery", "Fails.InAHandler", "Fails.InTheSecondStage",
                            "Fails.WithALostUpdate", "Fails.WithFinally"))
        << engine << "\n"
        << each.out;
  }
}

TEST_F(Etest, FindsTheSameWithEachEngineThatSamples) {
  for (const std::string engine : {"random", "pos", "pct", "delay"}) {
    const auto each = run("Passes.*:Fails.*", {"--harrier_engine=" + engine, "--harrier_max_executions=300",
                                               "--gtest_output=json:by.json"});
    EXPECT_THAT(failed(results("by.json")), testing::SizeIs(5)) << engine << "\n" << each.out;
  }
}

TEST_F(Etest, LooksForBugsWithinABudget) {
  const auto cut = run("Long.*:Fails.WithALostUpdate", {"--harrier_budget=1s"});

  EXPECT_EQ(cut.status, 1);
  EXPECT_THAT(cut.out, AllOf(HasSubstr("stopped by the budget of 1 s"), HasSubstr("[       OK ] Long.ByFar"),
                             HasSubstr("[  FAILED  ] Fails.WithALostUpdate")));
}

TEST_F(Etest, CallsOptionsAsItsCommandLineDoes) {
  EXPECT_THAT(run("Endless.Ticks").out,
              AllOf(HasSubstr("as often as they may (--harrier_timeouts)"), Not(HasSubstr("(--timeouts)"))));
}

TEST_F(Etest, IsRunByEachManager) {
  const auto once = run("Passes.WithSafeTellers", {"--harrier_manager=deterministic"}).out;
  const auto some = run("Passes.WithSafeTellers", {"--harrier_manager=random", "--harrier_max_executions=25"}).out;
  const auto lost = run("Fails.WithALostUpdate", {"--harrier_manager=random"});

  EXPECT_THAT(once,
              HasSubstr("[ SAMPLED  ] Passes.WithSafeTellers: 1 execution, no failure; other orders may have one"));
  EXPECT_THAT(some, HasSubstr("[ SAMPLED  ] Passes.WithSafeTellers: 25 executions, no failure"));
  EXPECT_THAT(run("Noted.*").out, HasSubstr("[  NOTED   ] heads\\n: 1, tails: 2 (executions)\n"));
  EXPECT_EQ(lost.status, 1);
}

TEST_F(Etest, SaysThatItsRunWasCutAndFailsIfThatIsNotEnough) {
  const auto cut = run("Limited.*");
  EXPECT_EQ(cut.status, 0);
  // The share is that of the moment at which it was estimated: after one execution, or after three.
  EXPECT_THAT(cut.out,
              AllOf(ContainsRegex("PARTIAL  . Limited.ByItsAttribute: 3 executions, (about [23]|less than 1) % of"),
                    HasSubstr(" of an estimated 120 executions, no failure so far; stopped by the limit of 3 "
                              "executions, so not every order was run")));

  const auto complete = run("Limited.*", {"--harrier_require_complete"});
  EXPECT_EQ(complete.status, 1);
  EXPECT_THAT(complete.out,
              HasSubstr("the test was not explored completely: it was stopped by the limit of 3 executions"));
}

TEST_F(Etest, TracesGoWhereTheyAreAskedToGo) {
  run("Few/Amounts.AddUp/1", {"--harrier_traces=some/where"});

  EXPECT_TRUE(std::filesystem::exists(here_ / "some/where/Few.Amounts.AddUp.1.trace.json"));
  EXPECT_FALSE(std::filesystem::exists(here_ / "Few.Amounts.AddUp.1.trace.json"));
}

TEST_F(Etest, RunsNoOtherTestThanThatOfTheTrace) {
  run("Fails.WithFinally");
  const auto others = run("Passes.*:Fails.WithFinally", {"--harrier_replay=Fails.WithFinally.trace.json"});

  EXPECT_THAT(others.out,
              AllOf(HasSubstr("[  SKIPPED ] Passes.WithSafeTellers"), HasSubstr("[  FAILED  ] Fails.WithFinally"),
                    HasSubstr("is a trace of Fails.WithFinally")));
}

TEST_F(Etest, IsNotReplayedWhereItIsNotToBeRunOrHasNoTrace) {
  run("Fails.WithFinally");
  const auto elsewhere = run("Passes.*", {"--harrier_replay=Fails.WithFinally.trace.json"});
  EXPECT_EQ(elsewhere.status, 2);
  EXPECT_THAT(
      elsewhere.err,
      AllOf(StartsWith("error: Fails.WithFinally.trace.json is a trace of Fails.WithFinally, which is not to be "
                       "run here: the filter is Passes.*"),
            HasSubstr("--gtest_filter=Fails.WithFinally\n")));
  const auto nobody = run("Nobody.*", {"--harrier_replay=Fails.WithFinally.trace.json"});
  EXPECT_EQ(nobody.status, 2);

  for (const std::string filter : {"Fails.WithFinally", "Opened.IsAnOrdinaryFixtureToo", "*"}) {
    const auto missing = run(filter, {"--harrier_replay=none.json"});
    EXPECT_EQ(missing.status, 2) << filter;
    EXPECT_THAT(missing.err, AllOf(StartsWith("error: "), HasSubstr("none.json"))) << filter;
    EXPECT_THAT(missing.out, Not(HasSubstr("[==="))) << filter;
  }
}

TEST_F(Etest, FailsWhereATraceIsOfATestThatIsNoneAnyMore) {
  run("Fails.WithFinally");
  const auto edited =
      run_line("sed 's/Fails.WithFinally/Opened.IsAnOrdinaryFixtureToo/' Fails.WithFinally.trace.json > other.json");
  ASSERT_EQ(edited.status, 0) << edited.err;
  const auto plain = run("*Opened.*", {"--harrier_replay=other.json"});

  EXPECT_EQ(plain.status, 1);
  EXPECT_THAT(plain.out, HasSubstr("which is no longer an ETEST: its deliveries were not run again"));
}

TEST_F(Etest, HasWhatABodyHasInItsFixture) {
  const auto all = run("Shop.*:Few/Counted.*:Cells/*:Plain/*:Mine/*", {"--gtest_output=json:shop.json"});

  EXPECT_THAT(failed(results("shop.json")),
              ElementsAre("Shop.FailsByItsFixturesCheckOfEachEnd", "Shop.IsNoFixtureForAnOrdinaryTest"))
      << all.out;
  EXPECT_EQ(results("shop.json").size(), 11U);
  EXPECT_THAT(all.out, AllOf(HasSubstr("[ EXPLORED ] Shop.IsSetUpByAFixtureThatSends: 6 executions"),
                             HasSubstr("[ EXPLORED ] Few/Counted.AddsUpInAFixtureWithValues/1: 6 executions"),
                             HasSubstr("this fixture is for ETEST_F: a TEST_F has no `self`")));
}

TEST_F(Etest, LeavesThePropertiesThatItsBodyRecords) {
  EXPECT_EQ(run("Recorded.*", {"--gtest_output=xml:report.xml"}).status, 0);
  EXPECT_THAT(content("report.xml"),
              AllOf(HasSubstr(R"(name="set_up" value="yes")"), HasSubstr(R"(name="before" value="1")"),
                    HasSubstr(R"(name="after" value="it was handled")")));
}

TEST_F(Etest, ShowsValuesThatGoogleTestDoesNotKnow) {
  const auto values = run("Shown.AreValuesThatGoogleTestDoesNotKnow").out;
  EXPECT_THAT(values,
              AllOf(HasSubstr(R"({n=2, text="two, which is longer than what fits into a string itself", in=red})"),
                    HasSubstr(R"((note{1, "one", colour::green}) (which is {n=1, text="one", in=green}))"),
                    Not(HasSubstr("repeat itself")), Not(HasSubstr("byte object"))));
  const auto references = run("Shown.AreReferencesByTheNamesOfTheirActors").out;
  EXPECT_THAT(references, AllOf(HasSubstr("*state(one).of (which is account_2), mine (which is account_1)"),
                                Not(HasSubstr("repeat itself"))));
}

TEST_F(Etest, IsNotBlamedForAddressesInItsFailures) {
  const auto line = run_line("grep -n 'EXPECT_EQ(static_cast<const void' '" GTEST_SAMPLES_SOURCE "' | cut -d: -f1");
  const auto addresses = run("Shown.AreNoAddresses").out;

  EXPECT_THAT(addresses, AllOf(HasSubstr("(which is 0x..)"), Not(HasSubstr("repeat itself")),
                               HasSubstr("samples.cpp:" + line.out.substr(0, line.out.find('\n')) + ": Failure")));
}

TEST_F(Etest, FailsWhereNothingWasJudged) {
  const auto assumed = run("Judged.NothingWhereEachExecutionIsAssumedAway");
  EXPECT_EQ(assumed.status, 1);
  EXPECT_THAT(assumed.out,
              HasSubstr("nothing was judged: no execution came to its end (1 assumed away; what is assumed "
                        "holds in none)"));
  const auto cut = run("Judged.NothingWhereEachExecutionIsCut");
  EXPECT_EQ(cut.status, 1);
  EXPECT_THAT(cut.out, HasSubstr("nothing was judged: no execution came to its end (1 cut short; stopped by the depth "
                                 "limit of 20 deliveries)"));
  const auto endless = run("Judged.NothingByAFinallyThatSeesNoEnd");
  EXPECT_EQ(endless.status, 1);
  EXPECT_THAT(endless.out, HasSubstr("nothing was judged: no execution came to its end (executions never end)"));
  EXPECT_EQ(run("Judged.WhatHandlersCheckWhereStatesAreAllThereIs").status, 0);
}

TEST_F(Etest, SaysInTheLineOfAPassWhatWasNotJudged) {
  EXPECT_THAT(run("Judged.AllButWhatIsAssumedAway", {"--gtest_print_time=0"}).out,
              HasSubstr("[       OK ] Judged.AllButWhatIsAssumedAway, 1 execution judged, 1 assumed away\n"));
  EXPECT_THAT(run("Limited.*", {"--gtest_print_time=0"}).out,
              HasSubstr("[       OK ] Limited.ByItsAttribute, PARTIAL: 3 executions judged; stopped by the limit of 3 "
                        "executions\n"));
  EXPECT_THAT(run("Passes.WithFinally", {"--gtest_print_time=0"}).out, HasSubstr("[       OK ] Passes.WithFinally\n"));
}

TEST_F(Etest, PrintsATraceOnceForAllThatFailsThere) {
  const auto out = run("Twice.*", {"--gtest_output=json:twice.json"}).out;

  EXPECT_THAT(results("twice.json"), ElementsAre(testing::Pair("Twice.InOneExecution", 2U)));
  EXPECT_EQ(out.find("   1. "), out.rfind("   1. ")) << out;
  EXPECT_THAT(out, HasSubstr("much of it\nThe deliveries that lead to it are shown above."));
}

TEST_F(Etest, CutsWhatItPrintsOfAHugeState) {
  const auto huge = run("Huge.State");
  EXPECT_LT(huge.out.size(), 30000U);
  EXPECT_THAT(huge.out, HasSubstr(" bytes not shown; the saved trace has them all ..."));
  EXPECT_GT(content("Huge.State.trace.json").size(), 600000U);
  EXPECT_GT(run("Huge.State", {"--harrier_states=full"}).out.size(), 600000U);
}

TEST_F(Etest, IsSearchedByJobsWhereItCanBe) {
  const auto shared = run("Shared.ByJobs", {"--harrier_jobs=2", "--harrier_engine=optimal"});
  EXPECT_EQ(shared.status, 0) << shared.err;
  EXPECT_THAT(shared.out, AllOf(HasSubstr("[ EXPLORED ] Shared.ByJobs: 120 executions"), HasSubstr(", 2 jobs, "),
                                Not(HasSubstr("NOTE"))));
  const auto fails = run("Shared.ByJobsFails", {"--harrier_jobs=2", "--harrier_engine=optimal"});
  EXPECT_EQ(fails.status, 1);
  EXPECT_THAT(fails.out, HasSubstr("two comes before one, in strict_0\n"));

  const auto waits = run("Shared.AlsoWhereTheBodyWaits", {"--harrier_jobs=2", "--harrier_checkpoint=there"});
  EXPECT_EQ(waits.status, 0) << waits.out;
  EXPECT_THAT(waits.out, AllOf(HasSubstr("6 executions"), HasSubstr(", 2 jobs, "), Not(HasSubstr("NOTE"))));
}

TEST_F(Etest, GoesOnFromWhereItWasWrittenDown) {
  const auto begun =
      run("Shared.ByJobs", {"--harrier_engine=optimal", "--harrier_checkpoint=there", "--harrier_max_executions=50"});
  EXPECT_THAT(begun.out, HasSubstr("[ PARTIAL  ] Shared.ByJobs: 50 executions"));
  ASSERT_TRUE(std::filesystem::exists(here_ / "there/Shared.ByJobs.checkpoint"));

  const auto ended = run("Shared.ByJobs", {"--harrier_engine=optimal", "--harrier_resume=there"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.out, HasSubstr("[ EXPLORED ] Shared.ByJobs: 120 executions"));
}

TEST_F(Etest, IsJudgedByTemporalProperties) {
  const auto broken = run("Property.*");
  EXPECT_EQ(broken.status, 1);
  EXPECT_THAT(broken.out, HasSubstr("ltl: G !\"account_0 RECV add\" is violated"));
  const auto again = run_line(command_in(broken.out, "Run just these deliveries again"));
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.out, AllOf(HasSubstr("ltl: "), Not(HasSubstr("did not occur again"))));

  EXPECT_EQ(run("Shared.ByJobs", {"--harrier_property=F \"account_0 RECV add\""}).status, 0);
  const auto wrong = run("Shared.ByJobs", {"--harrier_property=F F ("});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, StartsWith("error: "));
}

TEST_F(Etest, SaysThatMocksDoNotCountInHandlers) {
  const auto mocked = run("Harms.ByAMock");

  EXPECT_EQ(mocked.status, 1);
  EXPECT_THAT(
      mocked.out,
      HasSubstr("a mock was called by a handler: handlers are run and taken back many times, so calls of a mock cannot "
                "be counted; keep in the actor's state what it did"));
}

TEST_F(Etest, IsSkippedByItsBody) {
  const auto skipped = run("Skips.*");

  EXPECT_EQ(skipped.status, 0);
  EXPECT_THAT(skipped.out, AllOf(HasSubstr("Skipped\nnot today\n"), HasSubstr("[  SKIPPED ] Skips.InItsBody")));
}

TEST_F(Etest, HasMessagesThatAreLostOrArriveTwiceIfAskedFor) {
  EXPECT_EQ(run("Network.*").status, 0);
  const auto lost = run("Network.*", {"--harrier_lose=1"});
  const auto again = run("Network.*", {"--harrier_replay=Network.ThatLoses.trace.json"});
  const auto twice = run("Network.*", {}, "HARRIER_DUPLICATE=1");

  EXPECT_THAT(lost.out, AllOf(HasSubstr("(which is 0)"), HasSubstr("FAULT hear() to told_one_0 is lost")));
  EXPECT_THAT(again.out, HasSubstr("Which is: 0"));
  EXPECT_THAT(twice.out, AllOf(HasSubstr("(which is 2)"), HasSubstr("FAULT hear() to told_one_0 arrives twice")));
}

TEST_F(Etest, FailsByWhatFailsInACondition) {
  EXPECT_THAT(run("Condition.*").out, AllOf(HasSubstr("while it waits"), HasSubstr("[  FAILED  ] Condition.Fails")));
}

TEST_F(Etest, RefusesATraceOfATestThatItDoesNotHave) {
  run("Fails.WithFinally");
  const auto edited = run_line("sed 's/Fails.WithFinally/Fails.Elsewhere/' Fails.WithFinally.trace.json > other.json");
  ASSERT_EQ(edited.status, 0) << edited.err;
  const auto foreign = run("*", {"--harrier_replay=other.json"});

  EXPECT_EQ(foreign.status, 2);
  EXPECT_THAT(foreign.err, HasSubstr("other.json is a trace of Fails.Elsewhere, which is not a test of this program"));
}

TEST_F(Etest, NamesTheLineOfAnExpectationWhoseWordsDiffer) {
  const auto line = run_line("grep -n '<< ++said' '" GTEST_SAMPLES_SOURCE "' | cut -d: -f1");
  EXPECT_THAT(run("Harms.ByWordsThatAreOthersEachTime").out,
              AllOf(HasSubstr("samples.cpp:" + line.out.substr(0, line.out.find('\n')) + ": Failure\nnondeterminism: "),
                    HasSubstr("the first time it reports 'Expected equality of these values: 1, 2, said ")));
}

TEST_F(Etest, NoticesABodyThatDependsOnWhatIsOutside) {
  EXPECT_THAT(run("Harms.ByWhatIsOutside").out,
              HasSubstr("the test does not repeat itself when its body is run again"));
}

}  // namespace
