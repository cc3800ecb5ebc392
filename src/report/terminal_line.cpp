#include "terminal_line.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <string_view>

namespace harrier {
namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

/// Where the character `number` of `text` begins; its end, if there are no more.
std::size_t offset_of(std::string_view text, std::size_t number) {
  std::size_t at = 0;
  for (; at < text.size(); ++at)
    if (begins_character(text[at]) && number-- == 0) break;
  return at;
}

}  // namespace

std::size_t columns_of(int file) {
  winsize size{};
  return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string cut_to_columns(std::string line, std::size_t columns) {
  constexpr std::string_view dots = "...";
  if (columns == 0 || offset_of(line, columns - 1) == line.size()) return line;
  if (columns <= dots.size()) return line.substr(0, offset_of(line, columns - 1));
  return line.substr(0, offset_of(line, columns - 1 - dots.size())) + std::string(dots);
}

}  // namespace harrier
