#include <gtest/gtest.h>

#include <string>

#include <harrier/core/printable.hpp>

namespace harrier {
namespace {

using namespace std::string_literals;

TEST(Printable, TextIsInOneLineWithoutControls) {
  EXPECT_EQ(printable("two\nlines\tand a \x1b[31mcolour"), R"(two\nlines\tand a \x1b[31mcolour)");
  EXPECT_EQ(printable("a\0b"s), R"(a\0b)");
  EXPECT_EQ(printable("a\0007"s), R"(a\x007)") << "not the character 7";
  EXPECT_EQ(printable("\x7f"), R"(\x7f)");
}

TEST(Printable, TextKeepsWhatIsUtf8) {
  EXPECT_EQ(printable("caf\u00e9 \u20ac \U0001F985"), "caf\u00e9 \u20ac \U0001F985");
}

TEST(Printable, TextShowsBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("caf\xe9!"), R"(caf\xe9!)");
  EXPECT_EQ(printable("\xe2\x82"), R"(\xe2\x82)") << "cut short";
  EXPECT_EQ(printable("\xc0\xaf"), R"(\xc0\xaf)") << "longer than it need be";
  EXPECT_EQ(printable("\xed\xa0\x80"), R"(\xed\xa0\x80)") << "half a pair";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), R"(\xf4\x90\x80\x80)") << "beyond the last character";
}

TEST(Printable, TextHasNothingThatSteersTheDisplay) {
  EXPECT_EQ(printable("\u202etxet"), R"(\u202etxet)");
  EXPECT_EQ(printable("\xc2\x9b[31m"), R"(\u009b[31m)");
  EXPECT_EQ(printable("\u2028"), R"(\u2028)");
}

TEST(Printable, TextStaysAsItIsTheSecondTime) {
  const auto once = printable("C:\\new \"x\"\n\xff");

  EXPECT_EQ(once, R"(C:\new "x"\n\xff)");
  EXPECT_EQ(printable(once), once);
}

TEST(Printable, LinesStayLines) { EXPECT_EQ(printable_lines("one\ntwo\r\n"), "one\ntwo\\r\n"); }

TEST(Literal, TextsThatDifferLookDifferent) {
  EXPECT_EQ(literal_of("say \"hi\"\n"), R"("say \"hi\"\n")");
  EXPECT_EQ(literal_of(R"(\n)"), R"("\\n")");
  EXPECT_EQ(literal_of("it's"), R"("it's")");
}

TEST(Literal, CharactersAreInSingleQuotes) {
  EXPECT_EQ(literal_of('x'), "'x'");
  EXPECT_EQ(literal_of('\''), R"('\'')");
  EXPECT_EQ(literal_of('\0'), R"('\0')");
  EXPECT_EQ(literal_of('\xff'), R"('\xff')");
  EXPECT_EQ(literal_of('"'), R"('"')");
}

}  // namespace
}  // namespace harrier
