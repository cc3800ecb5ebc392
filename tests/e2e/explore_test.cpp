#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "run.hpp"

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

nlohmann::json json_of(const e2e::outcome& result) { return nlohmann::json::parse(result.out); }

TEST(Explore, PrintsAScheduleThatANewcomerCanRead) {
  const auto result = e2e::programs({"explore", "failing-check"});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("assertion: the reader sees its own addition"), HasSubstr("programs.cpp:"),
                                HasSubstr("1. reader_1.start()"), HasSubstr("sends counter_0.add(1)"),
                                HasSubstr("counter_0 is now {value=0}")));
}

TEST(Explore, KeepsToAScript) {
  const auto pinned = e2e::programs({"explore", "failing-check", "--pin", "reader_1.start after counter_0.nothing"});
  EXPECT_EQ(pinned.status, 3);
  EXPECT_THAT(pinned.out, AllOf(HasSubstr("nothing was judged: every execution was assumed away"),
                                HasSubstr("only executions were looked at that keep to the script")));

  const auto followed = e2e::programs({"explore", "failing-check", "--until", "reader_1.start", "--json", "-"});
  EXPECT_EQ(followed.status, 0);
  EXPECT_THAT(followed.err, HasSubstr("each execution was followed until reader_1.start"));
  EXPECT_EQ(json_of(followed)["points"]["reader_1.start, until which executions are followed"], true);

  const std::string formula = R"(F "reader_1 RECV start")";
  const auto decided = e2e::programs({"explore", "failing-check", "--until", formula, "--json", "-"});
  EXPECT_EQ(decided.status, 0);
  EXPECT_THAT(decided.err, HasSubstr("each execution was followed until " + formula));
  EXPECT_EQ(json_of(decided)["points"][formula + ", until which executions are followed"], true);

  const auto through = e2e::programs({"explore", "failing-check", "--through", "reader_1.start"});
  EXPECT_EQ(through.status, 1);
  EXPECT_THAT(through.out, HasSubstr("assertion: the reader sees its own addition"));
}

TEST(Explore, RefusesAScriptThatNamesNobody) {
  const auto nobody = e2e::programs({"explore", "failing-check", "--until", "reader_7.start"});
  EXPECT_EQ(nobody.status, 2);
  EXPECT_THAT(nobody.err,
              HasSubstr("there is no actor reader_7 before the first delivery; there are counter_0, reader_1"));
  const auto several = e2e::programs({"explore", "failing-check", "--until", R"(F "reader RECV start")"});
  EXPECT_EQ(several.status, 2);
  EXPECT_THAT(several.err, HasSubstr("is about every reader"));
  EXPECT_EQ(e2e::programs({"explore", "failing-check", "--pin", "reader_1.start"}).status, 2);
  EXPECT_EQ(e2e::programs({"explore", "failing-check", "--pin", "reader_1.start after counter_0.add", "--broker",
                           "nats://127.0.0.1:1"})
                .status,
            2);
}

TEST(Explore, WritesNothingButJsonToStandardOutput) {
  const auto result = e2e::programs({"explore", "prints", "--json", "-"});

  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(json_of(result)["program"], "prints");
  EXPECT_THAT(result.err, AllOf(HasSubstr("talking"), HasSubstr("Explored completely: no finding")));
}

TEST(Explore, SaysTheSameInTextAndJsonWhateverTheProgramSays) {
  const auto result = e2e::programs({"explore", "odd-texts", "--delivery", "fifo", "--json", "-"});
  const auto found = json_of(result)["findings"][0];

  EXPECT_EQ(found["message"], R"(a check\n\x1b[31mthat \0\xff)");
  EXPECT_EQ(found["trace"][0]["message"], R"(take("nul\0 bell\x07 \"\xff\"\n"))");
  for (const auto& text : {found["message"], found["trace"][0]["message"], found["trace"][0]["state"]})
    EXPECT_THAT(result.err, HasSubstr(text.get<std::string>()));
  EXPECT_THAT(result.err, HasSubstr("note_taker_0 is now {.. notes=2}"));
  EXPECT_THAT(result.out, Not(HasSubstr("\xEF\xBF\xBD")));
}

TEST(Explore, CountsInTextAndJsonWhatPeopleAreShown) {
  const auto result = e2e::programs({"explore", "add-then-fail", "--delivery", "mailbox-interleaved", "--json", "-"});
  const auto found = json_of(result)["findings"][0];

  EXPECT_THAT(result.err, HasSubstr("2 deliveries lead to it"));
  EXPECT_EQ(found["length"], 2);
  EXPECT_EQ(found["schedule"].size(), 2);
  EXPECT_EQ(found["schedule"][1]["message"], "fail()");
}

TEST(Explore, ShowsWhatNeverHappensByAnExecutionThatIsOver) {
  const auto result = e2e::programs(
      {"explore", "long-search", "messages=4", "--property", R"(F "counter_0 RECV nothing")", "--json", "-"});

  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(json_of(result)["findings"][0]["length"], 4) << "before its end, it may still happen";
}

