#include "source_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include <harrier/core/printable.hpp>
#include <harrier/report/ci.hpp>
#include <harrier/report/text.hpp>

#include "../finding_text.hpp"
#include "words.hpp"

namespace harrier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_line_of_story = 300;

/// As it is called from `here`, if it is there.
std::string seen_from(const std::string& file, const fs::path& here) {
  if (file.empty()) return file;
  std::error_code ignored;
  const fs::path path(file);
  if (fs::exists(here / path, ignored)) {
    const auto below = (here / path).lexically_normal().lexically_relative(here);
    return below.empty() || *below.begin() == ".." ? file : below.string();
  }
  // `../../src/server.cpp`, as it was called from a folder of the build below this one.
  auto rest = path.begin();
  while (rest != path.end() && *rest == "..") ++rest;
  fs::path without;
  for (; rest != path.end(); ++rest) without /= *rest;
  return path.is_relative() && !without.empty() && fs::exists(here / without, ignored) ? without.string() : file;
}

}  // namespace

located_text located(std::string_view text) {
  const auto whole = located_text{std::string(text)};
  const auto begin = text.rfind(" (");
  const auto colon = text.rfind(':');
  if (!text.ends_with(')') || begin == std::string_view::npos || colon == std::string_view::npos || colon < begin + 3)
    return whole;
  std::uint32_t line = 0;
  const auto* end = text.data() + text.size() - 1;
  const auto number = std::from_chars(text.data() + colon + 1, end, line);
  if (number.ec != std::errc{} || number.ptr != end || line == 0) return whole;
  return {std::string(text.substr(0, begin)),
          source_line{std::string(text.substr(begin + 2, colon - begin - 2)), line}};
}

std::vector<located_step> located_steps(const finding& found) {
  std::vector<located_step> all;
  std::size_t number = 0;
  for (const auto& step : found.trace) {
    if (!is_shown(step)) continue;
    ++number;
    for (const auto& text : step.findings)
      if (auto parts = located(text); parts.where)
        all.push_back({number, printable(step.receiver + "." + step.message + ": " + parts.text), *parts.where});
  }
  return all;
}

std::vector<std::string> story_of(const finding& found, std::size_t most) {
  std::vector<std::string> all;
  const auto count = shown_length(found);
  const auto first_again = count > most ? count - most / 2 : 0;
  std::size_t number = 0;
  for (const auto& step : found.trace) {
    if (!is_shown(step)) continue;
    ++number;
    if (first_again != 0 && number > most / 2 && number <= first_again) {
      if (number == first_again) all.push_back(fmt::format("({} not shown)", with_commas(first_again - most / 2)));
      continue;
    }
    all.push_back(
        shortened(fmt::format("{}. {}", number, printable(step.receiver + "." + step.message)), longest_line_of_story));
  }
  return all;
}

std::string summary_line(const finding& found) {
  constexpr std::size_t longest = 2000;
  const bool has_place = !found.actor.empty() && !is_about_the_end(found);
  const auto where = has_place ? ", in " + shortened(printable(found.actor), longest) : std::string();
  return shortened(printable(found.message), longest) + where;
}

finding with_files_from(finding found, const std::string& here) {
  found.file = seen_from(found.file, here);
  for (auto& step : found.trace)
    for (auto& text : step.findings)
      if (const auto parts = located(text); parts.where)
        text = fmt::format("{} ({}:{})", parts.text, seen_from(parts.where->file, here), parts.where->line);
  return found;
}

exploration with_files_from(exploration result, const std::string& here) {
  for (auto* all : {&result.findings, &result.warnings})
    for (auto& f : *all) f = with_files_from(std::move(f), here);
  return result;
}

}  // namespace harrier
