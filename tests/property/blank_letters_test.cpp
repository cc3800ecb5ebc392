// Formulas that take no notice of letters in which nothing holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include <harrier/property/word.hpp>

#include "oracle.hpp"

namespace harrier {
namespace {

using test::below;
using test::letters;
using testing::IsEmpty;

struct example {
  const char* formula;
  bool stopped;    // whether blank letters make no difference to words that stop
  bool stuttered;  // and to words that stutter
};
void PrintTo(const example& e, std::ostream* out) { *out << e.formula; }

class BlankLetters : public testing::TestWithParam<example> {};

TEST_P(BlankLetters, AreIgnoredOrNot) {
  const auto& [text, stopped, stuttered] = GetParam();
  const auto f = parse_formula(text).value.value();

  EXPECT_EQ(ignores_blank_letters(f, word_end::stopped), stopped);
  EXPECT_EQ(ignores_blank_letters(f, word_end::stuttered), stuttered);
}

INSTANTIATE_TEST_SUITE_P(
    Formulas, BlankLetters,
    testing::Values(example{"true", true, true}, example{"a", false, false}, example{"!a", false, false},
                    example{"F a", true, true}, example{"G !a", true, true}, example{"G a", false, true},
                    example{"F !a", false, true}, example{"G(a -> F b)", true, true},
                    example{"G(a -> !b W c)", true, true}, example{"G(a -> b W c)", false, false},
                    example{"G(a -> !(b U c))", false, false}, example{"!a U b", true, true},
                    example{"!a W b", true, true}, example{"a U b", false, false}, example{"b R !a", true, true},
                    example{"!a U (b & F c)", true, true}, example{"G(a -> X b)", false, false},
                    example{"F X a", false, false}, example{"F G !a", false, true}, example{"G F a", false, true},
                    example{"F(a & b) & G(a | !c)", true, true}, example{"F a <-> F b", true, true},
                    example{"F a ^ G !b", true, true}, example{"a & F b", false, false},
                    example{"(F a) U (F b)", true, true}, example{"(G !a) U b", false, false}));

/// `word` with blank letters put in at random.
letters with_blanks(std::mt19937& random, const letters& word) {
  letters result;
  for (const auto& l : word) {
    result.resize(result.size() + below(random, 3));
    result.push_back(l);
  }
  result.resize(result.size() + below(random, 3));
  return result;
}

struct tried {
  std::size_t accepted = 0;
  std::vector<std::string> wrong;
};

tried try_random_formulas(unsigned seed, int count) {
  std::mt19937 random(seed);
  tried all;
  for (int i = 0; i < count; ++i) {
    const auto f = test::random_formula(random, below(random, 9));
    for (const auto end : {word_end::stopped, word_end::stuttered}) {
      if (!ignores_blank_letters(f, end)) continue;
      ++all.accepted;
      for (int j = 0; j < 10; ++j) {
        letters word;
        for (auto n = below(random, 5); n > 0; --n)
          if (auto l = test::random_letter(random); !l.empty()) word.push_back(std::move(l));
        auto blanked = with_blanks(random, word);
        const bool stutters = end == word_end::stuttered;
        const auto loop = [&](letters& w) -> std::optional<std::size_t> {
          if (!stutters) return {};
          w.emplace_back();
          return w.size() - 1;
        };
        const auto plain_loop = loop(word);
        const auto blanked_loop = loop(blanked);
        if (test::satisfies({word, plain_loop}, f) != test::satisfies({blanked, blanked_loop}, f))
          all.wrong.push_back(to_string(f));
      }
    }
  }
  return all;
}

TEST(BlankLettersOfRandomWords, MakeNoDifferenceWhereTheyAreSaidToBeIgnored) {
  const auto all = try_random_formulas(21, 4000);

  EXPECT_THAT(all.wrong, IsEmpty());
  EXPECT_GT(all.accepted, 500U);
}

}  // namespace
}  // namespace harrier
