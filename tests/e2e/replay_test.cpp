#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "run.hpp"

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Replay : public testing::Test {
protected:
  /// Saves the trace of the first finding of `words`; its file.
  std::string saved(std::vector<std::string> words) {
    words.insert(words.begin(), "explore");
    words.insert(words.end(), {"--save-trace", here_ / "trace.json"});
    const auto result = e2e::programs(words);
    EXPECT_TRUE(result.status == 1 || result.status == 4) << result.out << result.err;
    return here_ / "trace.json";
  }
  /// The trace with `change` made to its JSON.
  template <class Change>
  std::string changed(const std::string& file, Change change) {
    auto json = nlohmann::json::parse(e2e::content_of(file));
    change(json);
    std::ofstream(here_ / "changed.json") << json;
    return here_ / "changed.json";
  }

  e2e::folder here_;
};

class ReplayOf : public Replay, public testing::WithParamInterface<std::vector<std::string>> {};

TEST_P(ReplayOf, FindsTheSameAgain) {
  const auto trace = saved(GetParam());
  const auto isolated = e2e::programs({"replay", trace});
  const auto in_process = e2e::programs({"replay", "--in-process", trace});

  EXPECT_EQ(isolated.status, 1);
  EXPECT_THAT(isolated.out, HasSubstr("Found again"));
  EXPECT_EQ(in_process.status, 1);
}

INSTANTIATE_TEST_SUITE_P(Findings, ReplayOf,
                         testing::Values(std::vector<std::string>{"failing-check"},
                                         std::vector<std::string>{"deadlock"},
                                         std::vector<std::string>{"undelivered", "--undelivered", "error"},
                                         std::vector<std::string>{"failing-check", "--environment", "empty"},
                                         std::vector<std::string>{"choices"},
                                         std::vector<std::string>{"harm", "how=exception"},
                                         std::vector<std::string>{"failing-check", "--engine", "random", "--seed", "7"},
                                         std::vector<std::string>{"failing-check", "--engine", "pos", "--seed", "7"},
                                         std::vector<std::string>{"failing-check", "--engine", "pct", "--seed", "7"},
                                         std::vector<std::string>{"failing-check", "--engine", "delay"},
                                         std::vector<std::string>{"deep-bug", "rounds=20000"}));

TEST_F(Replay, FindsAWrongDeclarationAgain) {
  for (const std::string reads : {"reads=0", "reads=1"}) {
    const auto trace = saved({"wrong-declaration", reads, "--independence", "fields"});
    const auto isolated = e2e::programs({"replay", trace});
    EXPECT_EQ(isolated.status, 4) << isolated.out << isolated.err;
    EXPECT_THAT(isolated.out, HasSubstr("Found again declaration: undeclared_0."));
    EXPECT_EQ(e2e::programs({"replay", "--in-process", trace}).status, 4);
  }
}

TEST_F(Replay, FindsNondeterminismAgain) {
  const auto result = e2e::programs({"replay", saved({"nondeterministic"})});

  EXPECT_EQ(result.status, 4);
  EXPECT_THAT(result.out, HasSubstr("Found again nondeterminism"));
}

TEST_F(Replay, StopsAtTheFirstStepThatAChangedProgramDoesDifferently) {
  const auto result = e2e::changed_programs({"replay", saved({"ping-pong", "--environment", "empty"})});
  const auto other = e2e::changed_programs({"replay", saved({"add-then-fail"})});

  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.out, AllOf(HasSubstr("at delivery 1 of 2"), HasSubstr("counter_0 is now {value=1}"),
                               HasSubstr("counter_0 is now {value=2}")));
  EXPECT_THAT(other.err, HasSubstr("the program has changed"));
}

TEST_F(Replay, StopsWhereAMessageIsNotSent) {
  const auto trace = changed(saved({"failing-check"}), [](auto& json) { json["steps"][1]["id"] = "1.7"; });
  const auto result = e2e::programs({"replay", trace});

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.out, AllOf(HasSubstr("at delivery 2 of 3"), HasSubstr("the message was not sent"),
                                HasSubstr("counter_0.add(1)")));
}

TEST_F(Replay, SaysWhenTheFindingIsGone) {
  const auto trace = changed(saved({"failing-check"}), [](auto& json) { json["finding"]["message"] = "another"; });
  const auto result = e2e::programs({"replay", trace});

  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("the finding did not occur again"));
}

TEST_F(Replay, RefusesATraceOfAProgramThatIsNotThere) {
  const auto result = e2e::changed_programs({"replay", saved({"removed"})});

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("cannot replay"), HasSubstr("there is no program 'removed'")));
}

TEST_F(Replay, DeliversAsTheSearchDid) {
  const auto trace = saved({"add-then-fail", "--delivery", "mailbox-interleaved"});
  const auto unknown = changed(trace, [](auto& json) { json["delivery"] = "pigeon"; });

  EXPECT_EQ(e2e::programs({"replay", trace}).status, 1);
  EXPECT_THAT(e2e::content_of(trace), HasSubstr("counter_0.mailbox"));
  const auto refused = e2e::programs({"replay", unknown});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("unknown delivery model 'pigeon'"));
}

TEST_F(Replay, ShowsEachMessageOnceWhateverTheDeliveryModel) {
  const auto trace = saved({"add-then-fail", "--delivery", "mailbox-interleaved"});
  const auto result = e2e::programs({"replay", "--step", trace});

  EXPECT_THAT(result.out, AllOf(HasSubstr("1. counter_0.add(1)"), HasSubstr("2. counter_0.fail()")));
  EXPECT_THAT(result.out, AllOf(Not(HasSubstr("3. ")), Not(HasSubstr("arrival"))));
}

