#include "own_examples.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace harrier {
namespace {

constexpr auto no_place = std::string::npos;

/// Where a program is named after `harrier explore `, or web; no_place: nowhere.
std::size_t program_in(std::string_view line) {
  for (const std::string_view command : {"harrier explore ", "harrier web "})
    if (const auto at = line.find(command); at != no_place) {
      const auto name = at + command.size();
      return name < line.size() && line[name] >= 'a' && line[name] <= 'z' ? name : no_place;
    }
  return no_place;
}

std::size_t end_of_word(std::string_view line, std::size_t at) { return std::min(line.find(' ', at), line.size()); }

/// Behind the name, and the parameters that follow it.
std::size_t end_of_program(std::string_view line, std::size_t name) {
  auto end = end_of_word(line, name);
  while (end + 1 < line.size() && line[end + 1] >= 'a' && line[end + 1] <= 'z') {
    const auto next = end_of_word(line, end + 1);
    if (line.substr(end, next - end).find('=') == no_place) break;
    end = next;
  }
  return end;
}

/// Moves the column that follows, if there is one, back to where it was.
void realign(std::string& line, std::size_t from, std::ptrdiff_t moved) {
  const auto gap = line.find("  ", from);
  if (gap == no_place) return;
  if (moved < 0) return static_cast<void>(line.insert(gap, static_cast<std::size_t>(-moved), ' '));
  const auto wide = std::min(line.find_first_not_of(' ', gap), line.size()) - gap;
  line.erase(gap, std::min(static_cast<std::size_t>(moved), wide - 2));
}

std::string with_own_program(std::string line, const std::vector<catalogue_entry>& programs) {
  const auto at = program_in(line);
  if (at == no_place) return line;
  const auto name = line.substr(at, end_of_word(line, at) - at);
  if (std::any_of(programs.begin(), programs.end(), [&](const auto& p) { return p.name == name; })) return line;
  const auto end = end_of_program(line, at);
  const auto& own = programs.front().name;
  line.replace(at, end - at, own);
  realign(line, at + own.size(), static_cast<std::ptrdiff_t>(own.size()) - static_cast<std::ptrdiff_t>(end - at));
  return line;
}

}  // namespace

std::string with_own_programs(const std::string& text, const std::vector<catalogue_entry>& programs) {
  if (programs.empty()) return text;
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line);)
    all += (all.empty() ? "" : "\n") + with_own_program(line, programs);
  return all + (text.ends_with('\n') ? "\n" : "");
}

}  // namespace harrier
