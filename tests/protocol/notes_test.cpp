// What `harrier protocol` says beside its results: lines of refusals, of files of types, and of what is checked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace harrier::protocol {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct outcome {
  int status;
  std::string output;  ///< and what standard error has
};

outcome harrier_on(const std::string& text, const std::string& command, const std::string& arguments) {
  const auto name = testing::UnitTest::GetInstance()->current_test_info()->name();
  const auto path = testing::TempDir() + "notes_" + name + ".dcj";
  std::ofstream(path) << text;
  const auto line = std::string(HARRIER_COMMAND) + " protocol " + command + " " + path + " " + arguments + " 2>&1";
  std::FILE* pipe = ::popen(line.c_str(), "r");
  std::string output;
  char part[4096];
  while (const auto size = std::fread(part, 1, sizeof part, pipe)) output.append(part, size);
  return {WEXITSTATUS(::pclose(pipe)), output};
}

std::string file_of_types(const std::string& text) {
  const auto path = testing::TempDir() + "notes_types.txt";
  std::ofstream(path) << text;
  return path;
}

// The roles know nothing of the choice.
constexpr const char* nobodys_choice =
    "(s/defsession ::p []\n"
    "  (s/alt (s/-->> X ::a ::b)\n"
    "         (s/-->> Y ::c ::d)))\n";

TEST(Refusal, ShowsTheLine) {
  const auto [status, output] = harrier_on(nobodys_choice, "generate", "--session p --mode liberal-checked");

  EXPECT_EQ(status, 2);
  EXPECT_THAT(output, AllOf(HasSubstr("no module can be generated\n"), HasSubstr(": error: liberal-checked: ")));
  EXPECT_THAT(output, HasSubstr("\n      (s/alt (s/-->> X ::a ::b)\n             ^\n"));
}

// Whose master has one machine in place of one for each worker, since something else follows them beside something
// else.
constexpr const char* pool_in_a_branch =
    "(s/defsession ::pool [n] (s/par (s/-->> Other ::m ::o) (s/cat (s/par-every [i (range n)]\n"
    "  (s/* [(s/-->> Ask ::m (::w i)) (s/-->> Work (::w i) ::m)] (s/-->> Stop ::m (::w i)))) (s/-->> End ::m ::e))))\n";

TEST(Refusal, OfALargeHeaderSaysWhatMakesItLarge) {
  const auto checked =
      harrier_on(pool_in_a_branch, "generate", "--session pool 7 --mode liberal-checked --max-header 1");
  const auto strict = harrier_on(pool_in_a_branch, "generate", "--session pool 5 --mode strict --max-header 1");

  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.output, AllOf(HasSubstr("the header would have more than 1 MiB"),
                                    HasSubstr("one of the machines of m has 2188 states")));
  EXPECT_EQ(strict.status, 2);
  EXPECT_THAT(strict.output, AllOf(HasSubstr("the header would have more than 1 MiB"),
                                   HasSubstr("its machine, which in mode strict is one for all roles, has ")));
}

TEST(FileOfTypes, MayNameMessagesOfOtherDefinitionsButIsWarnedOf) {
  const auto types = file_of_types("Move = int\nPasword = long\n");
  const auto [status, output] =
      harrier_on("(s/defsession ::p [] (s/-->> Move ::a ::b))\n", "generate", "--session p --types " + types);

  EXPECT_EQ(status, 0);
  EXPECT_THAT(output, HasSubstr("notes_types.txt:2:1: warning: Pasword: is no message of "));
  EXPECT_THAT(output, AllOf(HasSubstr("\n    Pasword = long\n    ^\n"), Not(HasSubstr("Move: is no message"))));
}

TEST(Header, SaysOfEachReceiveOnWhichLineItsMessageIsSent) {
  const auto output = harrier_on("(s/defsession ::p []\n  (s/alt\n    (s/-->> X ::a ::b)\n    (s/-->> Y ::a ::b)))\n",
                                 "generate", "--session p --mode liberal-checked")
                          .output;

  EXPECT_THAT(output, AllOf(HasSubstr(".dcj:3: b RECV X FROM a"), HasSubstr(".dcj:4: b RECV Y FROM a")));
  EXPECT_THAT(output, HasSubstr("using p_tables::roles;"));
}

