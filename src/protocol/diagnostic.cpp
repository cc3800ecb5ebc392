#include <harrier/protocol/diagnostic.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <harrier/core/printable.hpp>

namespace harrier::protocol {

std::string to_string(const diagnostic& d) {
  std::string text = d.file;
  if (d.at.line != 0) text += fmt::format(":{}:{}", d.at.line, d.at.column);
  text += d.level == severity::error ? ": error: " : ": warning: ";
  if (!d.construct.empty()) text += d.construct + ": ";
  text += d.message;
  if (!d.expected.empty()) text += fmt::format(" (expected {})", d.expected);
  return printable(text);
}

std::string to_string(std::span<const diagnostic> all) {
  std::string text;
  for (const auto& d : all) text += to_string(d) + '\n';
  return text;
}

bool has_errors(std::span<const diagnostic> all) {
  return std::any_of(all.begin(), all.end(), [](const diagnostic& d) { return d.level == severity::error; });
}

}  // namespace harrier::protocol
