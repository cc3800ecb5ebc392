// Executable files that know nothing of harrier: one with a bug, and CAF's own examples.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "../e2e/run.hpp"

namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string file(const std::string& name) { return CAF_FILES "/" + name; }

e2e::outcome explored(const std::string& name, std::vector<std::string> words) {
  words.insert(words.begin(), {HARRIER, "caf", file(name)});
  return e2e::run(words);
}

TEST(ACafExecutable, IsExploredAsItWasBuilt) {
  const auto result = explored("seeded", {});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("Found assertion: balance == 130"), HasSubstr("seeded.cpp:50"),
                                HasSubstr("account_0.put(120)"), HasSubstr("sends teller_1.reply(100)")));
  EXPECT_THAT(result.out, Not(HasSubstr("open"))) << "what the program writes is nobody's to read";
}

TEST(ACafExecutable, HasItsBugReplayed) {
  const e2e::folder here;
  ASSERT_EQ(explored("seeded", {"--save-trace", here / "bug.json"}).status, 1);

  const auto again = e2e::run({HARRIER, "replay", here / "bug.json", "--step"});

  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.out, HasSubstr("Found again assertion: balance == 130"));
}

TEST(ACafExecutable, LosesAMessageAgainWhenItIsReplayed) {
  const e2e::folder here;
  ASSERT_EQ(explored("seeded", {"--engine", "optimal", "--lose", "1", "--save-trace", here / "bug.json"}).status, 1);

  const auto again = e2e::run({HARRIER, "replay", here / "bug.json"});

  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.out, HasSubstr("Found again"));
}

TEST(ACafExecutable, IsNotHealed) {
  EXPECT_THAT(explored("seeded", {"--lose", "1", "--heal"}).err, HasSubstr("it cannot be seen who waits for a reply"));
}

TEST(ACafExecutable, GivesJsonAlone) {
  const auto result = explored("seeded", {"--json", "-", "--keep-going", "--engine", "exhaustive"});
  const auto json = nlohmann::json::parse(result.out);

  EXPECT_EQ(json["findings"][0]["kind"], "assertion");
  EXPECT_EQ(json["delivery"], "causal");
}

TEST(ACafExecutable, GetsItsArgumentsAndWhatFollowsTwoDashes) {
  const auto result = explored("seeded", {"--json", "-", "--", "--" SCHEDULER "scheduler.max-threads=2"});
  EXPECT_EQ(nlohmann::json::parse(result.out)["parameters"]["arguments"],
            "[\"--" SCHEDULER "scheduler.max-threads=2\"]");
}

TEST(ACafExecutable, ThatIsNotThereIsNamed) {
  EXPECT_THAT(explored("nowhere", {}).err, HasSubstr("there is no file " + file("nowhere")));
  EXPECT_EQ(explored("nowhere", {}).status, 2);
  EXPECT_THAT(e2e::run({HARRIER, "caf"}).err, HasSubstr("the executable file is missing"));
  EXPECT_THAT(e2e::run({HARRIER, "caf", "no-program-of-that-name"}).err, HasSubstr("write ./no-program-of-that-name"));
}

TEST(ACafExecutable, IsOneBeforeWhichALibraryCanBeLoaded) {
  const e2e::folder here;
  const auto refusal = [&](const std::string& content) {
    const auto path = here / "file";
    std::ofstream(path) << content;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    const auto result = e2e::run({HARRIER, "caf", path});
    EXPECT_EQ(result.status, 2);
    return result.err;
  };
  EXPECT_THAT(refusal("#!/bin/sh\n"), HasSubstr("is a script; name the executable file that it starts"));
  EXPECT_THAT(refusal("no program"), HasSubstr("is not an executable file for this kind of machine"));
  std::string head(64, '\0');  // of an ELF file that names no loader
  head.replace(0, 5, "\177ELF\2");
  EXPECT_THAT(refusal(head), HasSubstr("is linked statically"));
}

TEST(ACafExecutable, MakesAnActorSystem) {
  const auto result = e2e::run({HARRIER, "caf", "/bin/true"});
  EXPECT_EQ(result.status, 4);
  EXPECT_THAT(result.err, HasSubstr("it has made no caf::actor_system"));
}

struct failure {
  std::string how;
  std::string told;
  int status = 1;
};

void PrintTo(const failure& f, std::ostream* out) { *out << f.how; }

class AFailingCafExecutable : public testing::TestWithParam<failure> {};

