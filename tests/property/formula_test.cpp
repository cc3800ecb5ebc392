#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <harrier/core/error.hpp>
#include <harrier/property/ltl.hpp>

#include "oracle.hpp"

namespace harrier {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

formula parsed(const std::string& text) { return parse_formula(text).value.value(); }

/// The formula with all its parentheses.
std::string grouped(const formula& f) {
  std::vector<std::string> text;
  for (const auto& n : f.nodes()) {
    const auto a = [&] { return text[n.left]; };
    const auto join = [&](const char* sign) { return "(" + text[n.left] + sign + text[n.right] + ")"; };
    switch (n.op) {
      case ltl_operator::constant_true: text.push_back("1"); break;
      case ltl_operator::constant_false: text.push_back("0"); break;
      case ltl_operator::atom: text.push_back(f.atoms()[n.left]); break;
      case ltl_operator::negation: text.push_back("!" + a()); break;
      case ltl_operator::next: text.push_back("X" + a()); break;
      case ltl_operator::eventually: text.push_back("F" + a()); break;
      case ltl_operator::always: text.push_back("G" + a()); break;
      case ltl_operator::conjunction: text.push_back(join("&")); break;
      case ltl_operator::disjunction: text.push_back(join("|")); break;
      case ltl_operator::implication: text.push_back(join("->")); break;
      case ltl_operator::equivalence: text.push_back(join("<->")); break;
      case ltl_operator::exclusive_or: text.push_back(join("^")); break;
      case ltl_operator::until: text.push_back(join("U")); break;
      case ltl_operator::weak_until: text.push_back(join("W")); break;
      case ltl_operator::release: text.push_back(join("R")); break;
      case ltl_operator::strong_release: text.push_back(join("M")); break;
    }
  }
  return text.back();
}

struct reading {
  const char* text;
  const char* means;
};

class Precedence : public testing::TestWithParam<reading> {};

TEST_P(Precedence, GroupsAsOwlDoes) { EXPECT_EQ(grouped(parsed(GetParam().text)), GetParam().means); }

INSTANTIATE_TEST_SUITE_P(Table, Precedence,
                         testing::Values(reading{"a & b => c", "(a&(b->c))"},        //
                                         reading{"a => b & c", "((a->b)&c)"},        //
                                         reading{"a | b -> c", "(a|(b->c))"},        //
                                         reading{"a & b | c", "((a&b)|c)"},          //
                                         reading{"a | b & c", "(a|(b&c))"},          //
                                         reading{"a U b & c U d", "((aUb)&(cUd))"},  //
                                         reading{"a U b U c", "(aU(bUc))"},          //
                                         reading{"a -> b -> c", "(a->(b->c))"},      //
                                         reading{"a U b -> c", "(aU(b->c))"},        //
                                         reading{"a -> b U c", "(a->(bUc))"},        //
                                         reading{"a <-> b ^ c", "(a<->(b^c))"},      //
                                         reading{"a W b R c M d", "(aW(bR(cMd)))"},  //
                                         reading{"!a U b", "(!aUb)"},                //
                                         reading{"!a U !b U c", "(!aU(!bUc))"},      //
                                         reading{"G a -> F b", "(Ga->Fb)"},          //
                                         reading{"G a & b", "(Ga&b)"},               //
                                         reading{"X a U X b", "(XaUXb)"},            //
                                         reading{"a & b & c", "((a&b)&c)"},          //
                                         reading{"a | b | c", "((a|b)|c)"},          //
                                         reading{"(a & b) -> c", "((a&b)->c)"},      //
                                         reading{"G(a -> X(!a U b))", "G(a->X(!aUb))"}));

class Spelling : public testing::TestWithParam<reading> {};

TEST_P(Spelling, IsReadAsOwlReadsIt) { EXPECT_EQ(grouped(parsed(GetParam().text)), GetParam().means); }

INSTANTIATE_TEST_SUITE_P(Table, Spelling,
                         testing::Values(reading{"tt", "1"}, reading{"true", "1"}, reading{"1", "1"},                //
                                         reading{"ff", "0"}, reading{"false", "0"}, reading{"0", "0"},               //
                                         reading{"ttt", "ttt"}, reading{"true_", "true_"}, reading{"ffU", "ffU"},    //
                                         reading{"NOT a", "!a"}, reading{"NOTa", "!a"}, reading{"!!a", "!!a"},       //
                                         reading{"a AND b OR c", "((a&b)|c)"}, reading{"a && b || c", "((a&b)|c)"},  //
                                         reading{"a IMP b", "(a->b)"}, reading{"a --> b", "(a->b)"},                 //
                                         reading{"a ==> b", "(a->b)"}, reading{"a => b", "(a->b)"},                  //
                                         reading{"a BIIMP b", "(a<->b)"}, reading{"a <=> b", "(a<->b)"},             //
                                         reading{"a XOR b", "(a^b)"}, reading{"a xor b", "(a^b)"},                   //
                                         reading{"xory", "xory"}, reading{"a xor xory", "(a^xory)"},                 //
                                         reading{"FGXa", "FGXa"}, reading{"aUb", "aUb"}, reading{"a Ub", "(aUb)"},   //
                                         reading{"L_1", "L_1"}, reading{"_a", "_a"}, reading{"Lift", "Lift"},        //
                                         reading{"(a)U(b)", "(aUb)"}, reading{"\t\r\n\f a \n", "a"},                 //
                                         reading{"\"p TO q\"", "p TO q"}, reading{"'it \"is\"'", "it \"is\""},       //
                                         reading{"\"two\nlines\"", "two lines"}, reading{"'two\r\nlines'", "two lines"},
                                         reading{"G\"p\"U'q'", "(GpUq)"}));

TEST(ParseFormula, ReadsAPropositionInQuotesAndItsNameAsTheSame) {
  EXPECT_EQ(parsed("a & \"a\" & 'a'"), parsed("a & a & a"));
}

TEST(ParseFormula, NamesPropositionsInTheOrderOfReading) {
  EXPECT_THAT(parsed("c U (b -> \"x y\") & c & a").atoms(), ElementsAre("c", "b", "x y", "a"));
}

TEST(ParseFormula, StoresEqualSubformulasOnce) { EXPECT_THAT(parsed("(F a & F a) | (F a & F a)").nodes(), SizeIs(4)); }

struct mistake {
  const char* text;
  std::size_t line;
  std::size_t column;
  const char* message;
};

class ParseError : public testing::TestWithParam<mistake> {};

TEST_P(ParseError, SaysWhereAndWhatWasExpected) {
  const auto& expected = GetParam();
  const auto result = parse_formula(expected.text);

  EXPECT_FALSE(result.value);
  EXPECT_THAT(result.diagnostics, ElementsAre(AllOf(Field(&formula_diagnostic::line, expected.line),
                                                    Field(&formula_diagnostic::column, expected.column),
                                                    Field(&formula_diagnostic::message, Eq(expected.message)))));
}

INSTANTIATE_TEST_SUITE_P(
    Table, ParseError,
    testing::Values(
        mistake{"", 1, 1, "expected a formula, found the end"},
        mistake{" \n ", 2, 2, "expected a formula, found the end"},
        mistake{"a &", 1, 4, "expected a formula, found the end"},
        mistake{"a &\n  & b", 2, 3, "expected a formula, found '&'"},
        mistake{"a b", 1, 3, "expected an operator or the end, found 'b'"},
        mistake{"a)", 1, 2, "expected an operator or the end, found ')'"},
        mistake{"(a", 1, 3, "expected an operator or ')', found the end"},
        mistake{"(a b)", 1, 4, "expected an operator or ')', found 'b'"},
        mistake{"G", 1, 2, "expected a formula, found the end"}, mistake{"()", 1, 2, "expected a formula, found ')'"},
        mistake{"a U U b", 1, 5,
                "expected a formula, found 'U'; a proposition that begins with a capital letter must be quoted"},
        mistake{"a -> Alice", 1, 6,
                "expected a formula, found 'Alice'; a proposition that begins with a capital letter must be "
                "quoted"},
        mistake{"[] a", 1, 1, "expected a formula, found '['; 'always' is written G and 'eventually' F"},
        mistake{"a xor xor b", 1, 7, "expected a formula, found 'xor'"},
        mistake{"1a", 1, 2, "expected an operator or the end, found 'a'"},
        mistake{"a & \"b", 1, 5, "a quotation mark without its partner"},
        mistake{"a &\n 'b", 2, 2, "a quotation mark without its partner"},
        mistake{"a & \"\"", 1, 6, "expected the text of a proposition, found '\"'"},
        mistake{"a & \x80", 1, 5, "expected a formula, found byte 0x80"},
        mistake{"a - b", 1, 3, "expected an operator or the end, found '-'"}));

TEST(ParseFormula, RefusesANulByte) {
  EXPECT_THAT(parse_formula(std::string("a \0 b", 5)).diagnostics,
              ElementsAre(Field(&formula_diagnostic::message, HasSubstr("found byte 0x00"))));
}

std::string nested(std::size_t depth) { return std::string(depth, '(') + "a" + std::string(depth, ')'); }

TEST(ParseFormula, ReadsParenthesesNestedToTheLimit) {
  EXPECT_EQ(parsed(nested(max_formula_nesting)), formula::proposition("a"));
}

TEST(ParseFormula, RefusesParenthesesNestedDeeper) {
  EXPECT_THAT(parse_formula(nested(100'000)).diagnostics,
              ElementsAre(AllOf(Field(&formula_diagnostic::column, max_formula_nesting + 1),
                                Field(&formula_diagnostic::message, HasSubstr("nested deeper than 500")))));
}

TEST(ParseFormula, CountsOpenParenthesesOnly) {
  std::string many = "(a)";
  for (int i = 0; i < 1000; ++i) many += " & (a)";

  EXPECT_THAT(parse_formula(many).diagnostics, IsEmpty());
}

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

class LongChain : public testing::TestWithParam<const char*> {};

TEST_P(LongChain, IsReadAndWrittenWithoutRecursion) {
  const auto f = parsed(repeated(GetParam(), 100'000) + "a");

  EXPECT_EQ(parsed(to_string(f)), f);
}

INSTANTIATE_TEST_SUITE_P(Operators, LongChain, testing::Values("X ", "a U ", "b -> ", "a & "));

class RoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(RoundTrip, WritesNoParenthesesThatAreNotNeeded) { EXPECT_EQ(to_string(parsed(GetParam())), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, RoundTrip,
                         testing::Values("a & b -> c", "(a & b) -> c", "a & (b & c)", "a | (b | c)", "(a -> b) -> c",
                                         "G (a -> F b)", "!(a U b)", "!a U b", "X X a", "true", "false", "(a | b) & c",
                                         "\"true\" & \"xor\"", "\"p SEND <M> TO q\" U 'say \"x\"'", "G F a",
                                         "(a U b) U (c W d) M e ^ f R g <-> h", "\"Upper\"", "L1"));

std::vector<std::string> formulas_that_change_on_the_way(unsigned seed, int count) {
  std::mt19937 random(seed);
  std::vector<std::string> changed;
  for (int i = 0; i < count; ++i) {
    const auto f = test::random_formula(random, test::below(random, 20));
    if (parse_formula(to_string(f)).value != f) changed.push_back(to_string(f));
  }
  return changed;
}

TEST(ToString, IsUndoneByParsing) { EXPECT_THAT(formulas_that_change_on_the_way(7, 1000), IsEmpty()); }

TEST(ToString, RefusesAPropositionThatCannotBeQuoted) {
  EXPECT_THROW(static_cast<void>(to_string(formula::proposition("a\"'"))), error);
  EXPECT_THROW(static_cast<void>(to_string(formula::proposition(""))), error);
  EXPECT_THROW(static_cast<void>(to_string(formula::proposition("a\nb"))), error);
}

TEST(Formula, IsTrueByDefault) { EXPECT_EQ(formula(), parsed("true")); }

TEST(Formula, BuiltByHandEqualsTheOneThatIsRead) {
  const auto a = formula::proposition("a");
  const auto b = formula::proposition("b");
  const auto left = formula::binary(ltl_operator::until, b, a);

  EXPECT_EQ(formula::binary(ltl_operator::conjunction, left, formula::unary(ltl_operator::next, b)),
            parsed("b U a & X b"));
}

TEST(Formula, TellsAWrongNumberOfOperands) {
  EXPECT_THROW(static_cast<void>(formula::unary(ltl_operator::until, formula())), error);
  EXPECT_THROW(static_cast<void>(formula::binary(ltl_operator::next, formula(), formula())), error);
}

}  // namespace
}  // namespace harrier
