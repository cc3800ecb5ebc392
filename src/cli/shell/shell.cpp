#include "shell.hpp"

#include <algorithm>
#include <string_view>

#include <harrier/core/printable.hpp>

namespace harrier {
namespace {

bool is_plain(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 0x80 ||
         std::string_view("%+,-./:=@_").find(static_cast<char>(c)) != std::string_view::npos;
}

std::string quoted_if_needed(const std::string& word) {
  if (const auto shown = printable(word); shown != word)
    return "$" + quoted_for_shell(shown);  // bash, zsh: with escapes
  return !word.empty() && std::all_of(word.begin(), word.end(), is_plain) ? word : quoted_for_shell(word);
}

}  // namespace

std::string quoted_for_shell(const std::string& word) {
  std::string text = "'";
  for (const auto c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::string command_line(const std::vector<std::string>& words) {
  std::string line;
  for (const auto& word : words) line += (line.empty() ? "" : " ") + quoted_if_needed(word);
  return line;
}

std::string as_called(std::string text, const std::string& binary) {
  const auto called = command_line({binary});
  for (const auto* command :
       {"init", "list", "explore", "replay", "web", "work", "analyse", "protocol", "COMMAND", "--help"}) {
    const auto written = std::string("harrier ") + command;
    const auto meant = called + " " + command;
    for (auto at = text.find(written); at != std::string::npos; at = text.find(written, at + meant.size()))
      text.replace(at, written.size(), meant);
  }
  return text;
}

}  // namespace harrier
