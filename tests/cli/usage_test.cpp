#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <harrier/cli/main.hpp>
#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/native/self.hpp>

#include "captured.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

void quiet(self&) {}

std::vector<catalogue_entry> two_programs() {
  return {{"quiet", quiet},
          {"bank",
           "moves money",
           {{.name = "accounts", .value = 3, .about = "how many", .least = 1, .greatest = 9},
            {.name = "policy", .value = "strict", .about = "which", .words = {"strict", "lax"}}},
           [](const arguments& given) {
             if (given.number("accounts") == 8) throw error("8 accounts make no bank");
             return make_program(quiet);
           }}};
}

outcome harrier_with(const std::vector<std::string>& words) {
  return captured(words, [](int argc, char** argv) { return harrier::main(argc, argv, two_programs()); });
}

struct mistake {
  std::vector<std::string> words;
  std::string complaint;
};
void PrintTo(const mistake& m, std::ostream* out) {
  for (const auto& word : m.words) *out << word << ' ';
}

class Mistake : public testing::TestWithParam<mistake> {};

TEST_P(Mistake, IsAnsweredInOneLineThatSaysWhatToDo) {
  const auto result = harrier_with(GetParam().words);

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, AllOf(testing::StartsWith("harrier: "), HasSubstr(GetParam().complaint)));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

