// `harrier protocol` as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support.hpp"

namespace harrier::protocol {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct outcome {
  int status;
  std::string output;
};

outcome run(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string output;
  char part[4096];
  while (const auto size = std::fread(part, 1, sizeof part, pipe)) output.append(part, size);
  const int status = ::pclose(pipe);
  return {WEXITSTATUS(status), output};
}

// Standard output; with `2>&1` in the arguments, both.
outcome harrier(const std::string& arguments) { return run(std::string(HARRIER_COMMAND) + " protocol " + arguments); }

// A program over the generated module chess.hpp, whose messages are strings, compiled with nothing but headers.
outcome compiled(const std::string& name, const std::string& code, const std::string& flags) {
  const auto folder = testing::TempDir() + "headers_alone_" + name + "/";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "main.cpp") << code;
  const auto generated =
      harrier("generate " + own("chess").string() +
              " --session chess --mode liberal-checked --type Move=std::string --include '<string>' -o " + folder +
              "chess.hpp 2>&1");
  if (generated.status != 0) return generated;
  return run(std::string("cd ") + folder + " && LC_ALL=C " + HARRIER_COMPILER + " -std=c++20 -Wall -Wextra -Werror -I" +
             HARRIER_HEADERS + " main.cpp " + flags + " 2>&1");
}

std::string file(const std::string& name) { return own(name).string(); }

std::string definition(const std::string& name, const std::string& text) {
  auto path = testing::TempDir() + name + ".dcj";
  std::ofstream(path) << text;
  return path;
}

TEST(Command, ShowsTheLineOfEachMistakeAndWhereInItThatIs) {
  const auto wrong = definition("mistakes", "(s/defrole ::a)\n(s/defsession ::p [] (s/cat (s/nothing ::a)))\n");
  const auto [status, output] = harrier("states " + wrong + " --session p 2>&1");

  EXPECT_EQ(status, 2);
  EXPECT_THAT(output, HasSubstr("\n    (s/defsession ::p [] (s/cat (s/nothing ::a)))\n    " + std::string(28, ' ')));
  EXPECT_THAT(output, HasSubstr(" ^\n"));
}

TEST(Command, ShowsOfALongLineWhatIsAroundTheMistake) {
  const auto wrong = definition("long", "(s/defsession ::p [] (s/cat" + std::string(500, ' ') + "(s/nothing ::a)))\n");
  const auto output = harrier("states " + wrong + " --session p 2>&1").output;

  EXPECT_THAT(output, HasSubstr("\n    ...   "));
  EXPECT_THAT(output, Not(HasSubstr(std::string(200, ' '))));
}

TEST(Command, RefusesATypeForAMessageThatThereIsNot) {
  const auto [status, output] = harrier("generate " + file("chess") + " --session chess --type Mvoe=int 2>&1");

  EXPECT_EQ(status, 2);
  EXPECT_THAT(output, AllOf(HasSubstr("--type Mvoe=int: "), HasSubstr("has no message Mvoe, but Move")));
}

TEST(Command, EndsAtItsTimeLimitWhereASingleStateTakesLong) {
  const auto unguarded = definition("unguarded",
                                    "(s/defrole ::a) (s/defrole ::b) (s/defsession ::p [n] (s/if (> n 0)"
                                    " (s/par (::p (dec n)) (::p (dec n))) (s/-->> T ::a ::b)))");
  const auto [status, output] = harrier("states " + unguarded + " --session p 24 --time-limit 0.3 2>&1");

  EXPECT_EQ(status, 3);
  EXPECT_THAT(output, HasSubstr("was not complete after 0.3 s; --time-limit allows more"));
}

TEST(Command, SearchesAtItsTimeLimitWhatItHasBuilt) {
  const auto many = definition("many",
                               "(s/defrole ::a) (s/defrole ::b)"
                               "(s/defsession ::p [] (s/par-every [i (range 20)] (s/-->> T (::a i) (::b i))))");
  const auto [status, output] = harrier("check " + many +
                                        " --session p --on definition --max-states 100000000"
                                        " --property 'G \"a_0_ SEND\"' --ends finite --time-limit 0.3 2>&1");

  EXPECT_THAT(status, AnyOf(1, 3)) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("at least "), HasSubstr("--time-limit allows more")));
}

TEST(Command, CountsStates) {
  const auto [status, output] = harrier("states " + file("token-star") + " --session token-star 4 --minimise --json -");

  EXPECT_EQ(status, 0);
  EXPECT_THAT(output, HasSubstr("\"states\": 11"));
  EXPECT_THAT(output, HasSubstr("\"minimised\": {\n    \"states\": 10,\n    \"transitions\": 12"));
}

