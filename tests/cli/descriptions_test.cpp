// What the command line says of itself: version, manual page, completion.
#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include <harrier/cli/main.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/native/self.hpp>
#include <src/cli/extensions.hpp>

#include "captured.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

void quiet(self&) {}

std::vector<catalogue_entry> programs() {
  return {{"quiet", quiet},
          {"bank",
           "moves money",
           {{.name = "accounts", .value = 3, .about = "how many"},
            {.name = "policy", .value = "strict", .about = "which", .words = {"strict", "lax"}}},
           [](const arguments&) { return make_program(quiet); }}};
}

outcome harrier_with(const std::vector<std::string>& words) {
  return captured(words, [](int argc, char** argv) { return harrier::main(argc, argv, programs()); });
}

/// What the last of `words` may be completed to.
std::vector<std::string> completed(std::vector<std::string> words) {
  words.insert(words.begin(), "--complete");
  const auto result = harrier_with(words);
  EXPECT_EQ(result.status, 0);
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < result.out.size();) {
    const auto end = result.out.find('\n', at);
    lines.push_back(result.out.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

TEST(Version, IsHarriersOwnInEveryBinary) {
  const auto result = harrier_with({"--version"});

  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, testing::StartsWith("harrier " HARRIER_VERSION "\nbuilt from  "));
  EXPECT_THAT(result.err, IsEmpty());
}

TEST(Version, SaysWhichCompilerBuiltIt) {
  EXPECT_THAT(harrier_with({"--version"}).out,
              testing::ContainsRegex("built by    (GCC|Clang) [0-9]+\\.[0-9]+\\.[0-9]+, libst?d?c\\+\\+ [0-9]+"));
}

/// What `--version` of a command line with `more` says after `head`.
std::string said_after(const std::string& head, const extensions& more) {
  const auto said = captured({"--version"}, [&](int argc, char** argv) { return main(argc, argv, {}, more); }).out;
  const auto from = said.find(head) + head.size();
  return said.substr(from, said.find('\n', from) - from);
}

TEST(Version, SaysWhatIsBuiltInAndWhatIsLeftOut) {
  extensions none;
  none.at_broker = nullptr;
  none.reads_sources = nullptr;
  none.makes_pages = nullptr;
  extensions protocols = {.add_commands = [](CLI::App&) { return std::vector<command>(); }};

  EXPECT_THAT(said_after("left out    ", none), testing::StartsWith("protocols, brokers, analyse, pages"));
  EXPECT_THAT(said_after("built in    ", protocols), testing::StartsWith("protocols"));
}

TEST(Help, HasExamplesOfTheProgramsThatThereAre) {
  const auto all = harrier_with({"--help"}).out;
  EXPECT_THAT(all, HasSubstr("\n  harrier explore quiet                           find a bug"));
  EXPECT_THAT(all, HasSubstr("\n  harrier explore quiet --keep-going              all findings"));
  for (const auto* command : {"explore", "web"})
    EXPECT_THAT(harrier_with({command, "--help"}).out,
                AllOf(HasSubstr(std::string("harrier ") + command + " quiet"), Not(HasSubstr("philosophers"))));
}

TEST(Manual, SaysAllThatHelpSays) {
  const auto page = harrier_with({"--manual"});

  EXPECT_EQ(page.status, 0);
  EXPECT_THAT(page.out, testing::StartsWith(".TH HARRIER 1 \"\" \"harrier " HARRIER_VERSION "\""));
  for (const auto* part :
       {"harrier explore", "harrier replay", "\\-\\-engine\\fR", "\\-\\-save\\-trace", "Exit status: 0"})
    EXPECT_THAT(page.out, HasSubstr(part));
  for (const auto& engine : engine_names()) {
    auto shown = engine;
    for (auto at = shown.find('-'); at != std::string::npos; at = shown.find('-', at + 2)) shown.insert(at, 1, '\\');
    EXPECT_THAT(page.out, HasSubstr(shown));
  }
}

TEST(Manual, HasNoLineThatATextBeganByChance) {
  const auto page = "\n" + harrier_with({"--manual"}).out;

  for (auto at = page.find("\n."); at != std::string::npos; at = page.find("\n.", at + 1))
    EXPECT_THAT((std::vector<std::string>{"TH", "SH", "SS", "TP", "PP", "nf", "fi", "ad"}),
                Contains(page.substr(at + 2, 2)));
}

TEST(Completion, OfACommandIsItsSubcommands) {
  EXPECT_THAT(completed({""}), testing::IsSupersetOf({"list", "explore", "replay"}));
  EXPECT_THAT(completed({"expl"}), ElementsAre("explore"));
}

TEST(Completion, OfAProgramAndItsParameters) {
  EXPECT_THAT(completed({"explore", ""}), ElementsAre("quiet", "bank"));
  EXPECT_THAT(completed({"explore", "--engine", "random", "b"}), ElementsAre("bank"));
  EXPECT_THAT(completed({"explore", "bank", ""}), ElementsAre("accounts=", "policy="));
  EXPECT_THAT(completed({"explore", "bank", "policy="}), ElementsAre("policy=strict", "policy=lax"));
  EXPECT_THAT(completed({"explore", "bank", "accounts="}), ElementsAre("accounts=3"));
}

TEST(Completion, OfAnOptionIsWhatItMayBe) {
  EXPECT_THAT(completed({"explore", "bank", "--engine", ""}), ElementsAreArray(engine_names()));
  EXPECT_THAT(completed({"explore", "bank", "--engine=exh"}), ElementsAre("--engine=exhaustive"));
  EXPECT_THAT(completed({"explore", "--keep-g"}), ElementsAre("--keep-going"));
  EXPECT_THAT(completed({"explore", "--keep-going", "q"}), ElementsAre("quiet"));
  EXPECT_THAT(completed({"explore", "--js"}), ElementsAre("--json"));
}

TEST(Completion, OfAFormatIsEachThatATraceCanBeWrittenIn) {
  EXPECT_THAT(completed({"replay", "--format", ""}),
              ElementsAre("mermaid", "plantuml", "shiviz", "dot", "perfetto", "html"));
  EXPECT_THAT(completed({"explore", "quiet", "--format", ""}), ElementsAre("text", "gcc", "sarif"));
}

TEST(Completion, LeavesFilesToTheShell) {
  EXPECT_THAT(completed({"replay", ""}), IsEmpty());
  EXPECT_THAT(completed({"explore", "quiet", "--json", ""}), IsEmpty());
  EXPECT_THAT(completed({"explore", "quiet", "--seed", ""}), IsEmpty());
}

TEST(Completion, TakesWordsAsBashSplitsThem) {
  EXPECT_THAT(completed({"explore", "bank", "policy", "=", "l"}), ElementsAre("policy=lax"));
  EXPECT_THAT(completed({"explore", "bank", "policy", "="}), ElementsAre("policy=strict", "policy=lax"));
  EXPECT_THAT(completed({"explore", "--engine", "=", "rou"}), ElementsAre("--engine=round-robin"));
}

TEST(Completion, IsSetUpByAScriptOfTheShellNamed) {
  EXPECT_THAT(harrier_with({"--completion", "bash"}).out, HasSubstr("complete -o default -F _harrier harrier\n"));
  EXPECT_THAT(harrier_with({"--completion", "zsh"}).out, testing::StartsWith("#compdef harrier\n"));
  EXPECT_THAT(harrier_with({"--completion", "fish"}).out, HasSubstr("complete -c harrier "));
  EXPECT_EQ(harrier_with({"--completion", "tcsh"}).err,
            "harrier: --completion tcsh: one of bash, zsh, fish is expected\n");
}

}  // namespace
}  // namespace harrier
