// Temporal properties and protocols on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "run.hpp"

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> operator+(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string written(const std::string& file, const std::string& text) {
  std::ofstream(file) << text;
  return file;
}

/// The reader of failing-check adds and then asks; the counter may take the two in either order.
const std::vector<std::string> all_orders = {"explore", "failing-check", "--engine", "exhaustive", "--keep-going"};

constexpr auto adds_first = R"((s/defrole ::counter) (s/defrole ::reader)
(s/defsession ::adding [] (s/-->> Add ::reader ::counter) (s/-->> Read ::reader ::counter) (s/-->> Reply ::counter ::reader)))";

const std::vector<std::string> cast_of_adding = {"--session",       "adding", "--role",
                                                 "reader_1=reader", "--role", "counter=counter"};

nlohmann::json finding_of_kind(const e2e::outcome& result, const std::string& kind) {
  const auto json = nlohmann::json::parse(result.out);
  for (const auto& f : json["findings"])
    if (f["kind"] == kind) return f;
  return nullptr;
}

TEST(Judging, FindsAViolatedPropertyWithItsSchedule) {
  const auto result = e2e::programs(
      all_orders +
      std::vector<std::string>{"--property", R"(G("counter RECV read" -> G !"counter RECV add"))", "--json", "-"});
  const auto f = finding_of_kind(result, "ltl");

  EXPECT_EQ(result.status, 1) << result.err;
  ASSERT_FALSE(f.is_null());
  EXPECT_EQ(f["message"], R"(G("counter RECV read" -> G !"counter RECV add") is violated)");
  EXPECT_EQ(f["schedule"].back()["message"], "add(1)");
}

TEST(Judging, SaysThatAPropertyHoldsInEveryExecution) {
  const auto result = e2e::programs({"explore", "ping-pong", "rounds=3", "--engine", "exhaustive", "--property",
                                     R"(G("player SEND ball" -> X F "player RECV ball"))"});

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("holds in every execution (ends: finite)"));
}

TEST(Judging, SaysWhyAReductionMayBeUsed) {
  const auto result =
      e2e::programs({"explore", "ping-pong", "rounds=3", "--property", R"(G("player_0 RECV" -> F "player_0 SEND"))"});

  EXPECT_EQ(result.status, 1);  // the last ball is not sent back
  const auto holds = e2e::programs({"explore", "ping-pong", "rounds=4", "--property", R"(F "player_1 RECV ball")"});
  EXPECT_EQ(holds.status, 0) << holds.err;
  EXPECT_THAT(holds.out, AllOf(HasSubstr("holds in every execution"), HasSubstr("one execution of each class")));
}

TEST(Judging, ProvesNothingAboutWhatWasCut) {
  const auto result = e2e::programs({"explore", "ping-pong", "rounds=-1", "--max-depth", "100", "--property",
                                     R"(G("player_0 RECV" -> F "player_0 SEND"))"});

  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.out, HasSubstr("undecided in 1 execution cut"));
}

class SavedTrace : public testing::Test {
protected:
  /// Explores with `judged_by`, which does not hold, and replays what was saved.
  e2e::outcome replayed(const std::vector<std::string>& judged_by, const std::vector<std::string>& how = {}) {
    const auto trace = here_ / "trace.json";
    const auto explored = e2e::programs(judged_by + std::vector<std::string>{"--save-trace", trace});
    EXPECT_EQ(explored.status, 1) << explored.out << explored.err;
    for (const auto& f : here_.files())
      if (f.ends_with(".dcj")) std::filesystem::remove(here_ / f);
    return e2e::programs(std::vector<std::string>{"replay", trace} + how);
  }
  e2e::folder here_;
};

TEST_F(SavedTrace, OfAViolatedPropertyFindsItAgain) {
  const std::vector<std::string> early = {"explore", "undelivered", "--property", R"(G !"leaver_0 RECV leave")"};
  const std::vector<std::string> late = {"explore",    "undelivered", "--engine",
                                         "exhaustive", "--property",  R"(G("* SEND note" -> F "leaver RECV note"))",
                                         "--ends",     "stutter"};

  for (const auto& words : {early, late}) {
    const auto result = replayed(words);
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_THAT(result.out, HasSubstr("Found again ltl"));
    EXPECT_EQ(replayed(words, {"--in-process"}).status, 1);
  }
}