constexpr const char* duplex =
    "(s/defsession ::p []\n"
    "  (s/par (s/channel ::a ::b 2 (s/* (s/-->> A ::a ::b)))\n"
    "         (s/channel ::b ::a 2 (s/* (s/-->> B ::b ::a)))))\n";

TEST(StatesOfStreams, AreInfinitelyManyUnlessQueuesHaveABound) {
  const std::string stream = "(s/defsession ::p [] (s/* (s/-->> A ::a ::b)))\n";
  const auto [status, output] = harrier_on(stream, "states", "--session p --mode liberal-checked");
  const auto bounded = harrier_on(stream, "states", "--session p --mode liberal-checked --capacity 2");

  EXPECT_EQ(status, 2);
  EXPECT_THAT(output,
              HasSubstr("in mode liberal-checked a queue has no bound, and `a SEND A TO b` may be done again and "
                        "again without waiting for anything, so there are infinitely many states; with "
                        "`--capacity N` a queue has room for N messages"));
  EXPECT_EQ(bounded.status, 0);
  EXPECT_THAT(bounded.output, HasSubstr("p (liberal-checked): 3 states, 4 transitions"));
}

TEST(StatesOfChannels, AreAsManyAsThereIsRoomFor) {
  const auto counted = [](const char* options) {
    return harrier_on(duplex, "states", std::string("--session p --mode liberal-checked ") + options).output;
  };

  EXPECT_THAT(counted(""), HasSubstr("p (liberal-checked): 9 states, 24 transitions"));
  EXPECT_THAT(counted("--capacity 7"), HasSubstr("p (liberal-checked): 9 states, 24 transitions"));
  EXPECT_THAT(counted("--capacity 1"), HasSubstr("p (liberal-checked): 4 states, 8 transitions"));
}

TEST(ModuleWithChannels, HasNoMoreStatesThanThereIsRoomFor) {
  const auto [status, output] = harrier_on(
      duplex, "check", "--session p --mode liberal-checked --property 'G F (\"a SEND\" | \"* RECV\" | \"b SEND\")'");

  EXPECT_EQ(status, 0) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("checked the generated module, mode liberal-checked"),
                            HasSubstr("9 states, 24 transitions")));
}

TEST(Channels, AreRefusedInModeLiberal) {
  for (const std::string command :
       {"generate --session p", "states --session p", "check --session p --property true"}) {
    const auto space = command.find(' ');
    const auto [status, output] =
        harrier_on(duplex, command.substr(0, space), command.substr(space) + " --mode liberal");

    EXPECT_EQ(status, 2) << command;
    EXPECT_THAT(output, HasSubstr(":2:10: error: s/channel: mode liberal, which is for comparison with Prut4j, has no "
                                  "channels: it would lose messages that are sent while others are under way (expected "
                                  "mode strict or liberal-checked)"));
  }
}

TEST(Header, SaysOfAReceiveOfAStrictModuleOnWhichLinesItsMessageMayBeSent) {
  const auto output = harrier_on(
                          "(s/defsession ::p []\n  (s/alt\n    (s/-->> X ::a ::b)\n    (s/-->> Y ::a ::b))\n"
                          "  (s/-->> Z ::a ::b))\n",
                          "generate", "--session p")
                          .output;

  EXPECT_THAT(output, AllOf(HasSubstr(".dcj:3 or 4: b RECV * FROM a"), HasSubstr(".dcj:5: b RECV * FROM a")));
}

TEST(Channel, ThatCannotBeShowsItsLine) {
  const auto [status, output] = harrier_on(
      "(s/defsession ::p []\n"
      "  (s/channel ::a ::b 0\n"
      "    (s/-->> A ::a ::b)))\n",
      "states", "--session p");

  EXPECT_EQ(status, 2);
  EXPECT_THAT(output, HasSubstr(":2:3: error: s/channel: the capacity `0` is not a number from 1 to 1000\n"
                                "      (s/channel ::a ::b 0\n      ^\n"));
}

