// The command line with tables of the tests' own.
#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include <harrier/core/error.hpp>
#include <harrier/core/system.hpp>
#include <harrier/isolation/isolated_search.hpp>
#include <harrier/native/self.hpp>
#include <src/cli/extensions.hpp>

#include "captured.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct listener {
  void hear(int) {}
};

void one_message(self& self) { self.send<&listener::hear>(self.create<listener>(), 7); }

outcome harrier_with(const std::vector<std::string>& words, const extensions& more) {
  const catalogue programs = {{"one-message", one_message}};
  return captured(words, [&](int argc, char** argv) { return harrier::main(argc, argv, programs, more); });
}

/// Allows so many deliveries.
class counter final : public monitor {
public:
  explicit counter(std::size_t most) : most_(most) {}
  std::optional<record> stepped(const system& s) override {
    if (s.depth() <= most_) return std::nullopt;
    record broken;
    broken.kind = finding_kind::conformance;
    broken.message = "a delivery too many";
    return broken;
  }

private:
  std::size_t most_;
};

class asked_counter final : public asked_judges {
public:
  void bind(CLI::App& line) override { line.add_option("--most", most_, "So many deliveries")->group(judging_group); }
  void write(json_value& judgement) const override { judgement["most"] = most_; }
  void read(const json_value& judgement) override { most_ = field_as<std::uint64_t>(judgement, "most"); }
  [[nodiscard]] std::vector<std::unique_ptr<monitor>> make() const override {
    std::vector<std::unique_ptr<monitor>> one;
    one.push_back(std::make_unique<counter>(most_));
    return one;
  }

private:
  std::uint64_t most_ = 1;
};

std::unique_ptr<asked_judges> no_counter() { return std::make_unique<asked_counter>(); }

extensions with_a_counter() { return {.judges = {no_counter}, .explore_examples = "  harrier explore --most 3\n"}; }

/// A trace file that is there as long as this.
class trace_of_one_message {
public:
  trace_of_one_message() {
    static_cast<void>(harrier_with({"explore", "one-message", "--most", "0", "--save-trace", path_}, with_a_counter()));
  }
  trace_of_one_message(const trace_of_one_message&) = delete;
  trace_of_one_message& operator=(const trace_of_one_message&) = delete;
  ~trace_of_one_message() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::string& path() const { return path_; }

private:
  std::string path_ = testing::TempDir() + "extensions_test." + std::to_string(getpid()) + ".json";
};

TEST(CommandLine, WithoutExtensionsHasNoneOfTheirOptions) {
  const auto help = harrier_with({"explore", "--help"}, {});
  const auto asked = harrier_with({"explore", "one-message", "--property", "true"}, {});

  EXPECT_THAT(help.out, AllOf(HasSubstr("--engine"), Not(HasSubstr("--property")), Not(HasSubstr(judging_group))));
  EXPECT_EQ(asked.status, 2);
  EXPECT_THAT(asked.err, HasSubstr("there is no option --property"));
}

TEST(CommandLine, WithoutExtensionsExplores) {
  EXPECT_EQ(harrier_with({"explore", "one-message"}, {}).status, 0);
  EXPECT_EQ(harrier_with({"protocol"}, {}).status, 2);
}

TEST(JudgesOfTheTable, AreExplainedBesideTheOtherOptions) {
  EXPECT_THAT(
      harrier_with({"explore", "--help"}, with_a_counter()).out,
      AllOf(HasSubstr(judging_group), HasSubstr("--most"), HasSubstr("  harrier explore --most 3\n\nThe program")));
}

TEST(JudgesOfTheTable, JudgeAsTheyWereAsked) {
  EXPECT_EQ(harrier_with({"explore", "one-message", "--most", "1"}, with_a_counter()).status, 0);
  EXPECT_THAT(harrier_with({"explore", "one-message", "--most", "0"}, with_a_counter()).out,
              HasSubstr("conformance: a delivery too many"));
}

TEST(JudgesOfTheTable, JudgeAgainWhatWasSaved) {
  const trace_of_one_message saved;

  EXPECT_THAT(harrier_with({"replay", saved.path()}, with_a_counter()).out,
              HasSubstr("Found again conformance: a delivery too many"));
}

TEST(JudgesOfTheTable, AreMissedByABuildWithout) {
  const trace_of_one_message saved;
  const auto replayed = harrier_with({"replay", saved.path()}, {});

  EXPECT_EQ(replayed.status, 2);
  EXPECT_THAT(replayed.err, HasSubstr(saved.path() + ": judgement: this build has no judges of executions"));
}

