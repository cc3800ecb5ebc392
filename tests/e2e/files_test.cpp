#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "run.hpp"

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Files, AreRefusedBeforeALongSearch) {
  const auto result =
      e2e::programs({"explore", "ping-pong", "rounds=-1", "--max-depth", "1000000", "--save-trace", "/nowhere/t.json"});

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, HasSubstr("cannot write /nowhere/t.json: No such file or directory"));
}

TEST(Files, AreNotTruncatedWhenTheyGrowTooLarge) {
  const e2e::folder here;
  std::ofstream(here / "trace.json") << "what was there before";
  const auto result = e2e::programs({"explore", "deep-bug", "rounds=1000", "--save-trace", here / "trace.json"},
                                    {.largest_file = 10'000});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("the ball is lost"));
  EXPECT_THAT(result.err, HasSubstr("cannot write"));
  EXPECT_EQ(e2e::content_of(here / "trace.json"), "what was there before");
  EXPECT_THAT(here.files(), ElementsAre("trace.json"));
}

TEST(Files, AreNotTruncatedOnAFullDisk) {
  const e2e::folder here;
  const auto disk = here / "disk";
  std::filesystem::create_directory(disk);
  const auto mount = "mount -t tmpfs -o size=64k none " + disk;
  if (!e2e::can_run({"unshare", "-rm", "sh", "-c", mount})) GTEST_SKIP() << "a file system may not be mounted here";
  const auto explore = e2e::programs_binary() + " explore deep-bug rounds=2000 --save-trace " + disk + "/trace.json";
  const auto result =
      e2e::run({"unshare", "-rm", "sh", "-c", mount + " && " + explore + "; echo status $?; ls -A " + disk});

  EXPECT_THAT(result.err, HasSubstr("No space left on device"));
  EXPECT_THAT(result.out, testing::EndsWith("status 1\n"));
}

TEST(Files, OfADeviceAreWrittenToDirectly) {
  const auto full = e2e::programs({"explore", "ping-pong", "--json", "/dev/full"});
  const auto null = e2e::programs({"explore", "ping-pong", "--json", "/dev/null"});

  EXPECT_EQ(full.status, 5);
  EXPECT_THAT(full.err, HasSubstr("cannot write /dev/full: No space left on device"));
  EXPECT_EQ(null.status, 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

struct bad_trace {
  std::string name;
  std::string content;
  std::string complaint;
};
void PrintTo(const bad_trace& t, std::ostream* out) { *out << t.name; }

class TraceThat : public testing::TestWithParam<bad_trace> {};

TEST_P(TraceThat, IsRefusedInOneLine) {
  const e2e::folder here;
  std::ofstream(here / "trace.json") << GetParam().content;
  const auto result = e2e::programs({"replay", here / "trace.json"});

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("cannot replay"), HasSubstr(GetParam().complaint)));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, TraceThat,
    testing::Values(bad_trace{"IsEmpty", "", "it is not JSON"}, bad_trace{"IsNoJson", "hello", "it is not JSON"},
                    bad_trace{"IsCutShort", R"({"format": "harrier-trace", "version")", "it is not JSON"},
                    bad_trace{"IsForeign", R"({"name": "x"})", "it is not a trace that harrier saved"},
                    bad_trace{"IsAnArray", "[1, 2]", "it is not a trace that harrier saved"},
                    bad_trace{"IsNewer", R"({"format": "harrier-trace", "version": 99})", "version 99"},
                    bad_trace{"LacksAField", R"({"format": "harrier-trace", "version": 1})", "'program' is missing"}),
    [](const auto& test) { return test.param.name; });

TEST(Files, ThatAreNotThereCannotBeReplayed) {
  const auto result = e2e::programs({"replay", "/nowhere/trace.json"});

  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "harrier: cannot read /nowhere/trace.json: No such file or directory\n");
}

}  // namespace
