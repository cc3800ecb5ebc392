#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <harrier/core/error.hpp>
#include <harrier/property/word.hpp>

#include "oracle.hpp"

namespace harrier {
namespace {

using test::below;
using test::letters;
using ::testing::IsEmpty;

std::vector<letter> as_letters(const formula& f, const letters& word) {
  std::vector<letter> result;
  for (const auto& propositions : word) {
    auto& l = result.emplace_back();
    for (const auto& atom : f.atoms()) l.push_back(propositions.contains(atom));
  }
  return result;
}

std::optional<bool> evaluated(const std::string& text, const letters& word, word_end end) {
  const auto f = parse_formula(text).value.value();
  return monitor_on_word(f, as_letters(f, word), end);
}

constexpr std::optional<bool> undecided = std::nullopt;

struct example {
  const char* text;
  letters word;
  std::optional<bool> stopped;
  std::optional<bool> stuttered;
  std::optional<bool> truncated;
};

class MonitorOnWord : public testing::TestWithParam<example> {};

TEST_P(MonitorOnWord, ReadsEachEndInItsWay) {
  const auto& e = GetParam();

  EXPECT_EQ(evaluated(e.text, e.word, word_end::stopped), e.stopped) << e.text;
  EXPECT_EQ(evaluated(e.text, e.word, word_end::stuttered), e.stuttered) << e.text;
  EXPECT_EQ(evaluated(e.text, e.word, word_end::truncated), e.truncated) << e.text;
}

const letters a{{"a"}};
const letters ab{{"a"}, {"b"}};

INSTANTIATE_TEST_SUITE_P(Table, MonitorOnWord,
                         testing::Values(example{"F b", ab, true, true, true},               //
                                         example{"F c", ab, false, false, undecided},        //
                                         example{"G a", ab, false, false, false},            //
                                         example{"G a", a, true, false, undecided},          //
                                         example{"G !c", ab, true, true, undecided},         //
                                         example{"X true", a, false, true, true},            //
                                         example{"!X!b", a, true, false, undecided},         //
                                         example{"X X true", a, false, true, undecided},     //
                                         example{"G F a", a, true, false, undecided},        //
                                         example{"F G a", ab, false, false, undecided},      //
                                         example{"a U b", ab, true, true, true},             //
                                         example{"a U b", a, false, false, undecided},       //
                                         example{"a W b", a, true, false, undecided},        //
                                         example{"b R a", a, true, false, undecided},        //
                                         example{"a M a", a, true, true, true},              //
                                         example{"G(a -> F b)", ab, true, true, undecided},  //
                                         example{"G(a -> F b)", a, false, false, undecided},
                                         example{"true", {}, true, true, true},          //
                                         example{"a", {}, false, false, undecided},      //
                                         example{"G a", {}, true, false, undecided},     //
                                         example{"F true", {}, false, true, true},       //
                                         example{"X true", {}, false, true, undecided},  //
                                         example{"G a & F !a", a, false, false, undecided}));

TEST(MonitorOnWordLetters, MustFitTheFormula) {
  const std::vector<letter> short_letter{letter{true}};

  EXPECT_THROW(
      static_cast<void>(monitor_on_word(parse_formula("a U b").value.value(), short_letter, word_end::stopped)), error);
}

letters random_word(std::mt19937& random, std::size_t length) {
  letters word;
  for (std::size_t i = 0; i < length; ++i) word.push_back(test::random_letter(random));
  return word;
}

std::vector<std::string> disagreements(unsigned seed, int count) {
  std::mt19937 random(seed);
  std::vector<std::string> found;
  for (int i = 0; i < count; ++i) {
    const auto f = test::random_formula(random, below(random, 12));
    const auto word = random_word(random, below(random, 6));
    auto stuttering = word;
    stuttering.emplace_back();
    const auto read = as_letters(f, word);
    if (monitor_on_word(f, read, word_end::stopped) != test::satisfies({word, {}}, f) ||
        monitor_on_word(f, read, word_end::stuttered) != test::satisfies({stuttering, word.size()}, f)) {
      found.push_back(to_string(f));
    }
  }
  return found;
}

TEST(MonitorOnRandomWords, AgreesWithTheDefinitions) { EXPECT_THAT(disagreements(11, 3000), IsEmpty()); }

/// Formulas decided on a truncated word, of which some longer word says otherwise.
std::vector<std::string> wrong_decisions(unsigned seed, int count) {
  std::mt19937 random(seed);
  std::vector<std::string> found;
  for (int i = 0; i < count; ++i) {
    const auto f = test::random_formula(random, below(random, 8));
    const auto word = random_word(random, below(random, 4));
    const auto decided = monitor_on_word(f, as_letters(f, word), word_end::truncated);
    for (int j = 0; decided && j < 20; ++j) {
      auto longer = word;
      for (const auto& l : random_word(random, 1 + below(random, 4))) longer.push_back(l);
      const auto loop = below(random, 3) == 0 ? std::nullopt
                                              : std::optional(below(random, longer.size() - word.size()) + word.size());
      if (test::satisfies({longer, loop}, f) != *decided) found.push_back(to_string(f));
    }
  }
  return found;
}

TEST(MonitorOnRandomWords, DecidesATruncatedWordAsEveryLongerOne) { EXPECT_THAT(wrong_decisions(12, 2000), IsEmpty()); }

TEST(MonitorOnLongWord, IsNotRecursive) {
  const auto f = parse_formula("G (a -> F b)").value.value();
  const std::vector<letter> million(1'000'000, letter{true, false});

  EXPECT_EQ(monitor_on_word(f, million, word_end::stopped), false);
}

}  // namespace
}  // namespace harrier
