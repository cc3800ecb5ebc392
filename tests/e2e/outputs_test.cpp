// What is written is independent: whatever cannot be, the rest is there, and the exit status tells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run.hpp"

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr auto full = "No space left on device";
constexpr auto one_job = "explore failing-check";

/// `harrier WORDS` by a shell, which knows `>&-` and `ulimit`.
e2e::outcome in_shell(const std::string& words, const std::string& before = {}, const e2e::how_to_run& how = {}) {
  return e2e::run({"sh", "-c", before + "exec " + e2e::programs_binary() + " " + words}, how);
}

bool has_finding(const std::string& json_file) {
  const auto json = nlohmann::json::parse(e2e::content_of(json_file), nullptr, false);
  return json.is_object() && json.contains("findings") && !json["findings"].empty();
}

class Outputs : public testing::Test {
protected:
  [[nodiscard]] std::string trace() const { return here_ / "trace.json"; }
  [[nodiscard]] std::string json() const { return here_ / "result.json"; }
  [[nodiscard]] std::string both() const { return " --save-trace " + trace() + " --json " + json(); }
  [[nodiscard]] bool is_replayed() const { return e2e::programs({"replay", trace()}).status == 1; }

  e2e::folder here_;
};

class StandardOutput : public Outputs, public testing::WithParamInterface<std::vector<std::string>> {};

TEST_P(StandardOutput, ThatCannotBeWrittenTakesNothingWithIt) {
  const auto found = in_shell(one_job + both() + GetParam()[0]);

  EXPECT_EQ(found.status, 1);
  EXPECT_EQ(found.err, "harrier: cannot write to standard output: " + GetParam()[1] + "\n");
  EXPECT_TRUE(has_finding(json()));
  EXPECT_TRUE(is_replayed());
}

TEST_P(StandardOutput, ThatCannotBeWrittenIsNoPass) {
  EXPECT_EQ(in_shell("explore ping-pong" + GetParam()[0]).status, 5);
  EXPECT_EQ(in_shell("explore long-search --max-executions 3" + GetParam()[0]).status, 5);
  EXPECT_EQ(in_shell("explore nondeterministic" + GetParam()[0]).status, 4);
}

TEST_P(StandardOutput, ThatCannotBeWrittenIsSaidByEveryCommand) {
  ASSERT_EQ(e2e::programs({"explore", "failing-check", "--save-trace", trace()}).status, 1);
  std::ofstream(here_ / "p.dcj") << "(s/defrole ::a) (s/defrole ::b) (s/defsession ::p [] (-->> T ::a ::b))";
  const auto protocol = here_ / "p.dcj --session p";
  for (const auto& [words, status] : std::vector<std::pair<std::string, int>>{
           {"list", 5},
           {"list --json", 5},
           {"--help", 5},
           {"explore --help", 5},
           {"--version", 5},
           {"--manual", 5},
           {"--completion bash", 5},
           {"--complete exp", 5},
           {"explore failing-check --json -", 1},
           {"explore ping-pong --json -", 5},
           {"replay " + trace(), 1},
           {"replay --step " + trace(), 1},
           {"replay --in-process " + trace(), 1},
           {"protocol states " + protocol, 5},
           {"protocol states --json - " + protocol, 5},
           {"protocol graph " + protocol, 5},
           {"protocol generate " + protocol, 5},
           {"protocol check " + protocol + " --on definition --property 'F \"b RECV\"'", 5},
           {"protocol check " + protocol + " --on definition --property 'G !\"b RECV\"'", 1},
           {"protocol explore --on definition " + protocol, 5}}) {
    const auto result = in_shell(words + GetParam()[0]);
    if (words.starts_with("protocol") && result.err.find("there is no command") != std::string::npos) continue;
    EXPECT_EQ(result.status, status) << words << '\n' << result.err;
    EXPECT_THAT(result.err, HasSubstr("cannot write to standard output: " + GetParam()[1])) << words;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, StandardOutput,
                         testing::Values(std::vector<std::string>{" >/dev/full", full},
                                         std::vector<std::string>{" >&-", "Bad file descriptor"}),
                         [](const auto& test) { return test.param[0] == " >&-" ? "AClosedFile" : "AFullDisk"; });

TEST_F(Outputs, ThatNobodyReadsTakeNothingWithThem) {
  const auto found = in_shell(one_job + both(), {}, {.is_read = false});
  const auto listed = in_shell("list", {}, {.is_read = false});

  EXPECT_EQ(found.status, 1);
  EXPECT_EQ(found.err, "harrier: cannot write to standard output: Broken pipe\n");
  EXPECT_TRUE(has_finding(json()));
  EXPECT_TRUE(is_replayed());
  EXPECT_EQ(listed.status, 5);
}

TEST_F(Outputs, OfTheProgramThatNobodyReadsAreNoCrashOfIt) {
  const auto result = in_shell("explore prints --json " + json(), {}, {.is_read = false});

  EXPECT_EQ(result.status, 5);
  EXPECT_FALSE(has_finding(json()));
}

TEST_F(Outputs, ThatAreDevicesAreIndependentToo) {
  const auto no_json = e2e::programs({"explore", "failing-check", "--json", "/dev/full", "--save-trace", trace()});
  const auto no_trace = e2e::programs({"explore", "failing-check", "--json", json(), "--save-trace", "/dev/full"});
  const auto limited = e2e::programs({"explore", "long-search", "--max-executions", "3", "--json", "/dev/full"});

  EXPECT_EQ(no_json.status, 1);
  EXPECT_THAT(no_json.out, AllOf(HasSubstr("Found assertion"), HasSubstr("Trace saved")));
  EXPECT_EQ(no_json.err, "harrier: cannot write /dev/full: No space left on device; give another file\n");
  EXPECT_TRUE(is_replayed());
  EXPECT_EQ(no_trace.status, 1);
  EXPECT_THAT(no_trace.out, AllOf(HasSubstr("Found assertion"), Not(HasSubstr("Trace saved"))));
  EXPECT_TRUE(has_finding(json()));
  EXPECT_EQ(limited.status, 5);
}

TEST_F(Outputs, ThatFailAllAtOnceAreSaidOneByOne) {
  const auto result =
      in_shell(one_job + (" --json /dev/full --checkpoint " + here_ / "c.ck --save-trace ") + trace() + " >/dev/full",
               "ulimit -f 0; ");

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("harrier: cannot write to standard output: No space"),
                                HasSubstr("harrier: cannot write /dev/full: No space"),
                                HasSubstr("harrier: cannot write the checkpoint " + here_ / "c.ck: File too large"),
                                HasSubstr("harrier: cannot write " + trace() + ": File too large")));
  EXPECT_THAT(here_.files(), IsEmpty());
}

