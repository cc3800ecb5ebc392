#include <fmt/format.h>

#include <harrier/core/printable.hpp>
#include <harrier/report/ci.hpp>

#include "../finding_text.hpp"
#include "source_line.hpp"
#include "words.hpp"

namespace harrier {
namespace {

constexpr std::size_t longest_gcc_text = 2000;

std::string gcc_place(const std::string& file, std::uint32_t line) {
  return line == 0 ? printable(file) : fmt::format("{}:{}", printable(file), line);
}

std::string gcc_lines(const finding& found, const explanation& why, std::string_view severity,
                      const std::string& program) {
  const auto place = gcc_place(found.file.empty() ? program : found.file, found.file.empty() ? 0 : found.line);
  auto text = fmt::format("{}: {}: {} [{}]\n", place, severity, summary_line(found), to_string(found.kind));
  for (const auto& line : found.details)
    text += fmt::format("{}: note: {}\n", place, shortened(printable(line), longest_gcc_text));
  if (!why.sentence.empty())
    text += fmt::format("{}: note: why: {}\n", place, shortened(printable(why.sentence), longest_gcc_text));
  text += fmt::format("{}: note: {}\n", place, length_of(found));
  for (const auto& step : located_steps(found))
    text += fmt::format("{}: note: delivery {}, {}\n", gcc_place(step.where.file, step.where.line), step.number,
                        shortened(step.text, longest_gcc_text));
  return text;
}

}  // namespace

std::string to_gcc(const exploration& result, const std::vector<explanation>& why) {
  std::string text;
  const auto program = result.program.empty() ? std::string("harrier") : result.program;
  for (const auto& f : result.warnings) text += gcc_lines(f, {}, "warning", program);
  for (std::size_t i = 0; i < result.findings.size(); ++i)
    text += gcc_lines(result.findings[i], explanation_of(i, why), "error", program);
  return text;
}

}  // namespace harrier