constexpr const char* plain_duplex =
    "(s/defsession ::p []\n  (s/par (s/* (s/-->> A ::a ::b)) (s/* (s/-->> B ::b ::a))))\n";

TEST(Refusal, OfStreamsInBothDirectionsSaysHowToWriteThemAsChannels) {
  const std::string channels =
      "(s/par (s/channel ::a ::b 4 (s/* (s/-->> A ::a ::b))) (s/channel ::b ::a 4 (s/* (s/-->> B "
      "::b ::a))))";
  const auto refused = harrier_on(plain_duplex, "generate", "--session p --mode liberal-checked");
  const auto instead =
      harrier_on("(s/defsession ::p [] " + channels + ")", "generate", "--session p --mode liberal-checked");

  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(
      refused.output,
      HasSubstr("(expected channels, in which a sender may be as many messages ahead as they say: " + channels + ")"));
  EXPECT_EQ(instead.status, 0) << instead.output;
}

TEST(Refusal, NamesNoChannelsWhereABranchIsNoStream) {
  const auto [status, output] = harrier_on(
      "(s/defsession ::p []\n  (s/par (s/* (s/-->> A ::a ::b)) (s/* [(s/-->> B ::b ::a) (s/-->> C ::a ::b)])))\n",
      "generate", "--session p --mode liberal-checked");

  EXPECT_EQ(status, 2);
  EXPECT_THAT(output, Not(HasSubstr("s/channel")));
}

// c does not know which branch a is in, nor a where c is.
constexpr const char* look_alike =
    "(s/defsession ::p []\n"
    "  (s/alt [(s/-->> A ::a ::b) (s/-->> B ::b ::c) (s/-->> E ::c ::a) (s/-->> R ::a ::c)]\n"
    "         [(s/-->> A ::a ::b) (s/-->> B ::b ::c) (s/-->> F ::c ::a) (s/-->> S ::a ::c)]))\n";

TEST(AViolationOfALiberalModule, SaysWhetherTheDefinitionHasItToo) {
  const auto [status, output] = harrier_on(look_alike, "check",
                                           "--session p --mode liberal --property 'G(\"c SEND E\" -> F \"a SEND R\")' "
                                           "'G !\"c SEND F\"'");

  EXPECT_EQ(status, 1);
  EXPECT_THAT(output, HasSubstr("the definition in that mode, which keeps them together, does not: --on definition"));
  EXPECT_THAT(output, HasSubstr("so does the definition in that mode, which keeps them together"));
}

TEST(AViolationOfALiberalModule, SaysInJsonWhetherTheDefinitionHasItToo) {
  const auto output = harrier_on(look_alike, "check",
                                 "--session p --mode liberal --json - --property 'G(\"c SEND E\" -> F \"a SEND R\")' "
                                 "'G !\"c SEND F\"' true")
                          .output;
  const auto first = output.find("\"definition_holds\": true");
  const auto second = output.find("\"definition_holds\": false");

  EXPECT_LT(first, second);
  EXPECT_LT(second, output.find("\"definition_holds\": null"));
}

// Two states for each of them: it is sent, and it is received.
constexpr const char* long_one =
    "(s/defsession ::p [n]\n"
    "  (s/loop :l [i 0] (s/if (< i n) [(s/-->> T ::a ::b) (s/recur :l (inc i))] (s/-->> U ::a ::b))))\n";

TEST(Check, LooksAtTheDefinitionWhereAStrictModuleIsVeryLarge) {
  const auto [status, output] = harrier_on(long_one, "check", "--session p 100001 --property 'G !\"b SEND *\"'");

  EXPECT_EQ(status, 0);
  EXPECT_THAT(output, HasSubstr(" states are many for a module"));
  EXPECT_THAT(output, HasSubstr("checked the definition, not generated code"));
}

}  // namespace
}  // namespace harrier::protocol