TEST(Command, ReportsVerdictsInOrderWithALasso) {
  const auto [status, output] =
      harrier("check " + file("chess") + " --session chess --json - --property 'G F \"white SEND\"' '!\"white SEND\"'");

  EXPECT_EQ(status, 1);
  EXPECT_THAT(output, HasSubstr("\"on\": \"module\""));
  EXPECT_LT(output.find("\"holds\": true"), output.find("\"holds\": false"));
  EXPECT_THAT(output, HasSubstr("white SEND Move TO black"));
}

TEST(Command, SaysWhichOfTheTwoItChecked) {
  EXPECT_THAT(harrier("check " + file("chess") + " --session chess --on definition --property true").output,
              StartsWith("checked the definition, not generated code"));
  EXPECT_THAT(harrier("check " + file("chess") + " --session chess --property true").output,
              StartsWith("checked the generated module"));
}

TEST(Command, SaysHowRunsThatEndWereRead) {
  const auto once =
      "check " + file("two-phase-commit") + " --session two-phase-commit 2 --on definition --property false ";
  EXPECT_THAT(harrier(once).output, HasSubstr("runs that end: finite (all runs end): "));
  EXPECT_EQ(harrier(once).status, 1);
  EXPECT_THAT(harrier(once + "--ends ignore").output,
              AllOf(HasSubstr("runs that end: ignore: "), HasSubstr("holds      false\n    note: all runs end, and")));
  EXPECT_THAT(harrier(once + "--ends ignore --json - 2> /dev/null").output,
              AllOf(HasSubstr("\"ends\": \"ignore\""), HasSubstr("\"ends_chosen\": true"),
                    HasSubstr("\"infinite_runs\": false"), HasSubstr("\"no_run_counts\": true"),
                    HasSubstr("\"note\": \"all runs end")));
  EXPECT_THAT(harrier("check " + file("chess") + " --session chess --on definition --property true").output,
              HasSubstr("runs that end: ignore: "));
}

TEST(Command, LeavesUndecidedWhatALimitCut) {
  const auto [status, output] = harrier("check " + file("cg") + " --session cg 3 --max-states 5 --property true 2>&1");

  EXPECT_EQ(status, 3);
  EXPECT_THAT(output, HasSubstr("undecided"));
}

TEST(Command, DrawsDotAndSvg) {
  EXPECT_THAT(harrier("graph " + file("chess") + " --session chess").output, StartsWith("digraph \"chess\""));
  const auto [status, output] = harrier("graph " + file("chess") + " --session chess --format svg 2>&1");
  EXPECT_TRUE(status == 0 ? output.find("<svg") != std::string::npos : output.find("Graphviz") != std::string::npos)
      << output;
}

TEST(Command, DrawsTheMachineOfARoleWithTheNumbersOfTheHeader) {
  const auto cg = file("cg") + " --session cg 2 --mode liberal-checked";
  const auto drawn = harrier("graph " + cg + " --role worker_1_").output;

  EXPECT_THAT(drawn, AllOf(HasSubstr("0 [label=\"15\", style=bold]"),
                           HasSubstr("0 -> 1 [label=\"worker_1_ RECV Compute FROM master\"]"),
                           HasSubstr("3 -> 4 [label=\"worker_1_ CLOSE master\"]")));
  EXPECT_THAT(harrier("generate " + cg).output, HasSubstr("// worker_1_\n      //   state 15\n"));
  EXPECT_THAT(harrier("graph " + cg + " --role 'worker[1]'").output, EndsWith(drawn.substr(drawn.find('\n'))));
}

TEST(Command, DrawsALargeGraphInAHurry) {
  const auto large = "graph " + file("cg") + " --session cg 40";

  EXPECT_THAT(harrier(large).output, HasSubstr("splines=line"));
  EXPECT_THAT(harrier("graph " + file("cg") + " --session cg 4").output, Not(HasSubstr("splines")));
  EXPECT_THAT(harrier(large + " --format svg 2>&1 > /dev/null").output,
              AnyOf(HasSubstr("are drawn in a hurry"), HasSubstr("not installed")));
}

