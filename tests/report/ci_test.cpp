#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <harrier/report/ci.hpp>
#include <harrier/report/json.hpp>

#include "example.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

exploration with_finding(finding f) {
  exploration result;
  result.program = "server";
  result.stopped_by = "the first finding";
  result.findings = {std::move(f)};
  return result;
}

exploration complete() {
  exploration result;
  result.program = "server";
  result.exhausted = true;
  return result;
}

finding hostile_finding() {
  auto f = example_finding();
  f.message = "</failure><script> & \"x\" ]]> {0} [a](1)\n\x1b[31m \xff \xEF\xBF\xBF";
  f.actor = "\"><b>\nend: note: ";
  f.file = "a b%\n\".cpp";
  f.trace[0].message = f.message;
  return f;
}

TEST(Gcc, IsALineForTheFindingAndNotesForWhatExplainsIt) {
  EXPECT_EQ(to_gcc(with_finding(example_finding())),
            "server.cpp:23: error: two reads in a row agree, in client_1 [assertion]\n"
            "server.cpp:23: note: 2 deliveries lead to it\n"
            "server.cpp:23: note: delivery 2, server_0.set(5): assertion: two reads in a row agree\n");
}

TEST(Gcc, NamesTheProgramWhereThereIsNoLine) {
  finding deadlock;
  deadlock.kind = finding_kind::deadlock;
  deadlock.message = "nothing can be delivered";
  deadlock.actor = "fork_0";

  EXPECT_THAT(to_gcc(with_finding(deadlock)), StartsWith("server: error: nothing can be delivered [deadlock]\n"));
}

TEST(EachFormat, SaysWhyWhereThatIsKnown) {
  const std::vector<explanation> why = {{.sentence = "[set](5) came\n\x1b first & <last>"}};
  const auto result = with_finding(example_finding());

  EXPECT_THAT(to_gcc(result, why), HasSubstr("server.cpp:23: note: why: [set](5) came\\n\\x1b first & <last>\n"));
  EXPECT_THAT(to_sarif(result, "1", why), HasSubstr("Why: \\\\[set\\\\](5) came"));
  EXPECT_THAT(to_junit(result, false, why), HasSubstr("Why: [set](5) came\\n\\x1b first &amp; &lt;last&gt;"));
}

TEST(Gcc, IsEmptyIfNothingWasFound) { EXPECT_THAT(to_gcc(complete()), IsEmpty()); }

TEST(Gcc, TellsWarningsFromErrors) {
  auto result = complete();
  result.warnings = {example_finding()};

  EXPECT_THAT(to_gcc(result), AllOf(HasSubstr(":23: warning: "), Not(HasSubstr("error:"))));
}

TEST(Gcc, HasNoLineThatAProgramMadeUp) {
  EXPECT_THAT(to_gcc(with_finding(hostile_finding())), AllOf(StartsWith("a b%\\n\".cpp:23: error: </failure>"),
                                                             Not(HasSubstr("\nend: note:")), Not(HasSubstr("\x1b"))));
}

TEST(Sarif, SaysWhatWasFoundAndWhere) {
  const auto log = json_value::parse(to_sarif(with_finding(example_finding()), "1.2.3"));
  const auto& run = log["runs"][0];
  const auto& result = run["results"][0];

  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2.3");
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
  EXPECT_EQ(result["ruleId"], "assertion");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "server.cpp");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 23);
  EXPECT_THAT(result["message"]["text"].get<std::string>(),
              HasSubstr("2 deliveries lead to it:\n1. client_1.start()\n2. "));
  EXPECT_EQ(result["codeFlows"][0]["threadFlows"][0]["locations"][0]["executionOrder"], 2);
}

TEST(Sarif, HasARuleForEachKindOfFinding) {
  const auto log = json_value::parse(to_sarif(complete(), "1"));

  for (const auto& rule : log["runs"][0]["tool"]["driver"]["rules"])
    EXPECT_NO_THROW(static_cast<void>(finding_kind_of(rule["id"].get<std::string>())));
  EXPECT_EQ(log["runs"][0]["tool"]["driver"]["rules"].size(), static_cast<std::size_t>(finding_kind::declaration) + 1);
}

