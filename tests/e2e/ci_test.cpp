// What editors and CI read: errors as of a compiler, SARIF and JUnit reports.
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
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string reader(const std::string& name) { return std::string(E2E_CONSUMERS) + "/" + name; }

class ForTools : public testing::Test {
protected:
  nlohmann::json cases_of(std::vector<std::string> words, int status) {
    words.insert(words.begin(), "explore");
    words.insert(words.end(), {"--junit", here_ / "report.xml"});
    EXPECT_EQ(e2e::programs(words).status, status);
    const auto read = e2e::run({"python3", reader("junit.py"), here_ / "report.xml"});
    EXPECT_EQ(read.status, 0) << read.err;
    return nlohmann::json::parse(read.out, nullptr, false);
  }

  e2e::folder here_;
};

TEST_F(ForTools, ErrorsOfACompilerAreAloneOnStandardOutput) {
  const auto result = e2e::programs({"explore", "failing-check", "--format", "gcc"});
  const auto first = result.out.substr(0, result.out.find('\n'));

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(first, AllOf(HasSubstr("programs.cpp:"), HasSubstr(": error: "), testing::EndsWith(" [assertion]")));
  EXPECT_THAT(result.out, Not(HasSubstr("Stopped by")));
  EXPECT_THAT(result.err, HasSubstr("Stopped by the first finding"));
}

TEST_F(ForTools, AnExceptionHasTheLineThatThrewIt) {
  if (!e2e::can_run({"addr2line", "--version"})) GTEST_SKIP() << "addr2line is not installed";
  const auto result = e2e::programs({"explore", "harm", "how=exception", "--format", "gcc"});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out,
              testing::ContainsRegex("programs\\.cpp:[0-9]+: error: the victim suffers, in victim_0 \\[exception\\]"));
}

TEST_F(ForTools, NothingFoundIsNoErrorOfACompiler) {
  const auto result = e2e::programs({"explore", "ping-pong", "--format", "gcc"});

  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, HasSubstr("Explored completely"));
}

TEST_F(ForTools, SarifIsValidByItsSchema) {
  if (!std::filesystem::exists(reader("node_modules/ajv-draft-04")))
    GTEST_SKIP() << "ajv is not installed; scripts/setup exports does that";
  std::vector<std::string> words = {"node", reader("sarif.mjs")};
  for (const std::string program : {"failing-check", "deadlock", "ping-pong", "odd-texts", "undelivered"}) {
    const auto result = e2e::programs({"explore", program, "--format", "sarif"});
    words.push_back(here_ / (program + ".sarif"));
    std::ofstream(words.back()) << result.out;
  }
  const auto validated = e2e::run(words);

  EXPECT_EQ(validated.status, 0) << validated.out << validated.err;
}

TEST_F(ForTools, SarifThatIsWrongIsNotTakenForValid) {
  if (!std::filesystem::exists(reader("node_modules/ajv-draft-04")))
    GTEST_SKIP() << "ajv is not installed; scripts/setup exports does that";
  auto log = nlohmann::json::parse(e2e::programs({"explore", "failing-check", "--format", "sarif"}).out);
  log["runs"][0]["results"][0].erase("message");
  std::ofstream(here_ / "wrong.sarif") << log;

  const auto validated = e2e::run({"node", reader("sarif.mjs"), here_ / "wrong.sarif"});
  EXPECT_EQ(validated.status, 1);
  EXPECT_THAT(validated.out, HasSubstr("must have required property 'message'"));
}

TEST_F(ForTools, AJUnitReportHasAFailureForAFinding) {
  const auto cases = cases_of({"failing-check"}, 1);

  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[0]["way"], "skipped");
  EXPECT_EQ(cases[1]["way"], "failure");
  EXPECT_THAT(cases[1]["file"].get<std::string>(), HasSubstr("programs.cpp"));
  EXPECT_THAT(cases[1]["text"].get<std::string>(), HasSubstr("   1. reader_1.start()"));
}

TEST_F(ForTools, AJUnitReportPassesWhatWasExploredAndSkipsWhatWasNot) {
  EXPECT_EQ(cases_of({"ping-pong"}, 0)[0]["way"], "passed");
  EXPECT_EQ(cases_of({"long-search", "--engine", "exhaustive", "--max-executions", "2"}, 3)[0]["way"], "skipped");
}

TEST_F(ForTools, AJUnitReportHasAnErrorForNondeterminism) {
  EXPECT_EQ(cases_of({"nondeterministic"}, 4)[1]["way"], "error");
}

TEST_F(ForTools, AReportOfACrashIsThereToo) { EXPECT_EQ(cases_of({"harm", "how=segv"}, 1)[1]["way"], "failure"); }

}  // namespace
