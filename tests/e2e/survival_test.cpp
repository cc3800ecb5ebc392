// Programs that do harm: each gives a finding that names what did it, with the deliveries that lead there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "run.hpp"

namespace {

using testing::AllOf;
using testing::HasSubstr;

struct found_finding {
  std::string kind;
  std::string message;
  std::vector<std::string> deliveries;
};

/// The limit is by the clock: what ends by itself is given longer, however busy the machine.
const char* limit_of(bool ends) { return ends ? "60" : "0.5"; }

found_finding found_in(std::vector<std::string> words) {
  const bool ends = std::find(words.begin(), words.end(), "how=loop") == words.end();
  words.insert(words.begin(), "explore");
  words.insert(words.end(), {"--handler-limit", limit_of(ends), "--json", "-"});
  const auto result = e2e::programs(words);
  EXPECT_EQ(result.status, 1) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["findings"].size(), 1);
  if (json["findings"].empty()) return {};
  const auto& f = json["findings"][0];
  found_finding found{f["kind"], f["message"], {}};
  for (const auto& step : f["trace"]) found.deliveries.push_back(step["message"]);
  return found;
}

struct weakness {
  const char* where;
  const char* name;
  std::vector<std::string> deliveries;
};
void PrintTo(const weakness& of, std::ostream* out) { *out << of.where; }

const std::vector<weakness> weaknesses = {
    {"guard", "the guard accepts(handler<&fragile::leave>) of fragile_0", {"unlock()", "knock()"}},
    {"copy", "the copy constructor of fragile_0", {"unlock()", "knock()"}},
    {"inspect", "the hash of the state of fragile_0", {"unlock()", "knock()"}},
    {"at_rest", "at_rest() of fragile_0", {"unlock()", "knock()", "leave()"}},
    {"destructor", "the destructor of a copy of fragile_0", {"unlock()", "knock()"}},
    {"argument", "the hash of the arguments of message take of postman_0", {"post(true)"}},
};

class Outside : public testing::TestWithParam<weakness> {
protected:
  [[nodiscard]] static found_finding found(const std::string& how, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"outside", std::string("where=") + GetParam().where, "how=" + how};
    words.insert(words.end(), more.begin(), more.end());
    return found_in(std::move(words));
  }
};
INSTANTIATE_TEST_SUITE_P(AHandler, Outside, testing::ValuesIn(weaknesses),
                         [](const auto& of) { return std::string(of.param.where); });

TEST_P(Outside, ACrashIsNamedWithWhatLeadsThere) {
  const auto crash = found("abort");

  EXPECT_EQ(crash.kind, "crash");
  EXPECT_EQ(crash.message, std::string(GetParam().name) + " ended the process: SIGABRT");
  EXPECT_EQ(crash.deliveries, GetParam().deliveries);
}

TEST_P(Outside, WhatDoesNotEndIsNamedWithWhatLeadsThere) {
  // By the search: the random executions that say whether observers pay would come across it in one of their own, and
  // what does not end is not waited for again to see whether it comes nearer.
  const auto endless = found("loop", {"--observers", "off"});

  EXPECT_EQ(endless.kind, "nontermination");
  EXPECT_EQ(endless.message, std::string(GetParam().name) + " did not end within 0.5 s");
  EXPECT_EQ(endless.deliveries, GetParam().deliveries);
}

TEST_P(Outside, AnExceptionIsNamedWithWhatLeadsThere) {
  const auto thrown = found("exception");
  const bool ends_the_process = GetParam().where == std::string("destructor");

  EXPECT_EQ(thrown.kind, ends_the_process ? "crash" : "exception");
  EXPECT_EQ(thrown.message, std::string(GetParam().name) +
                                (ends_the_process ? " ended the process: SIGABRT" : " threw: the victim suffers"));
  EXPECT_EQ(thrown.deliveries, GetParam().deliveries);
}

TEST_P(Outside, WhatWasFoundIsReplayed) {
  const e2e::folder here;
  const auto where = std::string("where=") + GetParam().where;
  for (const auto* how : {"abort", "exception", "loop"}) {
    const auto trace = here / "trace.json";
    const auto harm = std::string("how=") + how;
    const auto* limit = limit_of(how != std::string("loop"));
    e2e::programs({"explore", "outside", where, harm, "--handler-limit", limit, "--save-trace", trace});
    const auto replayed = e2e::programs({"replay", trace, "--handler-limit", limit});

    EXPECT_EQ(replayed.status, 1) << how << replayed.err;
    EXPECT_THAT(replayed.out, HasSubstr("Found again")) << how << replayed.err;
  }
}

TEST(AFinding, BeforeTheFirstDeliveryIsReplayed) {
  const std::vector<std::pair<std::string, std::string>> kinds = {{"rests=1", "assertion"}, {"rests=0", "deadlock"}};
  for (const auto& [rests, kind] : kinds) {
    const e2e::folder here;
    const auto trace = here / "trace.json";
    const auto found = e2e::programs({"explore", "ends-at-once", rests, "--save-trace", trace});
    const auto replayed = e2e::programs({"replay", trace});

    EXPECT_EQ(found.status, 1) << found.err;
    EXPECT_EQ(replayed.status, 1) << replayed.err;
    EXPECT_THAT(replayed.out, HasSubstr("Found again " + kind));
  }
}

