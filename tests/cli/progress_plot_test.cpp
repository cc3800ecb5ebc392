#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <harrier/core/error.hpp>

#include <src/cli/explore/progress_plot.hpp>

namespace harrier {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

progress_plot of_nowhere() { return progress_plot(""); }

exploration a_result() {
  exploration r;
  r.program = "server's";
  r.executions = 40;
  r.seconds = 2;
  return r;
}

TEST(ProgressPlot, LeavesOutAnEstimateThatThereIsNot) {
  EXPECT_THAT(of_nowhere().script(a_result()), AllOf(HasSubstr("2 40 NaN NaN"), Not(HasSubstr("percent"))));
}

TEST(ProgressPlot, ShowsTheEstimateAndThePercent) {
  auto r = a_result();
  r.estimate = size_estimate{.executions = 80, .explored = 0.5};

  EXPECT_THAT(of_nowhere().script(r), AllOf(HasSubstr("2 40 80 50"), HasSubstr("set y2label 'percent'")));
}

TEST(ProgressPlot, QuotesTheNameOfTheProgram) {
  EXPECT_THAT(of_nowhere().script(a_result()), HasSubstr("set title 'server''s: engine "));
}

TEST(ProgressPlot, KeepsAFewHundredNotesOfALongSearch) {
  const auto file = std::filesystem::path(testing::TempDir()) / "many.svg";
  if (std::system("command -v gnuplot > /dev/null") != 0) GTEST_SKIP() << "there is no gnuplot";
  progress_plot plot(file);
  for (int i = 0; i < 100'000; ++i) plot.note({.executions = static_cast<std::uint64_t>(i), .seconds = i * 0.2});

  EXPECT_THAT(plot.noted(), AllOf(testing::Ge(200U), testing::Le(512U)));
}

TEST(ProgressPlot, IsAnSvg) {
  const auto file = std::filesystem::path(testing::TempDir()) / "it's drawn.svg";
  if (std::system("command -v gnuplot > /dev/null") != 0) GTEST_SKIP() << "there is no gnuplot";
  progress_plot plot(file);
  plot.note({.executions = 3, .seconds = 1});
  plot.draw(a_result());

  std::ifstream drawn(file);
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(drawn), {}),
              AllOf(HasSubstr("<svg"), HasSubstr("executions run")));
}

TEST(ProgressPlot, IsRefusedOnStandardOutput) { EXPECT_THROW(progress_plot("-"), error); }

}  // namespace
}  // namespace harrier
