// A line that is written over again and again has to be one line of the terminal.
#include <gtest/gtest.h>
#include <src/report/terminal_line.hpp>

#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace harrier {
namespace {

TEST(TerminalLine, ThatFitsIsLeftAsItIs) {
  EXPECT_EQ(cut_to_columns("12 executions", 14), "12 executions");
  EXPECT_EQ(cut_to_columns("", 14), "");
}

TEST(TerminalLine, LeavesTheLastColumnFree) { EXPECT_EQ(cut_to_columns("12 executions", 13), "12 execut..."); }

TEST(TerminalLine, OfUnknownWidthIsNotCut) { EXPECT_EQ(cut_to_columns("12 executions", 0), "12 executions"); }

TEST(TerminalLine, IsCutBetweenCharacters) {
  EXPECT_EQ(cut_to_columns("\u00e4\u00f6\u00fc \u20ac\u20ac\u20ac\u20ac", 7), "\u00e4\u00f6\u00fc...");
}

TEST(TerminalLine, OfATerminalTooNarrowForDotsHasNone) {
  EXPECT_EQ(cut_to_columns("12 executions", 3), "12");
  EXPECT_EQ(cut_to_columns("12 executions", 1), "");
}

TEST(TerminalLine, AsksTheTerminalForItsWidth) {
  int ours = -1;
  int theirs = -1;
  winsize size{24, 97, 0, 0};
  ASSERT_EQ(openpty(&ours, &theirs, nullptr, nullptr, &size), 0);

  EXPECT_EQ(columns_of(theirs), 97U);
  close(ours);
  close(theirs);
}

TEST(TerminalLine, AFileHasNoWidth) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);

  EXPECT_EQ(columns_of(ends[1]), 0U);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace harrier