TEST_F(Outputs, OfAnUnwrittenCheckpointPromiseNothing) {
  const auto result = in_shell("explore long-search --engine optimal --max-executions 3 --checkpoint " + here_ / "c.ck",
                               "ulimit -f 0; ");

  EXPECT_EQ(result.status, 5);
  EXPECT_THAT(result.out, AllOf(HasSubstr("3 executions"), Not(HasSubstr("--resume"))));
  EXPECT_THAT(result.err, HasSubstr("cannot write the checkpoint"));
}

TEST_F(Outputs, OfACheckpointOnAFullDiskLeaveTheOneBefore) {
  const auto disk = here_ / "disk";
  std::filesystem::create_directory(disk);
  const auto mount = "mount -t tmpfs -o size=64k none " + disk;
  if (!e2e::can_run({"unshare", "-rm", "sh", "-c", mount})) GTEST_SKIP() << "a file system may not be mounted here";
  const auto explore = e2e::programs_binary() + " explore long-search --engine optimal --max-executions ";
  const auto written = disk + "/c.ck";
  const auto before = here_ / "before";
  const auto script = mount + " && " + explore + "3 --checkpoint " + written + " >/dev/null; cp " + written + " " +
                      before + "; cat /dev/zero 2>/dev/null >" + disk + "/filled; " + explore + "6 --resume " +
                      written + "; echo status $?; cmp " + written + " " + before + " && ls -A " + disk;
  const auto result = e2e::run({"unshare", "-rm", "sh", "-c", script});

  EXPECT_THAT(result.err, HasSubstr("cannot write the checkpoint " + written + ": No space left on device"));
  EXPECT_THAT(result.out, AllOf(HasSubstr("status 5\n"), testing::EndsWith("\nc.ck\nfilled\n")));
  EXPECT_THAT(result.out, HasSubstr("continues from its last checkpoint"));
}

TEST_F(Outputs, ThatGoToStandardErrorEndNothing) {
  EXPECT_EQ(in_shell("explore no-such-program 2>/dev/full").status, 2);
  EXPECT_EQ(in_shell("explore ping-pong 2>/dev/full").status, 0);
  EXPECT_EQ(in_shell("explore failing-check 2>&-").status, 1);
  EXPECT_EQ(in_shell("explore ping-pong --json - 2>/dev/full").status, 5);  // the text goes there then
}

TEST_F(Outputs, IntoAPipeThatNobodyReadsDoNotWaitForEver) {
  const auto pipe = here_ / "pipe";
  ASSERT_TRUE(e2e::can_run({"mkfifo", pipe}));
  const auto result = e2e::programs({"explore", "failing-check", "--json", pipe});
  const auto read = e2e::run(
      {"sh", "-c",
       "cat " + pipe + " & exec " + e2e::programs_binary() + " explore failing-check --json " + pipe + " >/dev/null"});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("nobody reads that pipe"));
  EXPECT_EQ(nlohmann::json::parse(read.out)["findings"].size(), 1);
}

TEST_F(Outputs, AreNotLostWithoutAWordWhereThereIsNoStack) {
  const auto result = in_shell("explore failing-check", "ulimit -s 64; ");

  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "harrier: the stack may have 64 KiB, and 256 is the least; ulimit -s 8192 is usual\n");
}

TEST_F(Outputs, OfProtocolsAreIndependent) {
  std::ofstream(here_ / "p.dcj") << "(s/defrole ::a) (s/defrole ::b) (s/defsession ::p [] (-->> T ::a ::b))";
  const auto protocol = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "protocol");
    words.insert(words.begin() + 2, {here_ / "p.dcj", "--session", "p"});
    return e2e::programs(words);
  };
  const auto states = protocol({"states", "--json", "/dev/full"});
  if (states.err.find("there is no command") != std::string::npos) GTEST_SKIP() << "built without protocols";

  EXPECT_EQ(states.status, 5);
  EXPECT_THAT(states.out, HasSubstr("3 states"));
  EXPECT_THAT(states.err, HasSubstr("cannot write /dev/full"));
  EXPECT_EQ(protocol({"graph", "-o", "/dev/full"}).status, 5);
  EXPECT_EQ(protocol({"generate", "-o", "/dev/full"}).status, 5);
  const auto checked = protocol({"check", "--on", "definition", "--property", "G !\"b RECV\"", "--json", "/dev/full"});
  EXPECT_EQ(checked.status, 1);
  EXPECT_THAT(checked.out, HasSubstr("violated"));
  EXPECT_EQ(protocol({"generate", "-o", "/nowhere/m.hpp"}).status, 2);
  EXPECT_EQ(protocol({"states", "--json", "/nowhere/m.json"}).status, 2);
}

}  // namespace
