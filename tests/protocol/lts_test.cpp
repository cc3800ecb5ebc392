#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <harrier/protocol/strict.hpp>

#include "support.hpp"

namespace harrier::protocol {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::vector<std::string> steps(const explored_session& s, state_id state = 0) {
  std::vector<std::string> result;
  for (const auto& t : s.graph.steps[state]) {
    result.push_back(s.terms->names().describe(s.terms->names().actions()[t.action]));
  }
  return result;
}

graph_counts counts(const std::string& body) { return count(session(session_p(body), "p").graph); }

graph_counts sized(std::size_t states, std::size_t transitions, std::size_t nondeterministic, std::size_t dead) {
  return {states, transitions, nondeterministic, dead};
}

TEST(Lts, OfAMessageSendsThenReceives) { EXPECT_EQ(counts("(-->> T ::a ::b)"), sized(3, 2, 0, 1)); }

TEST(Lts, OfAHandshakeHasOneStep) { EXPECT_EQ(counts("(--> T ::a ::b)"), sized(2, 1, 0, 1)); }

TEST(Lts, OfAStarReturnsToACopyOfItself) {
  const auto star = session(session_p("(s/* (-->> T ::a ::b))"), "p");

  EXPECT_EQ(count(star.graph), sized(3, 3, 0, 0));
  EXPECT_EQ(minimise(star.graph).states(), 2U);
  EXPECT_EQ(star.terminated_states(), 2U);
}

TEST(Lts, InterleavesTheBranchesOfPar) {
  EXPECT_EQ(counts("(s/par (-->> T ::a ::b) (-->> T ::c ::d))"), sized(9, 12, 0, 1));
}

// What is left of a par is the same term whether it was written so or came about by steps.
TEST(Lts, OfAParThatIsRepeatedComesBackToIt) {
  EXPECT_EQ(counts("(s/loop :l [] (s/cat (s/par (-->> T ::a ::b) (-->> T ::c ::d)) (s/recur :l)))"),
            sized(9, 14, 0, 0));
  EXPECT_EQ(counts("(s/par (-->> T ::a ::b) (s/cat (-->> T ::c ::d) (s/par (-->> U ::c ::d) (-->> U ::d ::c))))"),
            sized(33, 64, 0, 1));
}

TEST(Lts, KnowsNamesAndWarningsWhenItsStatesAreForgotten) {
  const auto once = session(session_p("(-->> T ::a ::b)"), "p");
  once.terms->forget_states();

  EXPECT_EQ(once.terms->found(), 3U);
  EXPECT_THAT(steps(once), ElementsAre("a SEND T TO b"));
}

TEST(Lts, SaysWhereEachStepIsWritten) {
  const auto two =
      session("(s/defrole ::a)\n(s/defrole ::b)\n(s/defsession ::p []\n (-->> T ::a ::b)\n (-->> U ::b ::a))", "p");

  EXPECT_EQ(two.place(0, 0).line, 4U);
  EXPECT_EQ(two.place(2, 0).line, 5U);
}

// Though they are the same term, and states that differ in that alone are one.
TEST(Lts, SaysWhereEachOfTwoEqualMessagesIsWritten) {
  const auto twice =
      session("(s/defrole ::a)\n(s/defrole ::b)\n(s/defsession ::p []\n (-->> T ::a ::b)\n (-->> T ::a ::b))", "p");
  EXPECT_EQ(twice.place(0, 0).line, 4U);
  EXPECT_EQ(twice.place(2, 0).line, 5U);

  const auto either = session(
      session_p("(s/alt (s/cat (-->> T ::a ::b)\n (-->> U ::a ::b)) (s/cat (-->> V ::a ::b)\n (-->> U ::a ::b)))"),
      "p");
  EXPECT_EQ(count(either.graph), sized(5, 5, 0, 1));
}

TEST(Lts, SaysWhichOfTwoSessionsSendsTheSame) {
  const auto s = session(
      "(s/defrole ::a) (s/defrole ::w)\n(s/defsession ::r [x] (-->> T ::a (::w x)))\n"
      "(s/defsession ::q [x] (-->> T ::a (::w x)))\n(s/defsession ::p [] (::r 3) (::q 1) (::r 1))",
      "p");

  EXPECT_EQ(s.place(0, 0).line, 2U);
  EXPECT_EQ(s.place(2, 0).line, 3U);
  EXPECT_EQ(s.place(4, 0).line, 2U);
  EXPECT_EQ(s.place(5, 0).line, 2U) << "though this was received first by what the other one says";
}

TEST(Graph, KeepsItsNumbersWhenItIsMadeDeterministicAndWasSoBefore) {
  for (const auto* name : {"cg", "is", "ft", "mg"}) {
    const auto s = session(contents(own(name)), name, {3});
    std::vector<std::vector<state_id>> members;
    const auto same = determinise(s.graph, members);

    EXPECT_TRUE(std::ranges::equal(same.steps.all(), s.graph.steps.all())) << name;
    EXPECT_EQ(same.states(), s.graph.states()) << name;
  }
}

TEST(Lts, CollectsTheTargetsOfEqualActions) {
  EXPECT_EQ(counts("(s/alt (s/cat (-->> T ::a ::b) (-->> T ::b ::c)) (s/cat (-->> T ::a ::b) (-->> T ::b ::d)))")
                .nondeterministic,
            1U);
}

TEST(Lts, OfCatEveryOverNothingIsSkip) {
  const auto nothing = session(session_p("(s/cat-every [i (range 0)] (-->> T ::a (::w i)))"), "p");

  EXPECT_EQ(count(nothing.graph), sized(1, 0, 0, 1));
  EXPECT_EQ(nothing.terminated_states(), 1U);
}

TEST(Lts, OfAltEveryOverNothingIsADeadlockAndWarns) {
  const auto nothing = session(session_p("(s/alt-every [i (range 0)] (-->> T ::a (::w i)))"), "p");

  EXPECT_EQ(count(nothing.graph), sized(1, 0, 0, 1));
  EXPECT_EQ(nothing.terminated_states(), 0U);
  EXPECT_THAT(review(nothing), ElementsAre(Field(&diagnostic::message, HasSubstr("over nothing"))));
}

TEST(Lts, BindsEveryTupleOfTheCrossProduct) {
  EXPECT_THAT(
      steps(session(session_p("(s/alt-every [i (range 2) j (remove #{i} (range 3))] (-->> T (::w i) (::w j)))"), "p")),
      UnorderedElementsAre("w_0_ SEND T TO w_1_", "w_0_ SEND T TO w_2_", "w_1_ SEND T TO w_0_", "w_1_ SEND T TO w_2_"));
}

TEST(Lts, GivesNilToALoopWhoseRecurSaysNothing) {
  EXPECT_EQ(counts("(s/loop :l [x 2] (-->> T ::a ::b) (s/? (s/recur :l)))"), sized(3, 3, 0, 0));
}

TEST(Lts, PassesTheValuesOfARecur) {
  EXPECT_THAT(counts("(s/loop :l [x 0] (-->> T ::a (::w x)) (s/if (< x 3) (s/recur :l (inc x))))"), sized(9, 8, 0, 1));
}

TEST(Lts, TellsTermsApartByTheirValuesWhateverTheseAre) {
  const auto left = [](const std::string& values) {
    return count(session(with_roles("(s/defsession ::q [x] (-->> T ::a ::b))"
                                    "(s/defsession ::p [] (s/alt-every [x " +
                                    values + "] (-->> U ::a ::b) (::q x)))"),
                         "p")
                     .graph)
        .states;
  };

  EXPECT_EQ(left("[7 7]"), 5U);
  EXPECT_EQ(left("[7 (+ 3 4)]"), 5U) << "values, not expressions";
  EXPECT_EQ(left("[7 -7]"), 7U);
  EXPECT_EQ(left("[1 1.0]"), 7U);
  EXPECT_EQ(left("[5000000000 5000000001]"), 7U);
  EXPECT_EQ(left("[\"x\" \"y\"]"), 7U);
  EXPECT_EQ(left("[#{1 2} #{2 1} [1 2]]"), 7U);
  EXPECT_EQ(left("[#{} nil true]"), 9U);
}

// Its body has a value, and what it begins with is written in two ways.
TEST(Lts, OfALoopThatComesBackToItselfOffersNothingThere) {
  EXPECT_EQ(counts("(s/loop :l [x 0] (s/alt (-->> T ::a (::w 3)) (s/recur :l (+ 0 0))))"), sized(3, 2, 0, 1));
}

TEST(Lts, WritesATermWithItsValues) {
  lts terms(parsed(with_roles("(s/defsession ::p [x] (-->> T ::a (::w 3)) (::p (+ x 5000000000)))")), "p", {value(7)});
  const auto first = terms.steps(0)[0].target;

  EXPECT_THAT(terms.describe(first), HasSubstr("(::p (+ 7 5000000000))"));
  EXPECT_THAT(terms.describe(first), HasSubstr("(receive ::a (::w 3))"));
}

TEST(Lts, EntersTheInnermostLoopOfALabel) {
  EXPECT_EQ(counts("(s/loop :l [] (-->> T ::a ::b) (s/loop :l [] (-->> U ::a ::b) (s/recur :l)))"), sized(3, 3, 0, 0));
}

TEST(Lts, UnfoldsMutuallyRecursiveSessions) {
  const auto turns =
      with_roles("(s/defsession ::p [] (-->> T ::a ::b) (::q)) (s/defsession ::q [] (-->> T ::b ::a) (::p))");

  EXPECT_EQ(count(session(turns, "p").graph), sized(5, 5, 0, 0));
}

TEST(Lts, OfACallThatComesBackToItselfOffersNothingThereAndWarns) {
  const auto endless = session(session_p("(s/alt (::p) (-->> T ::a ::b))"), "p");

  EXPECT_EQ(count(endless.graph), sized(3, 2, 0, 1));
  EXPECT_THAT(endless.terms->warnings(), ElementsAre(Field(&diagnostic::message, HasSubstr("without an action"))));
}

TEST(Lts, ReportsAnUnfoldingWithoutEnd) {
  EXPECT_THROW(session(with_roles("(s/defsession ::p [x] (::p (inc x)))"), "p", {0}), definition_error);
}

TEST(Lts, ReportsARecursionThatNestsWithoutEnd) {
  EXPECT_THROW(session(session_p("(s/cat (-->> T ::a ::b) (::p) (-->> U ::b ::a))"), "p"), definition_error);
}

TEST(Lts, StopsAtTheStateLimit) {
  const auto many =
      session(with_roles("(s/defsession ::p [x] (s/cat (-->> T ::a ::b) (::p (inc x))))"), "p", {0}, 1000);

  EXPECT_FALSE(many.graph.complete());
  EXPECT_LE(many.graph.states(), 1010U);
}

TEST(Lts, ReportsMoreBranchesThanAnybodyWants) {
  EXPECT_THROW(session(session_p("(s/cat-every [i (range 200) j (range 200)] (-->> T (::w i) (::w j)))"), "p"),
               definition_error);
}

TEST(Lts, ReportsARoleWhoseIndexIsNoNumber) {
  EXPECT_THROW(session(session_p("(-->> T ::a (::w \"x\"))"), "p"), definition_error);
}

// Though they are alike but for their values.
TEST(Lts, SaysOnWhichOfTwoLinesAValueIsWrong) {
  const auto message = [](const std::string& lines) {
    try {
      static_cast<void>(session(session_p(lines), "p"));
    } catch (const definition_error& e) {
      return std::string(e.what());
    }
    return std::string("nothing is wrong");
  };

  EXPECT_THAT(message("\n(-->> T ::a (::w 1))\n(-->> T ::a (::w \"x\"))"), HasSubstr("test.dcj:3:"));
  EXPECT_THAT(message("\n(-->> T ::a (::w (/ 4 2)))\n(-->> T ::a (::w (/ 4 0)))"), HasSubstr("test.dcj:3:"));
}

TEST(Lts, ReportsASessionThatIsNotThere) { EXPECT_THROW(session(session_p("(s/end)"), "q"), definition_error); }

TEST(Lts, StaysUsableAfterAnError) {
  lts terms(parsed(session_p("(s/alt-every [i 5] (-->> T ::a ::b))")), "p", {});

  EXPECT_THROW(static_cast<void>(terms.steps(0)), definition_error);
  EXPECT_THROW(static_cast<void>(terms.steps(0)), definition_error);
}

TEST(Review, NamesChoicesThatNoRoleCanKnow) {
  EXPECT_THAT(review(session(session_p("(s/alt (-->> T ::a ::b) (-->> T ::b ::a))"), "p")),
              ElementsAre(Field(&diagnostic::construct, "choice")));
}

TEST(Review, AcceptsChoicesOfOneRoleAndInterleaving) {
  EXPECT_THAT(review(session(session_p("(s/alt (-->> T ::a ::b) (-->> T ::a ::c))"), "p")), IsEmpty());
  EXPECT_THAT(review(session(session_p("(s/par (-->> T ::a ::b) (-->> T ::c ::d))"), "p")), IsEmpty());
}

TEST(Review, NamesNondeterminism) {
  EXPECT_THAT(review(session(session_p("(s/alt (s/cat (-->> T ::a ::b) (-->> T ::b ::c)) (-->> T ::a ::b))"), "p")),
              ElementsAre(Field(&diagnostic::construct, "nondeterminism")));
}

TEST(Dot, WritesEachStateAndStepOnce) {
  const auto s = session(session_p("(-->> T ::a ::b)"), "p");

  EXPECT_EQ(to_dot(s.graph, s.terms->names(), "p"),
            "digraph \"p\" {\n  node [shape=ellipse];\n  0 [label=\"0\", style=bold];\n  1 [label=\"1\"];\n  2 "
            "[label=\"2\"];\n"
            "  0 -> 1 [label=\"a SEND T TO b\"];\n  1 -> 2 [label=\"b RECV * FROM a\"];\n}\n");
}

TEST(PublishedDefinitions, HaveTheirSizes) {
  if (!is_published()) GTEST_SKIP() << skip_reason;
  for (const auto& row : table(published() / "sizes.tsv")) {
    const auto& name = row.at("definition");
    SCOPED_TRACE(name + " " + row.at("n"));
    const auto spec = parse(contents(published() / "definitions" / (name + ".dcj")), name).value;
    const auto s = explore_session(spec, name, numbers(published_arguments(name, std::stoi(row.at("n")))));
    const auto column = [&](const char* which) { return static_cast<std::size_t>(std::stoul(row.at(which))); };
    const auto quotient = minimise(s.graph);

    EXPECT_EQ(count(s.graph),
              sized(column("lts_states"), column("lts_trans"), column("nondet_states"), column("dead_states")));
    EXPECT_EQ(s.terminated_states(), column("final_states"));
    EXPECT_EQ(quotient.states(), column("bisim_states"));
    EXPECT_EQ(quotient.transitions(), column("bisim_trans"));
  }
}

TEST(Channel, AllowsAsManyMessagesUnderWayAsItSays) {
  const auto one = session(session_p("(s/channel ::a ::b 1 (s/* (-->> T ::a ::b)))"), "p");
  const auto three = session(session_p("(s/channel ::a ::b 3 (s/* (-->> T ::a ::b)))"), "p");

  EXPECT_EQ(minimise(one.graph).states(), 2U);
  EXPECT_EQ(minimise(three.graph).states(), 4U);
  EXPECT_EQ(minimise(three.graph).transitions(), 6U);
}

TEST(Channel, KeepsTheOrderOfItsMessages) {
  const auto s = session(session_p("(s/channel ::a ::b 2 (-->> T ::a ::b) (-->> U ::a ::b) (-->> T ::a ::b))"), "p");
  strict_space space(*s.terms);
  const auto graph = explore(space);
  std::set<std::string> last;
  for (const auto action : shortest_path(graph, static_cast<state_id>(graph.states() - 1))) {
    last.insert(space.names().describe(space.names().actions()[action]));
  }

  EXPECT_EQ(count(graph).dead, 1U);
  EXPECT_TRUE(last.contains("b RECV U FROM a"));
  EXPECT_EQ(s.terminated_states(), 1U);
}

TEST(Channel, IsInBothDirectionsTheProductOfBoth) {
  const auto s = session(session_p("(s/par (s/channel ::a ::b 3 (s/* (-->> T ::a ::b)))"
                                   "       (s/channel ::b ::a 2 (s/* (-->> T ::b ::a))))"),
                         "p");

  EXPECT_EQ(minimise(s.graph).states(), 12U);
}

TEST(Channel, TakesItsRolesAndCapacityFromArguments) {
  const auto text = with_roles(
      "(s/defsession ::p [n] (s/par-every [i (range n)] (s/channel (::w i) (::w (inc i)) (* 2 n)"
      " (s/* (-->> T (::w i) (::w (inc i)))))))");

  EXPECT_EQ(minimise(session(text, "p", {1}).graph).states(), 3U);
}

class BadChannel : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(BadChannel, IsAnError) {
  std::string message;
  try {
    static_cast<void>(session(session_p(GetParam().first), "p"));
  } catch (const definition_error& e) {
    message = e.what();
  }

  EXPECT_THAT(message, HasSubstr(GetParam().second));
}

INSTANTIATE_TEST_SUITE_P(
    Channel, BadChannel,
    testing::Values(std::pair("(s/channel ::a ::b 0 (-->> T ::a ::b))", "the capacity `0` is not a number from 1"),
                    std::pair("(s/channel ::a ::b \"2\" (-->> T ::a ::b))", "is not a number from 1"),
                    std::pair("(s/channel ::a ::a 1 (-->> T ::a ::a))", "is from a role to itself"),
                    std::pair("(s/channel ::a ::b 2 (-->> T ::a ::b) (-->> T ::b ::a))", "`b SEND T TO a`"),
                    std::pair("(s/channel ::a ::b 2 (s/close ::a ::b))", "are only messages (-->>)"),
                    std::pair("(s/channel ::a ::b 2 (--> T ::a ::b))", "are only messages (-->>)"),
                    std::pair("(s/channel ::a ::b 2 (s/channel ::a ::b 1 (-->> T ::a ::b)))", "one after the other"),
                    std::pair("(s/channel ::a ::b 2 (s/par (-->> T ::a ::b) (-->> T ::a ::b)))",
                              "one after the other")));

}  // namespace
}  // namespace harrier::protocol