TEST(Harm, IsBlamedOnTheHandlerThatDidIt) {
  const std::vector<std::pair<std::string, std::string>> harms = {
      {"quick_exit", "victim_0.second() ended the process: exit status 0"},
      {"terminate", "victim_0.second() ended the process: SIGABRT"},
      {"handled", "victim_0.second() ended the process: exit status 7"},
      {"fork", "victim_0.second() ended the process: SIGABRT"},
      {"memory", "std::bad_alloc"},
  };
  for (const auto& [how, message] : harms) {
    const auto found = found_in({"harm", "how=" + how});
    EXPECT_EQ(found.message, message);
    EXPECT_THAT(found.deliveries, testing::ElementsAre("turn()", "second()"));
  }
}

TEST(Harm, ToTheDescriptorsOfTheSearchIsNone) {
  const auto result = e2e::programs({"explore", "harm", "how=close", "--json", "-"});

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["exhausted"], true);
}

TEST(Start, OfAProgramThatFailsThereIsSaidToBeUntestable) {
  for (const auto* program : {"driver-loops", "driver-copy-throws", "cannot-be-made", "driver-crashes"}) {
    const auto* limit = limit_of(program != std::string("driver-loops"));
    const auto result = e2e::programs({"explore", program, "--handler-limit", limit});

    EXPECT_EQ(result.status, 4) << program;
    EXPECT_THAT(result.err, HasSubstr("harrier: the program cannot be tested: ")) << program;
  }
}

/// Whatever searches, and however: an endless handler keeps none of them.
const std::vector<std::vector<std::string>> searches = {{"--engine", "auto"},
                                                        {"--engine", "stateful"},
                                                        {"--engine", "optimal", "--jobs", "2"},
                                                        {"--engine", "exhaustive", "--keep-going"},
                                                        {"--estimate"}};

std::vector<std::string> endless(const std::vector<std::string>& search) {
  std::vector<std::string> words = {"explore", "harm", "how=loop", "--handler-limit", "600"};
  words.insert(words.end(), search.begin(), search.end());
  return words;
}

TEST(Limits, OfTimeHoldInTheMiddleOfAHandler) {
  for (const auto& search : searches) {
    auto words = endless(search);
    words.insert(words.end(), {"--time-limit", "0.3"});
    const auto result = e2e::programs(words);

    EXPECT_EQ(result.status, 3) << search.back() << result.err;
    EXPECT_THAT(result.out, HasSubstr("the time limit of 0.3 s")) << search.back();
    EXPECT_THAT(result.out, HasSubstr(" was running then")) << search.back();
  }
}

TEST(Limits, OfMemoryHoldInTheMiddleOfAHandler) {
  const auto result = e2e::programs({"explore", "harm", "how=hoard", "--max-memory", "600"});

  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("the memory limit of 600 MiB"), HasSubstr("victim_0.second() was running then")));
}

TEST(Signals, EndASearchInTheMiddleOfAHandler) {
  for (const auto& search : searches) {
    const auto result = e2e::programs(endless(search), {.meanwhile = [](pid_t parent) {
                                        e2e::busy_child_of(parent);
                                        kill(parent, SIGTERM);
                                      }});

    EXPECT_EQ(result.status, 3) << search.back() << result.err;
    EXPECT_THAT(result.out, HasSubstr("Stopped by an interrupt")) << search.back();
  }
}

TEST(Signals, EndAReplayInTheMiddleOfAHandler) {
  const e2e::folder here;
  const auto trace = here / "trace.json";
  e2e::programs({"explore", "harm", "how=loop", "--handler-limit", "0.5", "--save-trace", trace});
  const auto result = e2e::programs({"replay", trace, "--handler-limit", "600"}, {.meanwhile = [](pid_t parent) {
                                      e2e::busy_child_of(parent);
                                      kill(parent, SIGTERM);
                                    }});

  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Stopped by an interrupt"));
}

TEST(AName, OfMegabytesIsNoneOfAProgram) {
  const e2e::folder here;
  const auto trace = here / "trace.json";
  e2e::programs({"explore", "deadlock", "--save-trace", trace});
  auto json = nlohmann::json::parse(e2e::content_of(trace));
  json["program"] = std::string(std::size_t{3} << 20, 'n');
  std::ofstream(trace) << json;
  const auto result = e2e::programs({"replay", trace});

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("there is no program 'nnn"), HasSubstr("bytes left out")));
  EXPECT_LT(result.err.size(), 10'000U);
}

/// By a shell that opens and closes files.
e2e::outcome in_a_shell(const std::string& line) { return e2e::run({"sh", "-c", e2e::programs_binary() + " " + line}); }

TEST(StandardFiles, ThatAreClosedAreNotNeeded) {
  EXPECT_EQ(in_a_shell("explore failing-check <&- 2>&-").status, 1);
  EXPECT_EQ(in_a_shell("explore ping-pong 2>&-").status, 0);
  const auto without_output = in_a_shell("explore failing-check >&-");
  EXPECT_EQ(without_output.status, 1);
  EXPECT_THAT(without_output.err, HasSubstr("cannot write to standard output"));
  EXPECT_EQ(in_a_shell("explore failing-check <&- >&- 2>&-").status, 1);
  EXPECT_EQ(in_a_shell("explore failing-check --json - >&-").status, 1);
}

TEST(StandardFiles, ThatAreClosedAreNotWrittenIntoOthers) {
  const e2e::folder here;
  const auto file = here / "trace.json";
  in_a_shell("explore prints --json " + file + " <&- 2>&-");

  EXPECT_THAT(e2e::content_of(file), AllOf(testing::StartsWith("{"), testing::Not(HasSubstr("talking"))));
}

TEST(Trace, ThatIsNestedDeeplyIsRefused) {
  const e2e::folder here;
  const auto file = here / "deep.json";
  std::ofstream(file) << std::string(60'000, '[') << std::string(60'000, ']');
  const auto result = e2e::programs({"replay", file});

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("nested more than"));
}

}  // namespace
