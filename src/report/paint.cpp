#include "paint.hpp"

#include <fmt/color.h>

namespace harrier {

std::string painted(const std::string& text, tone meaning, bool in_colour) {
  if (!in_colour) return text;
  switch (meaning) {
    case tone::bad: return fmt::format(fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red), "{}", text);
    case tone::good: return fmt::format(fmt::emphasis::bold | fmt::fg(fmt::terminal_color::green), "{}", text);
    case tone::open: return fmt::format(fmt::emphasis::bold | fmt::fg(fmt::terminal_color::yellow), "{}", text);
  }
  return text;
}

}  // namespace harrier
