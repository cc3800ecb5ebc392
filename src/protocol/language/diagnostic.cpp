#include <harrier/protocol/diagnostic.hpp>

#include <algorithm>
#include <set>

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

std::vector<diagnostic> shortened(std::span<const diagnostic> all) {
  std::vector<diagnostic> shown;
  std::set<std::string> known;
  for (const auto& d : all) {
    if (known.insert(to_string(d)).second) shown.push_back(d);
  }
  if (shown.size() <= max_shown_diagnostics) return shown;
  const auto is_error = [](const diagnostic& d) { return d.level == severity::error; };
  const auto warnings = std::stable_partition(shown.begin(), shown.end(), is_error);
  const auto first_left_out = shown.begin() + max_shown_diagnostics;
  const auto errors = std::max<std::ptrdiff_t>(0, warnings - first_left_out);
  diagnostic count{errors != 0 ? severity::error : severity::warning, all[0].file, {}, {}, {}, {}};
  const auto others = shown.end() - first_left_out - errors;
  count.message = errors == 0   ? fmt::format("and {} more warnings", others)
                  : others == 0 ? fmt::format("and {} more errors", errors)
                                : fmt::format("and {} more errors and {} warnings", errors, others);
  shown.erase(first_left_out, shown.end());
  shown.push_back(std::move(count));
  return shown;
}

bool has_errors(std::span<const diagnostic> all) {
  return std::any_of(all.begin(), all.end(), [](const diagnostic& d) { return d.level == severity::error; });
}

}  // namespace harrier::protocol
