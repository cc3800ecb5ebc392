#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace harrier::protocol {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<diagnostic> diagnostics(const std::string& text) { return parse(text, "t.dcj").diagnostics; }

auto at(std::uint32_t line, std::uint32_t column) { return Field(&diagnostic::at, source_position{line, column}); }
auto saying(const std::string& part) { return Field(&diagnostic::message, HasSubstr(part)); }
auto about(const std::string& what) { return Field(&diagnostic::construct, what); }

TEST(Parser, AcceptsOperatorsWithAndWithoutTheirPrefix) {
  EXPECT_THAT(diagnostics(session_p("(s/cat (s/-->> T ::a ::b) (-->> ::b ::a) (s/close ::a ::b))")), IsEmpty());
}

TEST(Parser, AcceptsEveryConstruct) {
  EXPECT_THAT(diagnostics(session_p(R"(
    (s/cat (s/--> T ::a ::b) (s/do (-->> T ::a ::b)) [(-->> T ::a ::b) (-->> T ::b ::a)])
    (s/alt (-->> T ::a ::b) (s/par (-->> T ::a ::c) (-->> T ::b ::d)))
    (s/cat-every [i (range 3) j #{i}] (-->> T (::w i) (::w (inc j))))
    (s/alt-every [i [1 2]] (-->> T ::a (::w i)))
    (s/par-every [i (list 1 2)] (-->> T ::a (::w i)))
    (s/if (= 1 2) (-->> T ::a ::b))
    (s/let [x 1 y (+ x 1)] (-->> T (::w x) (::w y)))
    (s/loop :l [x 0] (-->> T ::a (::w x)) (s/? (s/recur :l (inc x))))
    (s/* (-->> T ::a ::b)) (s/+ (-->> T ::a ::b) (-->> U ::a ::b)) (s/? (-->> T ::a ::b) (s/end))
    (::p))")),
              IsEmpty());
}

TEST(Parser, ReadsCommentsDiscardedFormsAndCommasAsSpace) {
  EXPECT_THAT(
      diagnostics("; roles\n(s/defrole ::a),(s/defrole ::b) #_(nonsense)\n(s/defsession ::p [] #_ x (-->> T ::a ::b))"),
      IsEmpty());
}

TEST(Parser, NamesFileLineColumnConstructAndWhatWasExpected) {
  EXPECT_EQ(to_string(diagnostics("(s/defrole ::a)\n(s/defsession ::p []\n  (s/-->> ::a))")),
            "t.dcj:3:3: error: s/-->>: has 1 part (expected (s/-->> type from to))\n");
}

TEST(Parser, CollectsAllDiagnosticsInOrder) {
  EXPECT_THAT(diagnostics(session_p("\n(s/cat (foo)\n (-->> T ::a)\n (s/recur :l)\n (::q 1)\n (s/if x))")),
              ElementsAre(AllOf(at(2, 8), about("foo")), AllOf(at(3, 8), saying("is not a role")),
                          AllOf(at(4, 2), saying("in no loop")), AllOf(at(5, 2), saying("no session ::q")),
                          AllOf(at(6, 2), saying("has 1 part"))));
}

TEST(Parser, GoesOnAfterABracketThatDoesNotMatch) {
  EXPECT_THAT(diagnostics("(s/defrole ::a]\n(s/defsession ::p [] (foo))"),
              ElementsAre(AllOf(at(1, 15), about("`]`")), AllOf(at(2, 22), about("foo"))));
}

TEST(Parser, NamesTheBracketThatIsNeverClosed) {
  EXPECT_THAT(diagnostics("(s/defrole ::a)\n(s/defsession ::p [] (s/end)"),
              ElementsAre(AllOf(at(2, 1), saying("never closed"))));
}

TEST(Parser, NamesCharactersThatMeanNothing) {
  EXPECT_THAT(diagnostics("(s/defrole ::a) @ }"),
              ElementsAre(AllOf(at(1, 17), about("`@`")), AllOf(at(1, 19), saying("closes nothing"))));
}

TEST(Parser, WarnsOfEachUndeclaredRoleOnce) {
  EXPECT_THAT(diagnostics("(s/defsession ::p [] (-->> T (::player 1) (::player 2)))"),
              ElementsAre(AllOf(about("::player"), Field(&diagnostic::level, severity::warning))));
}

TEST(Parser, RejectsARecurThatIsNotInTailPosition) {
  EXPECT_THAT(diagnostics(session_p("(s/loop :l [] (s/recur :l) (-->> T ::a ::b))")),
              ElementsAre(saying("not the last thing")));
}

TEST(Parser, RejectsNamesThatAreNotBound) {
  EXPECT_THAT(diagnostics(session_p("(-->> T ::a (::w i))")), ElementsAre(AllOf(about("i"), saying("not bound"))));
}

TEST(Parser, RejectsAWrongNumberOfArguments) {
  EXPECT_THAT(diagnostics(session_p("(s/if (inc 1 2) (s/end))")),
              ElementsAre(AllOf(about("inc"), saying("2 arguments"))));
  EXPECT_THAT(diagnostics("(defn f [x] x)" + session_p("(s/if (f) (s/end))")),
              ElementsAre(AllOf(about("f"), saying("0 arguments"))));
}

TEST(Parser, TellsWhichSessionsOfThatNameThereAre) {
  const auto found = diagnostics(with_roles("(s/defsession ::p [x] (::p))"));

  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].expected, "::p with 1");
}

TEST(Parser, WarnsOfASessionDefinedTwice) {
  EXPECT_THAT(diagnostics(session_p("(s/end)") + session_p("(s/end)")), ElementsAre(saying("defined again")));
}

TEST(Parser, RejectsADepthThatNobodyWrites) {
  EXPECT_THAT(diagnostics(std::string(100'000, '(')), ElementsAre(saying("nested more than")));
  EXPECT_THAT(diagnostics(session_p(std::string(150, '[') + "(s/end)" + std::string(150, ']'))), IsEmpty());
}

TEST(Parser, RejectsNumbersThatDoNotFit) {
  EXPECT_THAT(diagnostics(session_p("(s/if (= 1 99999999999999999999) (s/end))")), ElementsAre(saying("64 bits")));
}

TEST(Parser, RejectsAKeywordOfColonsOnly) {
  EXPECT_THAT(diagnostics("(s/defrole :::)"), ElementsAre(saying("not a name of a role")));
}

TEST(Parser, SurvivesBytesThatAreNoText) {
  EXPECT_THAT(diagnostics(std::string("\xff\x00(\x80", 4)), ::testing::Not(IsEmpty()));
}

std::vector<diagnostic> numbered(severity level, int count) {
  std::vector<diagnostic> result;
  for (int i = 0; i < count; ++i) result.push_back({level, "t.dcj", {}, {}, "number " + std::to_string(i), {}});
  return result;
}

TEST(Diagnostics, AreShownOnce) {
  const std::vector<diagnostic> twice(2, numbered(severity::warning, 1)[0]);

  EXPECT_THAT(shortened(twice), ElementsAre(saying("number 0")));
}

TEST(Diagnostics, BeyondTwentyAreCountedErrorsBeingShownFirst) {
  auto many = numbered(severity::warning, 30);
  const auto errors = numbered(severity::error, 2);
  many.insert(many.end(), errors.begin(), errors.end());

  const auto shown = shortened(many);

  ASSERT_THAT(shown, SizeIs(21));
  EXPECT_EQ(shown[0].level, severity::error);
  EXPECT_THAT(shown[2], saying("number 0"));
  EXPECT_THAT(shown[20], saying("and 12 more warnings"));
}

TEST(Diagnostics, ThatAreLeftOutStillSayThatThereAreErrors) {
  const auto shown = shortened(numbered(severity::error, 25));

  EXPECT_EQ(shown[20].level, severity::error);
  EXPECT_THAT(shown[20], saying("and 5 more errors"));
}

}  // namespace
}  // namespace harrier::protocol