INSTANTIATE_TEST_SUITE_P(
    Usage, Mistake,
    testing::Values(
        mistake{{}, "a command is missing"},
        mistake{{"exlore", "bank"}, "there is no command 'exlore'; did you mean 'explore'? `harrier --help`"},
        mistake{{"xyzzy"}, "there is no command 'xyzzy'; there are init, list, explore, replay"},
        mistake{{"--hlep"}, "there is no option --hlep; did you mean '--help'?"},
        mistake{{"--xyzzy"}, "there is no option --xyzzy; `harrier --help` shows all"},
        mistake{{"explore", "--enigne", "pos"}, "there is no option --enigne; did you mean '--engine'?"},
        mistake{{"init"}, "DIRECTORY"}, mistake{{"init", "/dev/null"}, "/dev/null exists and is no folder"},
        mistake{{"init", "/"}, "/ exists and is not empty; nothing is written over"},
        mistake{{"init", "/dev/null/x"}, "cannot make the folder /dev/null/x"},
        mistake{{"explore"}, "PROGRAM is required (quiet or bank); `harrier explore --help`"},
        mistake{{"replay"}, "TRACE"}, mistake{{"explore", "bnak"}, "there is no program 'bnak'; did you mean 'bank'?"},
        mistake{{"explore", "xyzzy"}, "`harrier list` shows all"},
        mistake{{"explore", "bank", "acounts=3"}, "no parameter 'acounts'; did you mean 'accounts'?"},
        mistake{{"explore", "bank", "x=3"}, "no parameter 'x'; it has accounts, policy"},
        mistake{{"explore", "quiet", "x=1"}, "has no parameters"},
        mistake{{"explore", "bank", "accounts=many"}, "accounts=many: a whole number from 1 to 9 is expected"},
        mistake{{"explore", "bank", "accounts=10"}, "a whole number from 1 to 9"},
        mistake{{"explore", "bank", "accounts="}, "a whole number from 1 to 9"},
        mistake{{"explore", "bank", "accounts=3x"}, "a whole number from 1 to 9"},
        mistake{{"explore", "bank", "policy=stric"}, "one of strict, lax is expected; did you mean 'strict'?"},
        mistake{{"explore", "bank", "accounts=8"}, "bank: 8 accounts make no bank"},
        mistake{{"explore", "bank", "accounts"}, "key=value"}, mistake{{"explore", "bank", "=3"}, "key=value"},
        mistake{{"explore", "bank", "accounts=1", "accounts=2"}, "given twice"},
        mistake{{"explore", "bank", "--engine", "exhaustve"}, "did you mean 'exhaustive'?"},
        mistake{{"explore", "bank", "--ordering", "random"}, "--ordering random: one of"},
        mistake{{"explore", "bank", "--environment", "none"}, "one of total, empty is expected"},
        mistake{{"explore", "bank", "--undelivered", "warm"}, "did you mean 'warn'?"},
        mistake{{"explore", "bank", "--check-determinism", "yes"}, "one of all, sample, off"},
        mistake{{"explore", "bank", "--progress", "always"}, "one of auto, never"},
        mistake{{"explore", "bank", "--states", "all"}, "--states all: one of changed, full is expected"},
        mistake{{"explore", "bank", "--color", "alway"}, "did you mean 'always'?"},
        mistake{{"explore", "bank", "--max-depth", "0"}, "--max-depth 0: a whole number from 1"},
        mistake{{"explore", "bank", "--max-executions", "-1"}, "a whole number from 1"},
        mistake{{"explore", "bank", "--max-executions", "1e6"}, "a whole number from 1"},
        mistake{{"explore", "bank", "--time-limit"}, "--time-limit: a value is expected: SECONDS;"},
        mistake{{"explore", "bank", "--time-limit", "0"}, "a number of seconds above 0"},
        mistake{{"explore", "bank", "--time-limit", "nan"}, "a number of seconds above 0"},
        mistake{{"explore", "bank", "--time-limit", "5x"}, "30, 30s, 5m, 2h"},
        mistake{{"explore", "bank", "--budget", "s"}, "a number of seconds above 0"},
        mistake{{"explore", "bank", "--minimise", "0"}, "off, or a number of seconds above 0"},
        mistake{{"explore", "bank", "--minimise", "on"}, "off, or a number of seconds above 0"},
        mistake{{"explore", "bank", "--budget", "5", "--engine", "pos"}, "engine pos cannot be asked for"},
        mistake{{"explore", "bank", "--budget", "5m", "--time-limit", "5m"}, "a budget is a time limit"},
        mistake{{"explore", "bank", "--bug-depth", "2"}, "engine auto has no use for a bug depth; engine pct has"},
        mistake{{"explore", "bank", "--bug-depth", "0"}, "a whole number from 1 to 1000"},
        mistake{{"explore", "bank", "--engine", "trust", "--observers", "on"},
                "engine trust does not tell observers apart; engine optimal does"},
        mistake{{"explore", "bank", "--engine", "trust", "--independence", "fields"},
                "engine trust does not tell fields apart; engine optimal does"},
        mistake{{"explore", "bank", "--independence", "fields", "--observers", "off"}, "leave out --observers off"},
        mistake{{"explore", "bank", "--independence", "fields", "--delivery", "mailbox"},
                "messages cannot be independent by their fields: delivery model mailbox"},
        mistake{{"explore", "bank", "--engine", "optimal", "--independence", "semantic"},
                "engine optimal does not try whether messages commute; engine source does"},
        mistake{{"explore", "bank", "--engine", "source", "--independence", "fields"},
                "engine source does not tell fields apart; engine optimal does"},
        mistake{{"explore", "bank", "--independence", "semantic", "--observers", "off"}, "leave out --observers off"},
        mistake{{"explore", "bank", "--independence", "semantic", "--delivery", "mailbox"},
                "harrier cannot try whether messages commute: delivery model mailbox"},
        mistake{{"explore", "bank", "--engine", "source", "--ordering", "sgr", "--jobs", "2"},
                "engine source cannot be shared by several jobs with ordering sgr"},
        mistake{{"explore", "bank", "--independence", "semantic", "--property", "G true"},
                "harrier cannot try whether messages commute: a property is judged"},
        mistake{{"explore", "bank", "--independence", "fields", "--property", "G true"},
                "messages cannot be independent by their fields: a property is judged"},
        mistake{{"explore", "bank", "--observers", "on", "--delivery", "mailbox"},
                "observers cannot be told apart: delivery model mailbox"},
        mistake{{"explore", "bank", "--delays", "-1", "--engine", "delay"}, "a whole number is expected"},
        mistake{{"explore", "bank", "--handler-limit", "-3"}, "a number of seconds above 0"},
        mistake{{"explore", "bank", "--engine", "exhaustive", "--sleep-sets"},
                "engine exhaustive has no use for sleep sets"},
        mistake{{"explore", "bank", "--delivery", "lifo"},
                "one of unordered, fifo, causal, mailbox, mailbox-interleaved is expected"},
        mistake{{"explore", "bank", "--engine", "transdpor-as-measured", "--delivery", "mailbox"},
                "engine transdpor-as-measured cannot search under delivery model mailbox; engine optimal can"},
        mistake{{"explore", "bank", "--delivery", "mailbx"}, "did you mean 'mailbox'?"},
        mistake{{"explore", "bank", "--engine", "optimal", "--state-comparison", "exact"}, "does not look at states"},
        mistake{{"explore", "bank", "--steps", "large"}, "one of little, big is expected"},
        mistake{{"explore", "bank", "--engine", "stateful", "--search", "bfs", "--sleep-sets"},
                "breadth-first search (bfs) makes every delivery"},
        mistake{{"explore", "bank", "--engine", "stateful", "--search", "bfs", "--steps", "big"},
                "are for depth-first search (dfs)"},
        mistake{{"explore", "bank", "--engine", "stateful", "--interchangeable", "x"},
                "are for canonical state comparison"},
        mistake{{"explore", "bank", "--jobs", "many"}, "a whole number from 0 to 1024"},
        mistake{{"explore", "bank", "--jobs", "2000"}, "a whole number from 0 to 1024"},
        mistake{{"explore", "bank", "--jobs", "2", "--budget", "1"}, "cannot be shared by several jobs"},
        mistake{{"explore", "bank", "--jobs", "2", "--estimate"}, "cannot be shared by several jobs"},
        mistake{{"explore", "bank", "--checkpoint", "x", "--budget", "1"}, "cannot be written to a checkpoint"},
        mistake{{"explore", "bank", "--checkpoint", "/nowhere/x"}, "cannot write /nowhere/x"},
        mistake{{"explore", "bank", "--checkpoint", "-"}, "give its name"},
        mistake{{"explore", "bank", "--checkpoint", "/dev/null"}, "give the name of a file"},
        mistake{{"explore", "bank", "--checkpoint", "/tmp"}, "give the name of a file"},
        mistake{{"explore", "bank", "--checkpoint", "/tmp/x", "--json", "/tmp/x"}, "the same file"},
        mistake{{"explore", "bank", "--checkpoint-every", "0"}, "a number of seconds above 0"},
        mistake{{"explore", "bank", "--checkpoint-every", "5"}, "--checkpoint FILE or --resume FILE is missing"},
        mistake{{"explore", "bank", "--checkpoint", ""}, "--checkpoint: a value is expected, not an empty one"},
        mistake{{"explore", "bank", "--resume", ""}, "--resume: a value is expected"},
        mistake{{"explore", "bank", "--json", ""}, "--json: a value is expected"},
        mistake{{"explore", "bank", "--save-trace=", "--keep-going"}, "--save-trace: a value is expected"},
        mistake{{"explore", "bank", "--plot-progress", ""}, "--plot-progress: a value is expected"},
        mistake{{"explore", "bank", "--interchangeable", ""}, "--interchangeable: a value is expected"},
        mistake{{"explore", "bank", "--engine", ""}, "--engine: a value is expected"},
        mistake{{"explore", "bank", "--jobs", ""}, "--jobs: a value is expected"},
        mistake{{"explore", "bank", "--broker-ca", ""}, "--broker-ca: a value is expected"},
        mistake{{"analyse", "x.cpp", "--write", ""}, "--write: a value is expected"},
        mistake{{"work", "--broker", ""}, "--broker: a value is expected"},
        mistake{{"explore", "bank", "--run", "mine"}, "--broker URL is missing"},
        mistake{{"explore", "bank", "--worker-timeout", "5"}, "--broker URL is missing"},
        mistake{{"explore", "bank", "--broker-creds", "x"}, "--broker URL is missing"},
        mistake{{"explore", "bank", "--in-process", "--handler-limit", "5"}, "leave out --in-process"},
        mistake{{"replay", "x.json", "--in-process", "--handler-limit", "5"}, "leave out --in-process"},
        mistake{{"explore", "bank", "--check-undo", "--check-determinism", "off"}, "leave out --check-determinism off"},
        mistake{{"explore", "bank", "--resume", "/"}, "cannot resume /: it is a folder"},
        mistake{{"explore", "bank", "--resume", "/dev/zero"}, "cannot resume /dev/zero: it is a device"},
        mistake{{"replay", "/dev/zero"}, "it is a device"},
        mistake{{"explore", "bank", "--resume", "/nowhere/x"}, "cannot resume /nowhere/x"},
        mistake{{"explore", "bank", "--report", ""}, "--report: a value is expected"},
        mistake{{"explore", "bank", "--keep-gong"}, "there is no option --keep-gong; did you mean '--keep-going'?"},
        mistake{{"explore", "bank", "--seed"}, "--seed"},
        mistake{{"explore", "bank", "--json", "/nowhere/x.json"}, "cannot write /nowhere/x.json"},
        mistake{{"explore", "bank", "--save-trace", "/"}, "cannot write /: Is a directory"},
        mistake{{"explore", "bank", "--save-trace", "-"}, "give its name"},
        mistake{{"explore", "bank", "--save-trace", "/tmp/x", "--json", "/tmp/x"}, "the same file"},
        mistake{{"explore", "bank", "--junit", "-"}, "give its name"},
        mistake{{"explore", "bank", "--junit", "/nowhere/x.xml"}, "cannot write /nowhere/x.xml"},
        mistake{{"explore", "bank", "--junit", "/tmp/x", "--json", "/tmp/x"}, "the same file"},
        mistake{{"explore", "bank", "--junit", ""}, "--junit: a value is expected"},
        mistake{{"explore", "bank", "--format", "sarif", "--json", "-"}, "give --json a file"},
        mistake{{"explore", "bank", "--format", "gc"}, "one of text, gcc, sarif is expected; did you mean 'gcc'?"},
        mistake{{"replay", "x.json", "--format", "dot", "--in-process"}, "leave out --in-process"},
        mistake{{"replay", "x.json", "--format", "dot", "--report", "x.html"}, "leave out --report"},
        mistake{{"explore", "bank", "--broker", "localhost:4222"}, "nats://HOST:PORT or tls://HOST:PORT is expected"},
        mistake{{"explore", "bank", "--run", "a.b"}, "letters, digits, - and _"},
        mistake{{"explore", "bank", "--worker-timeout", "0"}, "a number of seconds from 0.05"},
        mistake{{"analyse"}, "SOURCE"}, mistake{{"work"}, "--broker"},
        mistake{{"work", "--broker", "nats://x", "--jobs", "0"}, "from 1 to 1024"},
        mistake{{"work", "--broker", "nats://127.0.0.1:1", "--broker-cert", "x"}, "--broker-key go together"},
        mistake{{"replay", "/"}, "it is a folder"}));