TEST(Trace, OfAnotherExecutableFileSaysWhichReplaysIt) {
  const trace_of_one_message saved;
  std::stringstream text;
  text << std::ifstream(saved.path()).rdbuf();
  const auto replayed_as = [&](const std::string& program) {
    auto renamed = text.str();
    const std::string own = "one-message";
    renamed.replace(renamed.find(own), own.size(), program);
    std::ofstream(saved.path()) << renamed;
    return harrier_with({"replay", saved.path()}, with_a_counter());
  };

  EXPECT_EQ(replayed_as("saturday").err,
            "harrier: cannot replay " + saved.path() +
                ": there is no program 'saturday' here; the executable file that saved the "
                "trace replays it, and `--format mermaid` draws it here\n");
  EXPECT_THAT(replayed_as("Bank.IsOpen").err,
              HasSubstr("with --gtest_filter=Bank.IsOpen --harrier_replay=" + saved.path() + ", and"));
}

TEST(TracesOfTheTable, AreReplayedByWhoKnowsThem) {
  const trace_of_one_message saved;
  const extensions more{
      .traces = {{[](const trace_file& t) { return t.program == "another"; }, nullptr},
                 {[](const trace_file& t) { return t.program == "one-message"; },
                  [](const trace_file&, const replay_options& how) { return how.step_by_step ? 41 : 40; }}}};

  EXPECT_EQ(harrier_with({"replay", saved.path()}, more).status, 40);
  EXPECT_EQ(harrier_with({"replay", saved.path(), "--step"}, more).status, 41);
}

TEST(TracesOfTheTable, AreNamedInWhatIsWrongWithThem) {
  const trace_of_one_message saved;
  const extensions more{
      .traces = {{[](const trace_file&) { return true; },
                  [](const trace_file&, const replay_options&) -> int { throw error("it is torn"); }}}};

  EXPECT_EQ(harrier_with({"replay", saved.path()}, more).err,
            "harrier: cannot replay " + saved.path() + ": it is torn\n");
}

std::vector<command> lonely(CLI::App& app) {
  return {{app.add_subcommand("lonely", "Has no child"), []() -> int { throw no_child_process("there is no child"); }}};
}

TEST(CommandsOfTheTable, AreRun) {
  const auto result = harrier_with({"lonely"}, {.add_commands = lonely});

  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "harrier: there is no child; --in-process needs none\n");
}

/// Says what it was asked.
int say(const asked_analysis& asked) {
  std::printf("%s to %s", asked.file.c_str(), asked.write.c_str());
  for (const auto& flag : asked.flags) std::printf(" %s", flag.c_str());
  return 0;
}

TEST(Analyse, HandsOnTheFlagsOfTheCompiler) {
  const analyse_floor floor{say};
  extensions more;
  more.reads_sources = &floor;
  const auto result = harrier_with({"analyse", "a.cpp", "--write", "b.hpp", "--", "-Ifolder", "-D", "X=1"}, more);

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "a.cpp to b.hpp -Ifolder -D X=1");
}

TEST(Analyse, OfABuildWithoutItSaysHowToGetIt) {
  extensions more;
  more.reads_sources = nullptr;
  const auto result = harrier_with({"analyse", "a.cpp"}, more);

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("was built without libclang"), HasSubstr("scripts/setup analyse")));
}

report_story story_of_tests(const exploration& result) {
  return {.program = result.program,
          .verdict = result.findings.empty() ? report_verdict::passed : report_verdict::found};
}

/// What the page is told.
std::string told_as_text(const report_story& story) {
  auto text = story.program + (story.verdict == report_verdict::found ? " found" : " passed");
  for (const auto& f : story.findings)
    text += "; " + f.replay + (f.is_saved ? "" : " once saved") + "; deliveries " +
            std::to_string(f.trace.finding.trace.size());
  return text;
}

constexpr page_floor pages_as_text{story_of_tests, told_as_text};

extensions with_pages_as_text() {
  auto more = with_a_counter();
  more.makes_pages = &pages_as_text;
  return more;
}

/// A page that is there as long as this.
class page_of_tests {
public:
  page_of_tests() = default;
  page_of_tests(const page_of_tests&) = delete;
  page_of_tests& operator=(const page_of_tests&) = delete;
  ~page_of_tests() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool is_there() const { return std::filesystem::exists(path_); }
  [[nodiscard]] std::string text() const {
    std::ifstream in(path_);
    return {std::istreambuf_iterator<char>(in), {}};
  }

private:
  std::string path_ = testing::TempDir() + "extensions_test." + std::to_string(getpid()) + ".html";
};