TEST_F(Replay, ShowsTheSameTextAsTheSearch) {
  for (const auto* states : {"changed", "full"}) {
    const auto explored = e2e::programs({"explore", "odd-texts", "--states", states, "--save-trace", here_ / "t.json"});
    const auto replayed = e2e::programs({"replay", "--states", states, here_ / "t.json"});
    const auto trace_in = [](const std::string& text) {
      const auto begin = text.find("   1. ");
      return text.substr(begin, text.find("FAILED", begin) - begin);
    };

    EXPECT_EQ(trace_in(replayed.out), trace_in(explored.out));
    EXPECT_EQ(replayed.status, 1);
  }
}

TEST_F(Replay, AndTheSearchNameSourcesFromWhereTheyAreRun) {
  const auto at_root = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"env", "-C", E2E_CONSUMERS "/../../..", e2e::programs_binary()});
    return e2e::run(words).out;
  };
  const auto trace = here_ / "trace.json";

  for (const auto& text : {at_root({"explore", "failing-check", "--save-trace", trace}), at_root({"replay", trace}),
                           at_root({"replay", trace, "--step"})})
    EXPECT_THAT(text, AllOf(HasSubstr(" (tests/e2e/programs.cpp:"), Not(HasSubstr("/tests/e2e/programs.cpp:"))));
}

TEST_F(Replay, IsSuggestedInTheWordsOfThisBinary) {
  const auto file = here_ / "a trace.json";
  const auto result = e2e::programs({"explore", "failing-check", "--save-trace", file});

  EXPECT_THAT(result.out, HasSubstr("Trace saved: " + e2e::programs_binary() + " replay '" + file + "'\n"));
}

TEST_F(Replay, PrintsStepByStepWithoutWaitingInAPipe) {
  const auto result = e2e::programs({"replay", "--step", saved({"failing-check"})});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("1. reader_1.start()"), HasSubstr("3. reader_1.reply(0)")));
}

TEST_F(Replay, WaitsForEnterOnATerminal) {
  const auto trace = saved({"failing-check"});
  const auto result = e2e::programs({"replay", "--step", trace}, {.input = "\n\n", .on_terminal = true});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("Found again assertion"));
}

TEST_F(Replay, GoesBackAndOnAgainOnATerminal) {
  const auto trace = saved({"failing-check"});
  const auto result =
      e2e::programs({"replay", "--step", trace}, {.input = "\nb\nb\n\n\n\n\n\n\n\n", .on_terminal = true});

  EXPECT_EQ(result.status, 1);
  const auto first = result.out.find("1. "), second = result.out.find("2. ");
  const auto first_again = result.out.find("1. ", second), second_again = result.out.find("2. ", first_again);
  EXPECT_LT(first, second);
  EXPECT_LT(second, first_again);
  EXPECT_LT(first_again, second_again);
  EXPECT_THAT(result.out.substr(second_again), HasSubstr("Found again assertion"));
}

TEST_F(Replay, StopsInTheLastDeliveryInADebugger) {
  if (!e2e::can_run({"gdb", "--version"})) GTEST_SKIP() << "gdb is not installed";
  const auto trace = saved({"add-then-fail"});
  const auto result = e2e::programs({"replay", trace, "--gdb"}, {.input = "harrier-state\nbacktrace 1\nkill\nquit\n"});
  if (result.out.find("ptrace") != std::string::npos) GTEST_SKIP() << "gdb may not trace here";

  EXPECT_THAT(result.out, AllOf(HasSubstr("1. counter_0.add(1)"),
                                HasSubstr("The last delivery of the trace is next: counter_0.fail()"),
                                HasSubstr("Its receiver is {"), testing::ContainsRegex("breakpoint 2, .*fail ?\\(")))
      << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("2. counter_0.fail()")));
}

TEST_F(Replay, StopsInADebuggerWhereACoroutineGoesOn) {
  if (!e2e::can_run({"gdb", "--version"})) GTEST_SKIP() << "gdb is not installed";
  const auto trace = saved({"failing-check"});
  const auto result = e2e::programs({"replay", trace, "--gdb"}, {.input = "backtrace 1\nkill\nquit\n"});
  if (result.out.find("ptrace") != std::string::npos) GTEST_SKIP() << "gdb may not trace here";

  EXPECT_THAT(result.out, AllOf(HasSubstr("is next: reader_1.reply("),
                                testing::ContainsRegex("breakpoint 2, .*start ?\\("), Not(HasSubstr("is not known"))))
      << result.err;
}

TEST_F(Replay, StopsAtABreakpointOfADebugger) {
  if (!e2e::can_run({"gdb", "--version"})) GTEST_SKIP() << "gdb is not installed";
  const auto trace = saved({"add-then-fail"});
  const auto result = e2e::run({"gdb", "-nx", "-batch", "-ex", "break counter::fail", "-ex", "run", "-ex", "backtrace",
                                "-ex", "kill", "--args", e2e::programs_binary(), "replay", "--in-process", trace});
  if (result.out.find("ptrace") != std::string::npos) GTEST_SKIP() << "gdb may not trace here";

  EXPECT_THAT(result.out, AllOf(HasSubstr("1. counter_0.add(1)"), HasSubstr("Breakpoint 1,"),
                                testing::ContainsRegex("fail ?\\("), HasSubstr("harrier::main")))
      << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("2. counter_0.fail()")));
}

}  // namespace