TEST(Usage, OfEveryEngineAndOrderingIsKnown) {
  for (const auto& engine : engine_names())
    EXPECT_NE(harrier_with({"explore", "quiet", "--engine", engine}).status, 2) << engine;
  for (const auto& ordering : ordering_names())
    EXPECT_NE(harrier_with({"explore", "quiet", "--ordering", ordering}).status, 2) << ordering;
}

TEST(Usage, IsExplainedWithExamples) {
  const auto all = harrier_with({"--help"});
  const auto one = harrier_with({"explore", "--help"});

  EXPECT_EQ(all.status, 0);
  EXPECT_THAT(all.out, AllOf(HasSubstr("Examples:"), HasSubstr("harrier explore quiet"), HasSubstr("Exit status")));
  EXPECT_EQ(one.status, 0);
  EXPECT_THAT(one.out, AllOf(HasSubstr("Examples:"), HasSubstr("--engine"), HasSubstr("--handler-limit SECONDS")));
}

TEST(List, ShowsProgramsWithTheirParameters) {
  const auto text = harrier_with({"list"}).out;

  EXPECT_THAT(text, AllOf(HasSubstr("bank   moves money"), HasSubstr("accounts=3  how many (1 to 9)"),
                          HasSubstr("policy=strict  which (strict or lax)")));
}