TEST(Report, TellsThePageWhatWasFoundAndHowItIsReplayed) {
  const page_of_tests page;
  const auto result =
      harrier_with({"explore", "one-message", "--most", "0", "--report", page.path()}, with_pages_as_text());

  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Report written: " + page.path()));
  EXPECT_EQ(page.text(), "one-message found; harrier replay one-message.json once saved; deliveries 1");
}

TEST(Report, OfASavedTraceNamesItsFile) {
  const page_of_tests page;
  const trace_of_one_message saved;
  const auto result = harrier_with({"replay", saved.path(), "--report", page.path()}, with_pages_as_text());

  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_EQ(page.text(), "one-message found; harrier replay " + saved.path() + "; deliveries 1");
}

TEST(TracesOfTheTable, AreReplayedWithTheReportThatIsAskedFor) {
  const trace_of_one_message saved;
  const page_of_tests page;
  auto more = with_pages_as_text();
  more.traces = {{[](const trace_file&) { return true; },
                  [](const trace_file&, const replay_options& how) { return how.report.empty() ? 40 : 41; }}};

  EXPECT_EQ(harrier_with({"replay", saved.path()}, more).status, 40);
  EXPECT_EQ(harrier_with({"replay", saved.path(), "--report", page.path()}, more).status, 41);
}

TEST(Report, IsWrittenOfWhatPassesToo) {
  const page_of_tests page;

  EXPECT_EQ(harrier_with({"explore", "one-message", "--report", page.path()}, with_pages_as_text()).status, 0);
  EXPECT_EQ(page.text(), "one-message passed");
}

TEST(Report, ThatCannotBeWrittenIsAnErrorBeforeTheSearch) {
  for (const std::string file : {"-", "/nowhere/x.html", "/"}) {
    const auto result = harrier_with({"explore", "one-message", "--report", file}, with_pages_as_text());

    EXPECT_EQ(result.status, 2) << file;
    EXPECT_EQ(result.out, "") << file;
  }
}

TEST(Report, OfABuildWithoutItSaysHowToGetIt) {
  const page_of_tests page;
  auto more = with_a_counter();
  more.makes_pages = nullptr;
  const auto result = harrier_with({"explore", "one-message", "--report", page.path()}, more);

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("was built without its page"), HasSubstr("scripts/setup web")));
  EXPECT_FALSE(page.is_there());
}

/// Serves nothing, and says what it would have.
int told_instead(const page_jobs& done, const page_service& where) {
  const auto told_of = [&](const json_value& job) {
    json_value answer;
    done(
        job, [&](const json_value& told) { answer = told; }, [] { return true; });
    return answer;
  };
  const auto what = told_of({{"do", "about"}});
  std::printf("%s %s on port %d, %s, replayed by %s\n", what.at("program").get<std::string>().c_str(),
              to_text(what.at("parameters")).c_str(), where.port, what.at("delivery").get<std::string>().c_str(),
              where.replay.c_str());
  const auto trace = told_of({{"do", "trace"}, {"schedule", json_value::array()}});
  std::printf("%s", trace.at("trace").get<std::string>().c_str());
  return 0;
}

constexpr explorer_floor told_as_text_instead{told_instead};

TEST(Web, IsToldTheProgramAndHowItRuns) {
  auto more = with_a_counter();
  more.explores = &told_as_text_instead;
  const auto result = harrier_with({"web", "one-message", "--port", "8080", "--delivery", "fifo", "--lose", "1"}, more);

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("one-message {} on port 8080, fifo, replayed by harrier replay \n"));
  EXPECT_THAT(result.out, AllOf(HasSubstr("\"program\": \"one-message\""), HasSubstr("\"delivery\": \"fifo\""),
                                HasSubstr("\"faults\": ")));
}

TEST(Web, TakesNoOptionsThatWriteFiles) {
  for (const std::string option : {"--checkpoint", "--resume", "--save-trace"}) {
    const auto result = harrier_with({"web", "one-message", option, "x"}, with_a_counter());

    EXPECT_EQ(result.status, 2) << option;
    EXPECT_THAT(result.err, HasSubstr("there is no option " + option));
  }
}

TEST(Web, RefusesWhatIsNoPort) {
  for (const std::string port : {"-1", "65536", "http"}) {
    const auto result = harrier_with({"web", "one-message", "--port", port}, with_a_counter());

    EXPECT_EQ(result.status, 2) << port;
    EXPECT_THAT(result.err, HasSubstr("a number from 0 to 65535 is expected"));
  }
}

TEST(Web, OfABuildWithoutItSaysHowToGetIt) {
  auto more = with_a_counter();
  more.explores = nullptr;
  const auto result = harrier_with({"web", "one-message"}, more);

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("was built without its pages"), HasSubstr("scripts/setup web")));
}

}  // namespace
}  // namespace harrier
