// Runs of protocols, saved and replayed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>
#include <utility>

#include "run.hpp"

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr auto turns =
    "(s/defrole ::a) (s/defrole ::b)"
    " (s/defsession ::p [] (s/* (s/cat (-->> T ::a ::b) (-->> T ::b ::a))))";
constexpr auto open_end =
    "(s/defrole ::a) (s/defrole ::b) (s/defrole ::c)"
    " (s/defsession ::p [] (s/alt (s/cat (-->> T ::a ::b) (-->> T ::b ::c)) (-->> U ::a ::b)))";

class ProtocolTrace : public testing::Test {
protected:
  std::string spec(const std::string& text) const {
    std::ofstream(here_ / "p.dcj") << text;
    return here_ / "p.dcj";
  }
  std::string trace() const { return here_ / "trace.json"; }
  e2e::outcome check(const std::string& file, const std::vector<std::string>& more) const {
    std::vector<std::string> line{"protocol", "check", file, "--session", "p", "--save-trace", trace()};
    line.insert(line.end(), more.begin(), more.end());
    return e2e::programs(line);
  }

  e2e::folder here_;
};

TEST_F(ProtocolTrace, OfALassoIsReplayedOnTheModule) {
  const auto found = check(spec(turns), {"--property", "F G \"a SEND\""});
  EXPECT_EQ(found.status, 1);
  EXPECT_THAT(found.err, HasSubstr(e2e::programs_binary() + " replay " + trace()));
  const auto replayed = e2e::programs({"replay", trace()});

  EXPECT_EQ(replayed.status, 1) << replayed.err;
  EXPECT_THAT(replayed.out, AllOf(StartsWith("Found again ltl: F G \"a SEND\"\n"), HasSubstr("  again and again:\n"),
                                  HasSubstr("b RECV T FROM a\n")));
}

TEST_F(ProtocolTrace, IsShownStepByStep) {
  static_cast<void>(check(spec(turns), {"--property", "F G \"a SEND\""}));
  const auto replayed = e2e::programs({"replay", "--step", trace()});

  EXPECT_EQ(replayed.status, 1) << replayed.err;
  EXPECT_LT(replayed.out.find("1. a SEND T TO b"), replayed.out.find("Found again"));
}

TEST_F(ProtocolTrace, OfARunThatEndsIsReplayedInEveryReadingOfEnds) {
  for (const auto* ends : {"stutter", "finite"}) {
    EXPECT_EQ(check(spec(open_end), {"--ends", ends, "--property", "F \"c RECV\"", "--mode", "liberal-checked"}).status,
              1);
    EXPECT_EQ(e2e::programs({"replay", trace()}).status, 1) << ends;
    EXPECT_EQ(check(spec(open_end), {"--ends", ends, "--property", "!\"a SEND U\""}).status, 1);
    EXPECT_EQ(e2e::programs({"replay", trace()}).status, 1) << ends;
  }
}

TEST_F(ProtocolTrace, StopsWhereAChangedProtocolDiffers) {
  static_cast<void>(check(spec(turns), {"--property", "F G \"a SEND\""}));
  static_cast<void>(spec("(s/defrole ::a) (s/defrole ::b) (s/defsession ::p [] (-->> T ::a ::b))"));
  const auto replayed = e2e::programs({"replay", trace()});

  EXPECT_EQ(replayed.status, 2);
  EXPECT_THAT(replayed.out, AllOf(HasSubstr("at step 3 of"), HasSubstr("Possible: nothing")));
  EXPECT_THAT(replayed.err, HasSubstr("the protocol has changed"));
}

TEST_F(ProtocolTrace, WhoseCycleDoesNotComeBackIsNotFoundAgain) {
  static_cast<void>(check(spec(turns), {"--property", "F G \"a SEND\""}));
  static_cast<void>(
      spec("(s/defrole ::a) (s/defrole ::b)"
           " (s/defsession ::p [] (s/cat (-->> T ::a ::b) (-->> T ::b ::a) (-->> T ::a ::b) (-->> T ::b ::a)))"));
  const auto replayed = e2e::programs({"replay", trace()});

  EXPECT_EQ(replayed.status, 0);
  EXPECT_THAT(replayed.out, HasSubstr("the cycle does not return"));
}

TEST_F(ProtocolTrace, IsRefusedIfItsParametersMakeNoSense) {
  static_cast<void>(check(spec(turns), {"--property", "F G \"a SEND\""}));
  auto text = e2e::content_of(trace());
  const std::string mode = "\"mode\":\"strict\"";
  ASSERT_NE(text.find(mode), std::string::npos);
  std::ofstream(trace()) << text.replace(text.find(mode), mode.size(), "\"mode\":\"lax\"");
  const auto replayed = e2e::programs({"replay", trace()});

  EXPECT_EQ(replayed.status, 2);
  EXPECT_THAT(replayed.err, HasSubstr("its parameters do not fit together"));
}

TEST(Protocol, SuggestsTheCommandThatWasMeant) {
  const auto result = e2e::programs({"protocol", "chek", "ring.dcj"});

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("there is no command 'protocol chek'; did you mean 'check'?"));
}