TEST(List, IsJsonIfAsked) {
  const auto json = nlohmann::json::parse(harrier_with({"list", "--json"}).out);

  ASSERT_EQ(json.size(), 2);
  EXPECT_EQ(json[1]["name"], "bank");
  EXPECT_EQ(json[1]["parameters"][0]["default"], 3);
  EXPECT_EQ(json[1]["parameters"][1]["words"][1], "lax");
}

/// One of them is of the zoo.
outcome with_a_zoo(const std::vector<std::string>& words) {
  return captured(words, [](int argc, char** argv) {
    auto programs = two_programs();
    catalogue_entry bug("bug-1", quiet);
    bug.about = "what went wrong";
    bug.group = "zoo";
    programs.push_back(std::move(bug));
    return harrier::main(argc, argv, programs);
  });
}

TEST(List, ShowsTheZooBelowTheOtherPrograms) {
  EXPECT_THAT(with_a_zoo({"list"}).out,
              EndsWith("\nThe zoo, published bugs of real systems (variant=buggy, or variant=fixed):\n"
                       "bug-1  what went wrong\n"));
}

TEST(List, ShowsTheZooAloneIfAsked) {
  const auto json = nlohmann::json::parse(with_a_zoo({"list", "--zoo", "--json"}).out);

  EXPECT_EQ(with_a_zoo({"list", "--zoo"}).out, "bug-1  what went wrong\n");
  ASSERT_EQ(json.size(), 1);
  EXPECT_EQ(json[0]["name"], "bug-1");
  EXPECT_EQ(json[0]["group"], "zoo");
}

TEST(List, SaysSoWhereThereIsNoZoo) {
  EXPECT_EQ(harrier_with({"list", "--zoo"}).out, "This binary was built without the zoo.\n");
}

TEST(Arguments, AreUnchangedByAWrongValue) {
  arguments given(two_programs()[1].parameters);
  given.set("accounts", "5");

  EXPECT_THROW(given.set("accounts", "100"), error);
  EXPECT_EQ(given.number("accounts"), 5);
  EXPECT_EQ(given.word("policy"), "strict");
}

}  // namespace
}  // namespace harrier