TEST_P(AFailingCafExecutable, IsReportedWithItsStepsAndReplayed) {
  const e2e::folder here;
  // Short only where it is to be reached: what ends by itself may take as long as a busy machine makes it.
  const std::string limit = GetParam().how == "loop" ? "1" : "60";
  const auto result =
      explored("failing", {GetParam().how, "--handler-limit", limit, "--save-trace", here / "bug.json"});
  EXPECT_EQ(result.status, GetParam().status) << result.out << result.err;
  EXPECT_THAT(result.out + result.err, HasSubstr(GetParam().told));
  if (GetParam().status != 1) return;

  EXPECT_THAT(result.out, HasSubstr("1. failing_0.starts()\n   2. failing_0." NUMBER "(1)"));
  const auto again = e2e::run({HARRIER, "replay", here / "bug.json", "--handler-limit", limit});
  EXPECT_EQ(again.status, 1) << again.out << again.err;
}

INSTANTIATE_TEST_SUITE_P(Each, AFailingCafExecutable,
                         testing::Values(failure{"segv", "failing_0." NUMBER "(1) ended the process: "},
                                         failure{"abort", "failing_0." NUMBER "(1) ended the process: SIGABRT"},
                                         failure{"terminate", "failing_0." NUMBER "(1) ended the process: SIGABRT"},
                                         failure{"loop", "failing_0." NUMBER "(1) did not end within 1 s"},
                                         failure{"stack", "failing_0." NUMBER "(1) ended the process: "},
                                         failure{"exit", "it called exit(3)"},
                                         failure{"status", "main threw: main returned 7", 4},
                                         failure{"leave", "no finding", 0},
                                         failure{"thread", "uses actors from threads of its own", 4},
                                         failure{"late", "uses actors from threads of its own", 4},
                                         failure{"request", "uses actors from threads of its own", 4},
                                         failure{"pause", "uses actors from threads of its own", 4}),
                         [](const auto& of) { return of.param.how; });

TEST(ACafExecutable, MayFailByWhatMainSendsOnceItIsWokenWhichIsReplayed) {
  const e2e::folder here;
  const auto result = explored("failing", {"future", "--save-trace", here / "bug.json"});
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("Found assertion: *heard > 0 || number == 1"));

  const auto again = e2e::run({HARRIER, "replay", here / "bug.json"});
  EXPECT_EQ(again.status, 1) << again.out << again.err;
  EXPECT_THAT(again.out, HasSubstr("Found again assertion: *heard > 0 || number == 1"));
}

TEST(ACafExecutable, MayFailByTheEndOfAnActorThatNothingRefersToWhichIsReplayed) {
  const e2e::folder here;
  const auto result = explored("failing", {"end", "--save-trace", here / "bug.json"});
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("Found assertion: *is_done"), HasSubstr("lambda_in_trusting_1.ends()")));

  const auto again = e2e::run({HARRIER, "replay", here / "bug.json"});
  EXPECT_EQ(again.status, 1) << again.out << again.err;
  EXPECT_THAT(again.out, HasSubstr("Found again assertion: *is_done"));
}

TEST(ACafExecutable, HasItsGlobalVariablesNamedThatActorsWrite) {
  const auto result = explored("globals", {"shared"});
  EXPECT_EQ(result.status, 3) << result.out << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("Explored, but not covered: "), HasSubstr("a variable (total)")));
}

/// By what its actors share memory, of tests/caf/files/shared.cpp.
class MemoryOfACafExecutable : public testing::TestWithParam<std::string> {};

TEST_P(MemoryOfACafExecutable, ThatActorsShareIsFoundAndWhatFailsByItReplayed) {
  const e2e::folder here;
  const auto result = explored("shared", {GetParam(), "--save-trace", here / "bug.json"});
  ASSERT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_THAT(result.out, AnyOf(HasSubstr("assertion: *first == read()"), HasSubstr("assertion: first == both")));

  const auto again = e2e::run({HARRIER, "replay", here / "bug.json"});
  EXPECT_EQ(again.status, 1) << again.out << again.err;
}

INSTANTIATE_TEST_SUITE_P(Each, MemoryOfACafExecutable,
                         testing::Values("captured", "grows", "map", "pointer", "raw", "blocking", "child", "inside"),
                         [](const auto& of) { return of.param; });

TEST(ACafExecutable, WhoseActorsShareMemoryIsNotCovered) {
  const auto result = explored("shared", {"written"});
  EXPECT_EQ(result.status, 3) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("not covered: actors that use memory which they share without a message"));
}