TEST(Sarif, MakesNoLinksAndNoPlaceholdersOfAProgramsWords) {
  const auto log = json_value::parse(to_sarif(with_finding(hostile_finding()), "1"));
  const auto& result = log["runs"][0]["results"][0];

  EXPECT_THAT(result["message"]["text"].get<std::string>(), HasSubstr("{{0}} \\[a\\](1)\\\\n\\\\x1b\\[31m"));
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a%20b%25%0A%22.cpp");
}

TEST(Sarif, TellsTheBeginningAndTheEndOfALongStory) {
  auto f = example_finding();
  f.trace.assign(10'000, f.trace[0]);
  const auto text = json_value::parse(to_sarif(with_finding(f), "1"))["runs"][0]["results"][0]["message"]["text"];

  EXPECT_THAT(text.get<std::string>(),
              AllOf(HasSubstr("\n20. client_1.start()\n(9,960 not shown)\n9981. "), HasSubstr("\n10000. ")));
}

TEST(JUnit, PassesOnlyWhatWasExploredCompletely) {
  auto limited = complete();
  limited.exhausted = false;
  limited.stopped_by = "the time limit";

  EXPECT_THAT(to_junit(complete(), false), AllOf(HasSubstr("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\""),
                                                 HasSubstr("name=\"explored completely\"")));
  EXPECT_THAT(to_junit(limited, false),
              AllOf(HasSubstr("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\""),
                    HasSubstr("<skipped message=\"stopped by the time limit: not everything was explored\"/>")));
}

TEST(JUnit, HasAFailingTestCaseForEachFinding) {
  EXPECT_THAT(to_junit(with_finding(example_finding()), false),
              AllOf(HasSubstr("tests=\"2\" failures=\"1\""), HasSubstr("file=\"server.cpp\" line=\"23\""),
                    HasSubstr("<failure type=\"assertion\" message=\"two reads in a row agree\">")));
}

TEST(JUnit, HasAnErrorForWhatCannotBeSearched) {
  auto f = example_finding();
  f.kind = finding_kind::nondeterminism;

  EXPECT_THAT(to_junit(with_finding(f), false), AllOf(HasSubstr("failures=\"0\" errors=\"1\""), HasSubstr("<error ")));
}

TEST(JUnit, FailsForWhatIsNotCoveredIfThatIsRequired) {
  auto result = complete();
  result.points = {{"a timer of node_0", false}, {"a loss", true}};

  EXPECT_THAT(to_junit(result, true), AllOf(HasSubstr("failures=\"1\""), HasSubstr("covers: a timer of node_0")));
  EXPECT_THAT(to_junit(result, false), HasSubstr("failures=\"0\""));
}

TEST(JUnit, EscapesWhatIsNoTextInXml) {
  EXPECT_THAT(to_junit(with_finding(hostile_finding()), false),
              AllOf(Not(HasSubstr("<script>")), Not(HasSubstr("]]>")), Not(HasSubstr("\x1b")), Not(HasSubstr("\xff")),
                    Not(HasSubstr("\xEF\xBF\xBF")), HasSubstr("\\uffff")));
}

TEST(FilesFromHere, AreFoundThoughTheBuildNamesThemFromItsFolder) {
  const auto here = std::filesystem::path(testing::TempDir()) / "ci_test";
  std::filesystem::create_directories(here / "src");
  std::ofstream(here / "src/server.cpp") << '\n';
  const auto seen = [&](const std::string& file) {
    auto f = example_finding();
    f.file = file;
    f.trace[1].findings = {"assertion: x (" + file + ":23)"};
    return with_files_from(with_finding(f), here.string()).findings[0];
  };

  EXPECT_EQ(seen("../../src/server.cpp").file, "src/server.cpp");
  EXPECT_EQ(seen("../../src/server.cpp").trace[1].findings[0], "assertion: x (src/server.cpp:23)");
  EXPECT_EQ(seen((here / "src/server.cpp").string()).file, "src/server.cpp");
  EXPECT_EQ(seen("src/../src/server.cpp").file, "src/server.cpp");
  EXPECT_EQ(seen("../../elsewhere.cpp").file, "../../elsewhere.cpp");
}

}  // namespace
}  // namespace harrier