TEST_F(SavedTrace, OfAPropertyThatIsNotViolatedFindsNothing) {
  const auto trace = here_ / "trace.json";
  e2e::programs({"explore", "undelivered", "--property", R"(G !"leaver_0 RECV leave")", "--save-trace", trace});
  auto json = nlohmann::json::parse(e2e::content_of(trace));
  json["judgement"]["properties"][0] = R"(F "leaver_0 RECV leave")";
  written(trace, json.dump());
  const auto result = e2e::programs({"replay", trace});

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("did not occur again: nothing is violated"));
}

TEST_F(SavedTrace, OfALeftProtocolFindsItAgainWithoutTheDefinition) {
  const auto file = written(here_ / "adding.dcj", adds_first);
  const auto result = replayed({"explore", "failing-check", "--engine", "exhaustive", "--conforms-to", file,
                                "--session", "adding", "--role", "reader=reader", "--role", "counter=counter"});

  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("Found again conformance: reader_1 SEND read TO counter_0 leaves session adding"),
                    HasSubstr("FAILED conformance")));
}

TEST(Judging, ReadsAPropertyFromAFile) {
  const e2e::folder here;
  const auto file = written(here / "added.ltl", "F\n\"counter RECV\n add\"\n");

  EXPECT_THAT(e2e::programs(all_orders + std::vector<std::string>{"--property", file}).out,
              HasSubstr(R"(property F "counter RECV add" holds in)"));
}

TEST(Judging, AcceptsAProgramThatFollowsItsProtocol) {
  const e2e::folder here;
  const auto file = written(here / "adding.dcj", R"((s/defrole ::counter) (s/defrole ::reader)
(s/defsession ::adding []
  (s/par (s/-->> Plus ::reader ::counter) [(s/-->> Read ::reader ::counter) (s/-->> Reply ::counter ::reader)])))");
  const auto result = e2e::programs(all_orders + std::vector<std::string>{"--conforms-to", file} + cast_of_adding +
                                    std::vector<std::string>{"--message", "add=Plus"});

  EXPECT_EQ(result.status, 1);  // the check in the program still fails
  EXPECT_THAT(result.out,
              AllOf(Not(HasSubstr("conformance:")), HasSubstr("every execution is a run of session adding")));
}

struct mistake {
  std::vector<std::string> words;
  std::string complaint;
};
void PrintTo(const mistake& m, std::ostream* out) { *out << m.complaint; }

class AMistake : public testing::TestWithParam<mistake> {};

TEST_P(AMistake, IsOneLineAndStatusTwo) {
  const e2e::folder here;
  written(here / "adding.dcj", adds_first);
  written(here / "broken.dcj", "(s/defsession ::adding [] (s/-->> ))\n(what)");
  auto words = std::vector<std::string>{"explore", "failing-check"} + GetParam().words;
  for (auto& word : words)
    if (word.ends_with(".dcj")) word = here / word;
  const auto result = e2e::programs(words);

  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_THAT(result.err, AllOf(HasSubstr("harrier: "), HasSubstr(GetParam().complaint)));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, AMistake,
    testing::Values(mistake{{"--property", "G ("}, "property G (: at 1:4"},
                    mistake{{"--property", "F a"}, "no proposition"},
                    mistake{{"--property", "missing.ltl"}, "cannot read missing.ltl"},
                    mistake{{"--property", "true", "--ends", "finit"}, "did you mean 'finite'?"},
                    mistake{{"--property", R"(F "reader_1 SEND" & F "counter_0 SEND")", "--engine", "optimal"},
                            "is about two actors, reader_1 and counter_0; engine exhaustive runs all"},
                    mistake{{"--conforms-to", "none.dcj"}, "cannot read"},
                    mistake{std::vector<std::string>{"--conforms-to", "broken.dcj"} + cast_of_adding, "broken.dcj:1:"},
                    mistake{{"--conforms-to", "adding.dcj"}, "needs --session"},
                    mistake{{"--conforms-to", "adding.dcj", "--session", "subtracting"},
                            "there is no session subtracting"},
                    mistake{{"--conforms-to", "adding.dcj", "--session", "adding"}, "nobody plays role"},
                    mistake{std::vector<std::string>{"--conforms-to", "adding.dcj"} + cast_of_adding +
                                std::vector<std::string>{"--role", "reader_1"},
                            "--role reader_1: ACTOR=ROLE is expected"},
                    mistake{std::vector<std::string>{"--conforms-to", "adding.dcj"} + cast_of_adding +
                                std::vector<std::string>{"--engine", "source"},
                            "conformance to session adding depends on the order of several actors' actions; engine "
                            "exhaustive runs all"},
                    mistake{{"--session", "adding"}, "--conforms-to SPEC.dcj is missing"}));

}  // namespace
