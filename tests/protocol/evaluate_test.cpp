#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace harrier::protocol {
namespace {

std::string result_of(const std::string& text, const std::string& functions = "") {
  const auto definitions = parsed(functions);
  specification scratch;
  scratch.functions = definitions->functions;
  std::vector<diagnostic> diagnostics;
  const auto* expression = parse_expression(text, scratch, diagnostics);
  if (expression == nullptr) return to_string(diagnostics);
  try {
    return to_string(evaluate(*expression, *definitions));
  } catch (const evaluation_error& e) {
    return e.construct + ": " + e.message;
  }
}

struct example {
  const char* text;
  const char* result;
};

class Builtin : public ::testing::TestWithParam<example> {};

TEST_P(Builtin, HasClojuresValue) { EXPECT_EQ(result_of(GetParam().text), GetParam().result); }

INSTANTIATE_TEST_SUITE_P(
    Arithmetic, Builtin,
    ::testing::Values(example{"(+ 1 2 3)", "6"}, example{"(- 5)", "-5"}, example{"(* 2 3)", "6"},
                      example{"(/ 6 3)", "2"}, example{"(/ 6 4)", "3/2"}, example{"(/ 1 -2)", "-1/2"},
                      example{"(+ 1/2 1/2)", "1"}, example{"(long 7/2)", "3"}, example{"(long -7/2)", "-3"},
                      example{"(long 2.9)", "2"}, example{"(mod -1 4)", "3"}, example{"(mod 1 -4)", "-3"},
                      example{"(rem -1 4)", "-1"}, example{"(mod 7/2 2)", "3/2"}, example{"(inc 1)", "2"},
                      example{"(dec 0)", "-1"}, example{"(Math/ceil (Math/sqrt 5))", "3.0"},
                      example{"(= 1 1.0)", "false"}, example{"(= 1/2 2/4)", "true"}, example{"(< 1 3/2 2.5)", "true"},
                      example{"(> 1 1)", "false"}, example{"(max 1 3 2)", "3"}, example{"(quot -7 2)", "-3"}));

INSTANTIATE_TEST_SUITE_P(
    Collections, Builtin,
    ::testing::Values(example{"(range 4)", "(0 1 2 3)"}, example{"(range 1 4)", "(1 2 3)"},
                      example{"(range 5 0 -2)", "(5 3 1)"}, example{"#{3 1 2 1}", "#{1 2 3}"},
                      example{"(set (list 2 1 2))", "#{1 2}"}, example{"(filter #{1 3 -1} (range 5))", "(1 3)"},
                      example{"(filter #{0} (range 2))", "(0)"}, example{"(filter #{false} (list false))", "()"},
                      example{"(remove #{1} (range 3))", "(0 2)"}, example{"(s/disj #{1 2} 1)", "#{2}"},
                      example{"(s/count #{1 2})", "2"}, example{"(s/union #{1} #{2})", "#{1 2}"},
                      example{"(s/difference #{1 2} #{2})", "#{1}"},
                      example{"(s/power-set #{1 2})", "#{#{} #{1} #{2} #{1 2}}"}, example{"s/empty-set", "#{}"},
                      example{"(#{1 2} 2)", "2"}, example{"(#{1 2} 3)", "nil"}, example{"(map inc [1 2])", "(2 3)"},
                      example{"(filter even? (range 4))", "(0 2)"}, example{"(first [])", "nil"}));

INSTANTIATE_TEST_SUITE_P(Text, Builtin,
                         ::testing::Values(example{"(Long/toBinaryString 6)", "\"110\""},
                                           example{"(Long/parseLong \"110\" 2)", "6"},
                                           example{"(str 1 \"a\" nil 2.0)", "\"1a2.0\""},
                                           example{"(.replaceFirst \"110\" \".$\" \"\")", "\"11\""},
                                           example{"(.replaceFirst \"abc\" \"b*\" \"-\")", "\"-abc\""},
                                           example{"(try (Long/parseLong \"\" 2) (catch Exception e -1))", "-1"},
                                           example{"(Long/parseLong \"-12\")", "-12"}));

INSTANTIATE_TEST_SUITE_P(Logic, Builtin,
                         ::testing::Values(example{"(if 0 1 2)", "1"}, example{"(if nil 1 2)", "2"},
                                           example{"(if false 1)", "nil"}, example{"(and 1 nil (/ 1 0))", "nil"},
                                           example{"(or nil 2 (/ 1 0))", "2"},
                                           example{"(let [x 1 y (+ x 1)] (* x y))", "2"}, example{"(not 0)", "false"}));

INSTANTIATE_TEST_SUITE_P(
    Mistake, Builtin,
    ::testing::Values(
        example{"(/ 1 0)", "/: division by zero"}, example{"(mod 1 0)", "mod: division by zero"},
        example{"(+ 1 \"a\")", "+: `\"a\"` is not a number"},
        example{"(inc 9223372036854775807)", "inc: the result does not fit in 64 bits"},
        example{"(* 4611686018427387904 4)", "*: the result does not fit in 64 bits"},
        example{"(range 1 2 0)", "range: a step of 0 never ends"},
        example{"(range 100000000)", "range: takes more than 5000000 steps"},
        example{"(s/power-set (set (range 30)))", "s/power-set: 2^30 subsets are too many (at most 2^16)"},
        example{"(.replaceFirst \"a\" \"(a)\" \"\")", ".replaceFirst: in a pattern, `(` is not understood here"}));

TEST(Evaluation, CallsFunctionsRecursively) {
  EXPECT_EQ(result_of("(add 3 4)", "(defn add [x y] (if (= y 0) x (inc (add x (dec y)))))"), "7");
}

TEST(Evaluation, HidesTheCallersVariables) { EXPECT_EQ(result_of("(let [x 1] (f 2))", "(defn f [y] (+ y 1))"), "3"); }

TEST(Evaluation, StopsAFunctionWithoutAnEnd) {
  EXPECT_THAT(result_of("(f 1)", "(defn f [x] (f (inc x)))"), ::testing::HasSubstr("a function without an end?"));
}

TEST(Evaluation, DoesNotCatchALimit) {
  EXPECT_THAT(result_of("(try (f 1) (catch Exception e 0))", "(defn f [x] (f x))"),
              ::testing::HasSubstr("nested more than"));
}

TEST(Evaluation, StopsExponentialWork) {
  EXPECT_THAT(result_of("(f 60)", "(defn f [x] (if (= x 0) 1 (+ (f (dec x)) (f (dec x)))))"),
              ::testing::HasSubstr("takes more than"));
}

}  // namespace
}  // namespace harrier::protocol