TEST_F(ProtocolTrace, IsNotWrittenWhereNothingIsViolated) {
  EXPECT_EQ(check(spec(turns), {"--property", "true"}).status, 0);
  EXPECT_EQ(e2e::programs({"replay", trace()}).status, 2);
}

TEST_F(ProtocolTrace, OfADeadlockIsFoundByExploring) {
  const auto file = spec(open_end);
  const auto found = e2e::programs(
      {"protocol", "explore", file, "--session", "p", "--mode", "liberal-checked", "--save-trace", trace()});
  EXPECT_EQ(found.status, 1);
  EXPECT_THAT(found.out, HasSubstr("2. b RECV U FROM a\n    the end\n"));
  const auto replayed = e2e::programs({"replay", trace()});

  EXPECT_EQ(replayed.status, 1) << replayed.err;
  EXPECT_THAT(replayed.out, StartsWith("Found again deadlock"));
  EXPECT_EQ(e2e::programs({"protocol", "explore", file, "--session", "p"}).status, 0)
      << "a strict session may end there";
}

TEST_F(ProtocolTrace, OfARunThatGoesOnIsNotFoundAgain) {
  const auto file = spec(open_end);
  static_cast<void>(e2e::programs(
      {"protocol", "explore", file, "--session", "p", "--mode", "liberal-checked", "--save-trace", trace()}));
  static_cast<void>(
      spec("(s/defrole ::a) (s/defrole ::b) (s/defrole ::c)"
           " (s/defsession ::p [] (s/cat (-->> U ::a ::b) (-->> T ::b ::c)))"));
  const auto replayed = e2e::programs({"replay", trace()});

  EXPECT_EQ(replayed.status, 0);
  EXPECT_THAT(replayed.out, HasSubstr("the run continues: b SEND T TO c"));
}

TEST_F(ProtocolTrace, StatesOfASessionThatIsTooLargeAreThoseBuiltByThen) {
  const auto file = spec(
      "(s/defrole ::a) (s/defrole ::b)"
      " (s/defsession ::p [n] (s/cat (-->> Long ::a ::b) (::p (inc n))))");
  const auto states = [&](const std::vector<std::string>& limit) {
    std::vector<std::string> line{"protocol", "states", file, "--session", "p", "0", "--max-states", "1000000000"};
    line.insert(line.end(), limit.begin(), limit.end());
    return e2e::programs(line);
  };

  for (const auto* limit : {"--time-limit", "--max-memory"}) {
    const auto stopped = states({limit, limit == std::string("--time-limit") ? "0.2" : "300"});
    EXPECT_EQ(stopped.status, 3) << limit << stopped.err;
    EXPECT_THAT(stopped.out, HasSubstr("at least ")) << limit;
    EXPECT_THAT(stopped.err, HasSubstr(std::string(limit) + " allows more")) << limit;
  }
}

/// Ends what does not end by itself, once it has states.
e2e::outcome interrupted(std::vector<std::string> line, int signal) {
  return e2e::programs(std::move(line), {.meanwhile = [signal](pid_t running) {
                         std::this_thread::sleep_for(std::chrono::milliseconds(700));
                         kill(running, signal);
                       }});
}

TEST_F(ProtocolTrace, AnInterruptLeavesTheStatesBuiltByThen) {
  const auto file = spec(
      "(s/defrole ::a) (s/defrole ::b)"
      " (s/defsession ::p [n] (s/cat (-->> Long ::a ::b) (::p (inc n))))");
  const auto line = [&](const std::string& what) {
    return std::vector<std::string>{"protocol", what, file, "--session", "p", "0", "--max-states", "1000000000"};
  };
  const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const auto checking = with(line("check"), {"--property", R"(G !"b SEND")"});
  for (const auto& [words, signal] :
       {std::pair(line("states"), SIGTERM), std::pair(checking, SIGTERM), std::pair(checking, SIGINT),
        std::pair(with(checking, {"--on", "definition"}), SIGTERM)}) {
    const auto stopped = interrupted(words, signal);
    EXPECT_EQ(stopped.status, 3) << words[1] << stopped.err;
    EXPECT_THAT(stopped.out, HasSubstr("at least ")) << words[1];
    EXPECT_THAT(stopped.err, HasSubstr("not complete when an interrupt came")) << words[1];
  }
}

TEST_F(ProtocolTrace, AnInterruptEndsExploringWithWhatWasRun) {
  const auto file = spec(
      "(s/defrole ::a) (s/defrole ::b) (s/defrole ::c)"
      " (s/defsession ::p [] (s/par (::q) (::r))) (s/defsession ::q [] (s/cat (-->> Long ::a ::b) (::q)))"
      " (s/defsession ::r [] (s/cat (-->> Long ::b ::c) (::r)))");
  const auto stopped =
      interrupted({"protocol", "explore", file, "--session", "p", "--on", "definition", "--max-depth", "60"}, SIGTERM);

  EXPECT_EQ(stopped.status, 3) << stopped.err;
  EXPECT_THAT(stopped.out, HasSubstr("not all of it: an interrupt"));
}

}  // namespace