/// Nobody could tell in which order.
class HarmlessMemoryOfACafExecutable : public testing::TestWithParam<std::string> {};

TEST_P(HarmlessMemoryOfACafExecutable, IsCovered) {
  const auto result = explored("shared", {GetParam()});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
}

INSTANTIATE_TEST_SUITE_P(Each, HarmlessMemoryOfACafExecutable,
                         testing::Values("reset", "read_only", "counted", "own", "state", "moved"),
                         [](const auto& of) { return of.param; });

TEST(ACafExecutable, ThatDependsOnMoreThanItsMessagesIsSaidToWhenItsFindingDoesNotComeAgain) {
  const e2e::folder here;
  const auto result = explored("globals", {"left", "--save-trace", here / "bug.json"});
  ASSERT_EQ(result.status, 1) << result.out << result.err;

  const auto again = e2e::run({HARRIER, "replay", here / "bug.json"});
  EXPECT_EQ(again.status, 4);
  EXPECT_THAT(again.out, HasSubstr("The executable file has not changed since"));
}

#if CAF_OF_EXAMPLES == 0  // those of CAF 1 are installed by nobody

/// What becomes of one of CAF's examples.
struct example {
  std::string name;
  std::string told;                   ///< in the output
  int status = 0;                     ///< exit status
  std::vector<std::string> how = {};  ///< options
};

const std::string all_orders = "Every order of deliveries that can matter was covered";
const std::string late_timers = "Explored, but not covered: timers that come before nothing else can happen";
const std::string no_modules = "cannot be explored that uses modules of CAF: io::middleman";

void PrintTo(const example& e, std::ostream* out) { *out << e.name; }

/// docs/caf.md shows the same.
const std::vector<example> examples = {
    {"aout", late_timers, 3},
    {"calculator", all_orders},
    {"calculator_behavior", all_orders},
    {"cell", R"(unexpected: it has no handler for ("hello there!"))", 1},
    {"custom_types_1", all_orders},
    {"custom_types_2", all_orders},
    {"custom_types_3", all_orders},
    {"dancing_kirby", late_timers, 3},
    {"delegating", late_timers, 3},
    {"dictionary_behavior", all_orders},
    {"dining_philosophers", "Stopped by the depth limit of 40 deliveries: no finding so far", 3, {"--max-depth", "40"}},
    {"distributed_calculator", no_modules, 4},
    {"divider", late_timers, 3},
    {"fixed_stack", "assertion: size_ < 2", 1},
    {"group_chat", no_modules, 4},
    {"group_server", no_modules, 4},
    {"hello_world", late_timers, 3},
    {"integer_stream", "cannot be explored that uses streams", 4},
    {"ping_pong", "CAF's scheduler for tests", 4},
    {"promises", all_orders},
    {"remote_spawn", no_modules, 4},
    {"request", late_timers, 3},
    {"simple_broker", no_modules, 4},
    {"simple_http_broker", no_modules, 4},
    {"skip_messages", late_timers, 3},
    {"typed_calculator", all_orders},
};

constexpr auto sources = "/usr/share/doc/libcaf-doc/examples";

class AnExampleOfCaf : public testing::TestWithParam<example> {};

TEST_P(AnExampleOfCaf, IsExploredUnderControlOrRefusedWithTheReason) {
  if (!std::filesystem::exists(file(GetParam().name))) GTEST_SKIP() << "libcaf-doc is not installed";
  auto how = GetParam().how;
  how.emplace_back("--keep-going");
  const auto result = explored(GetParam().name, how);
  EXPECT_EQ(result.status, GetParam().status) << result.out << result.err;
  EXPECT_THAT(result.out + result.err, HasSubstr(GetParam().told));
}

INSTANTIATE_TEST_SUITE_P(Each, AnExampleOfCaf, testing::ValuesIn(examples),
                         [](const auto& of) { return of.param.name; });

TEST(TheExamplesOfCaf, AreAllInTheTable) {
  if (!std::filesystem::exists(sources)) GTEST_SKIP() << "libcaf-doc is not installed";
  std::set<std::string> there;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sources))
    if (entry.path().extension() == ".cpp") there.insert(entry.path().stem());
  std::set<std::string> told;
  for (const auto& e : examples) told.insert(e.name);
  EXPECT_EQ(there, told);
}

#endif

}  // namespace