TEST(Command, PrintsHowALongRunBeginsAndEnds) {
  const auto definition = testing::TempDir() + "long.dcj";
  std::ofstream(definition) << "(s/defrole ::a)\n(s/defrole ::b)\n(s/defsession ::p []\n"
                               " (s/cat-every [i (range 30)] (s/-->> T ::a ::b)) (s/-->> U ::a ::b))\n";
  const auto check = "check " + definition + " --session p --on definition --property 'G !\"a SEND U\"'";

  EXPECT_THAT(harrier(check).output, AllOf(HasSubstr("\n    ... 21 more steps, which --json writes ...\n"),
                                           HasSubstr("\n    a SEND U TO b\n")));
  EXPECT_THAT(harrier(check + " --json - 2> /dev/null").output, Not(HasSubstr("more steps")));
}

TEST(Command, GeneratesToAFileOrStandardOutput) {
  EXPECT_THAT(harrier("generate " + file("chess") + " --session chess --type Move=int --mode liberal-checked").output,
              AllOf(HasSubstr("using of_0 = int;"), HasSubstr("harrier::runtime::message<Move>")));
}

TEST(Command, GeneratesNoModuleWithARoleThatIsASlipOfThePen) {
  const auto definition = testing::TempDir() + "slip.dcj";
  std::ofstream(definition) << "(s/defrole ::a)\n(s/defrole ::b)\n"
                               "(s/defsession ::p [] (s/cat (s/-->> Ping ::a ::b) (s/-->> Pong ::b ::aa)))\n";
  const auto [status, output] = harrier("generate " + definition + " --session p 2>&1");

  EXPECT_EQ(status, 2);
  EXPECT_THAT(output, HasSubstr("slip.dcj:3:68: error: ::aa: the role is not declared"));
  EXPECT_EQ(harrier("states " + definition + " --session p 2>&1").status, 0);
}

TEST(HeadersAlone, AreEnoughForAProgramOverAModule) {
  const auto [status, output] = compiled("program", R"(
#include "chess.hpp"
#include <chrono>
#include <thread>
int main() {
  using role = protocols::chess::role;
  protocols::chess game;
  std::thread black([self = game.take(role::black)]() mutable {
    const auto move = self.recv<std::string>(role::white, std::chrono::hours(1));
    self.send(role::white, move == "e2e4" ? std::string("e7e5") : std::string("resign"));
  });
  game.send(role::white, role::black, std::string("e2e4"));
  const auto answer = game.recv<std::string>(role::white, role::black);
  black.join();
  return answer == "e7e5" ? 0 : 1;
}
)",
                                         "-pthread -o program && ./program");

  EXPECT_EQ(status, 0) << output;
}

TEST(ValueOfAnotherType, IsOneErrorOfTheCompilerThatSaysWhatToWrite) {
  const auto [status, output] = compiled("mistake", R"(
#include "chess.hpp"
void play(protocols::chess& game) {
  game.send(protocols::chess::role::white, protocols::chess::role::black, "e2e4");
}
)",
                                         "-fsyntax-only");

  EXPECT_NE(status, 0);
  EXPECT_THAT(output, HasSubstr("harrier: no message of this protocol has the type of this value; convert it, as "
                                "std::string(\"text\")"));
  EXPECT_THAT(output, HasSubstr("main.cpp:4"));
  EXPECT_EQ(output.find("error:"), output.rfind("error:")) << output;
  EXPECT_LE(std::count(output.begin(), output.end(), '\n'), 15) << output;
}

TEST(Command, RejectsWrongInputWithAReason) {
  const auto chess = file("chess");
  for (const auto& [arguments, part] : std::vector<std::pair<std::string, std::string>>{
           {"states /nowhere.dcj --session p", "cannot read /nowhere.dcj"},
           {"states " + chess + " --session draughts", "there is no session draughts with 0 arguments"},
           {"states " + chess + " --session chess 1", "there is no session chess with 1 argument"},
           {"states " + chess + " --session chess '(foo)'", "foo: is not a function"},
           {"check " + chess + " --session chess --property 'G ('", "property 1"},
           {"check " + chess + " --session chess --property missing.owl", "cannot read missing.owl"},
           {"graph " + file("cg") + " --session cg 2 --mode liberal --role nobody", "there is no role nobody"},
           {"graph " + file("cg") + " --session cg 2 --role master", "--role needs --mode liberal"},
           {"check " + file("tic-tac-toe") + " --session tic-tac-toe --mode liberal-checked --property true",
            "cannot know"}}) {
    const auto [status, output] = harrier(arguments + " 2>&1");
    EXPECT_EQ(status, 2) << arguments;
    EXPECT_THAT(output, HasSubstr(part)) << arguments;
  }
}

}  // namespace
}  // namespace harrier::protocol