TEST(Explore, ColoursATerminalThatCan) {
  const auto coloured = [](std::vector<std::string> environment, bool on_terminal, const std::string& color) {
    environment.insert(environment.begin(), "env");
    for (const auto& word :
         {e2e::programs_binary(), std::string("explore"), std::string("failing-check"), std::string("--color"), color})
      environment.push_back(word);
    const auto result = e2e::run(environment, {.on_terminal = on_terminal});
    EXPECT_EQ(result.status, 1) << result.out << result.err;
    return result.out.find("\x1b[31m") != std::string::npos;
  };
  const std::string able = "TERM=xterm";

  EXPECT_TRUE(coloured({"-u", "NO_COLOR", able}, true, "auto"));
  EXPECT_TRUE(coloured({"NO_COLOR=", able}, true, "auto")) << "empty is as if it were not there";
  EXPECT_FALSE(coloured({"NO_COLOR=1", able}, true, "auto"));
  EXPECT_FALSE(coloured({"-u", "NO_COLOR", "TERM=dumb"}, true, "auto"));
  EXPECT_FALSE(coloured({"-u", "NO_COLOR", able}, true, "never"));
  EXPECT_FALSE(coloured({"-u", "NO_COLOR", able}, false, "auto"));
  EXPECT_TRUE(coloured({"NO_COLOR=1", "TERM=dumb"}, false, "always"));
}

TEST(Explore, WritesTheSameJsonWithoutAChildProcess) {
  auto isolated = json_of(e2e::programs({"explore", "choices", "--keep-going", "--json", "-"}));
  auto in_process = json_of(e2e::programs({"explore", "choices", "--keep-going", "--in-process", "--json", "-"}));
  for (const auto* clock : {"seconds", "transitions_per_second", "peak_rss_mib"}) {
    isolated.erase(clock);
    in_process.erase(clock);
  }

  EXPECT_EQ(isolated, in_process);
}

TEST(Explore, GivesTheDocumentedFields) {
  const auto json = json_of(e2e::programs({"explore", "ping-pong", "rounds=3", "--json", "-"}));

  for (const auto* field : {"program", "parameters", "engine", "sleep_sets", "ordering", "delivery", "exhausted",
                            "executions", "blocked", "transitions", "states", "max_depth", "actors", "seconds",
                            "transitions_per_second", "peak_rss_mib", "estimate", "findings"})
    EXPECT_TRUE(json.contains(field)) << field;
  EXPECT_EQ(json["parameters"]["rounds"], 3);
  EXPECT_EQ(json["transitions"], 3);
}

TEST(Explore, FindsNothingWhereTheDeliveryModelKeepsMessagesInOrder) {
  for (const auto* model : {"fifo", "causal", "mailbox", "mailbox-interleaved"}) {
    const auto json = json_of(e2e::programs({"explore", "failing-check", "--delivery", model, "--json", "-"}));

    EXPECT_EQ(json["delivery"], model);
    EXPECT_EQ(json["exhausted"], true);
    EXPECT_THAT(json["findings"], IsEmpty());
  }
}

TEST(Explore, NamesWhoWaitsForWhom) {
  const auto result = e2e::programs({"explore", "deadlock"});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("peer_0 waits for the reply to peer_1.answer()"),
                                HasSubstr("peer_1 waits for the reply to peer_0.answer()")));
}

TEST(Explore, WarnsOfUndeliveredMessages) {
  const auto result = e2e::programs({"explore", "undelivered"});

  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("Warning: undelivered: leaver_0.note(7)"));
}

TEST(Explore, TakesUndeliveredMessagesForErrorsIfAsked) {
  EXPECT_EQ(e2e::programs({"explore", "undelivered", "--undelivered", "error"}).status, 1);
}

TEST(Explore, RefusesANondeterministicProgram) {
  const auto result = e2e::programs({"explore", "nondeterministic"});

  EXPECT_EQ(result.status, 4);
  EXPECT_THAT(result.out, HasSubstr("behaves differently when repeated: the first time it leaves forgetful_0{value="));
}

TEST(Explore, RefusesAProgramThatFailsBeforeItsFirstMessage) {
  const auto throws = e2e::programs({"explore", "driver-throws"});
  const auto crashes = e2e::programs({"explore", "driver-crashes"});

  EXPECT_EQ(throws.status, 4);
  EXPECT_THAT(throws.err, HasSubstr("no configuration file"));
  EXPECT_EQ(crashes.status, 4);
  EXPECT_THAT(crashes.err, HasSubstr("before its first message"));
}

TEST(Explore, RunsAnExecutionOfAHundredThousandDeliveries) {
  const auto json = json_of(e2e::programs({"explore", "ping-pong", "rounds=100000", "--json", "-"}));

  EXPECT_EQ(json["max_depth"], 100'000);
  EXPECT_EQ(json["exhausted"], true);
}

TEST(Explore, ShowsOnlyTheEndsOfADeepTrace) {
  const auto result = e2e::programs({"explore", "deep-bug", "rounds=20000"});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("20,000 deliveries lead to it"), HasSubstr("deliveries not shown"),
                                HasSubstr("20000. ")));
}

TEST(Explore, SaysHonestlyThatAnEndlessExecutionWasCut) {
  const auto result = e2e::programs({"explore", "ping-pong", "rounds=-1", "--max-depth", "1000"});

  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.out, AllOf(HasSubstr("the depth limit of 1000 deliveries"), HasSubstr("proves nothing beyond")));
}

TEST(Explore, EndsWithWhatItHasOnCtrlC) {
  const auto result =
      e2e::programs({"explore", "long-search", "--engine", "exhaustive"}, {.meanwhile = [](pid_t parent) {
                      e2e::busy_child_of(parent);
                      kill(parent, SIGINT);
                    }});

  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.out, AllOf(HasSubstr("Stopped by an interrupt: no finding so far"), Not(HasSubstr(" 0 deliv"))));
}

TEST(Explore, BlamesNoHandlerWhenSomeoneKillsTheSearch) {
  const auto result = e2e::programs({"explore", "long-search", "--engine", "exhaustive"},
                                    {.meanwhile = [](pid_t parent) { kill(e2e::busy_child_of(parent), SIGKILL); }});

  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.out, HasSubstr("Stopped by SIGKILL to the searching process"));
}

TEST(Explore, ShowsProgressOnATerminalOnly) {
  const std::vector<std::string> words = {"explore", "long-search", "--engine", "exhaustive", "--time-limit", "1.5"};
  const auto in_pipes = e2e::programs(words);
  const auto on_terminal = e2e::programs(words, {.on_terminal = true});

  EXPECT_THAT(on_terminal.out, AllOf(HasSubstr("\r"), HasSubstr("deliveries ("), HasSubstr("/s), depth ")));
  EXPECT_THAT(in_pipes.err, IsEmpty());
}

struct harm {
  std::string how;
  std::string kind;
  std::string what;
};
void PrintTo(const harm& h, std::ostream* out) { *out << h.how; }

class HandlerThat : public testing::TestWithParam<harm> {};

TEST_P(HandlerThat, IsAFindingWithItsSchedule) {
  const auto& [how, kind, what] = GetParam();
  const e2e::folder here;
  const auto trace = here / "trace.json";
  // By the clock, and short only where it is to be reached.
  const std::string limit = kind == "nontermination" ? "1" : "60";

  const auto explored =
      e2e::programs({"explore", "harm", "how=" + how, "--handler-limit", limit, "--json", "-", "--save-trace", trace});
  const auto replayed = e2e::programs({"replay", trace, "--handler-limit", limit});

  ASSERT_EQ(explored.status, 1) << explored.err;
  const auto found = json_of(explored)["findings"][0];
  EXPECT_EQ(found["kind"], kind);
  EXPECT_EQ(found["length"], 2);
  EXPECT_EQ(found["schedule"][1]["receiver"], "victim_0");
  EXPECT_EQ(found["schedule"][1]["message"], "second()");
  EXPECT_THAT(found["message"].get<std::string>(), HasSubstr(what));
  EXPECT_EQ(replayed.status, 1) << replayed.out << replayed.err;
  EXPECT_THAT(replayed.out, HasSubstr("Found again " + kind));
}

// What a sanitizer reports ends the process by exit, hence no signals here but those that no sanitizer catches.
INSTANTIATE_TEST_SUITE_P(Harms, HandlerThat,
                         testing::Values(harm{"segv", "crash", "ended the process"},
                                         harm{"abort", "crash", "ended the process: SIGABRT"},
                                         harm{"overflow", "crash", "ended the process"},
                                         harm{"exit", "crash", "ended the process: exit status 0"},
                                         harm{"kill", "crash", "ended the process: SIGKILL"},
                                         harm{"loop", "nontermination", "did not end within 1 s"},
                                         harm{"sleep", "nontermination", "did not end within 1 s"},
                                         harm{"exception", "exception", "the victim suffers"}),
                         [](const auto& test) { return test.param.how; });

TEST(Explore, KeepsWhatItFoundBeforeACrash) {
  // Not what is run before the search, to find out whether there are observers: that crashes, too.
  const auto result =
      e2e::programs({"explore", "check-then-crash", "--keep-going", "--observers", "on", "--json", "-"});

  ASSERT_EQ(result.status, 1);
  const auto findings = json_of(result)["findings"];
  ASSERT_EQ(findings.size(), 2);
  EXPECT_EQ(findings[0]["kind"], "assertion");
  EXPECT_EQ(findings[0]["trace"].size(), findings[0]["length"]);
  EXPECT_EQ(findings[1]["kind"], "crash");
}

}  // namespace
