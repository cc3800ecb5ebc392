#include "measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include <harrier/core/error.hpp>

namespace harrier {
namespace {

bool has_declaration(const analysed_handler& h) { return !h.declaration.empty(); }

void withdraw(analysed_handler& h, const std::string& why) {
  h.declaration.clear();
  h.left_out.push_back({h.where, why});
}

std::string executions_of(std::uint64_t n) { return fmt::format("{} execution{}", n, n == 1 ? "" : "s"); }

/// `1,024 executions...`, at the beginning of the text.
std::optional<std::uint64_t> executions_at_start(std::string_view text) {
  std::uint64_t n = 0;
  std::size_t i = 0;
  for (; i < text.size() && (std::isdigit(static_cast<unsigned char>(text[i])) != 0 || text[i] == ','); ++i)
    if (text[i] != ',') n = 10 * n + static_cast<std::uint64_t>(text[i] - '0');
  return i > 0 && text.substr(i).starts_with(" execution") ? std::optional(n) : std::nullopt;
}

/// What one line tells.
std::optional<std::uint64_t> executions_of_line(std::string_view line) {
  if (line.find(" deliver") != std::string_view::npos) return executions_at_start(line);
  constexpr std::string_view explored = "[ EXPLORED ] ";
  const auto colon = line.find(": ");
  if (!line.starts_with(explored) || colon == std::string_view::npos) return std::nullopt;
  return executions_at_start(line.substr(colon + 2));
}

bool tells_of_a_stop(std::string_view line) {
  return line.starts_with("Stopped by") || line.starts_with("[ PARTIAL") || line.starts_with("[ SAMPLED");
}

}  // namespace

measured_declarations measure(analysed_source& source,
                              const std::function<std::uint64_t(const analysed_source&)>& count) {
  auto none = source;
  for (auto& h : none.handlers) h.declaration.clear();
  measured_declarations all{.without = count(none), .with = count(source)};
  if (all.with <= all.without) return all;
  for (std::size_t i = 0; i < source.handlers.size(); ++i) {
    if (!has_declaration(source.handlers[i])) continue;
    auto less = source;
    less.handlers[i].declaration.clear();
    const auto then = count(less);
    if (then >= all.with) continue;
    const auto& h = source.handlers[i];
    const auto why =
        fmt::format("withdrawn: {} with this declaration, {} without", executions_of(all.with), executions_of(then));
    all.withdrawn.push_back(fmt::format("{}::{}: {}", h.of_class, h.name, why));
    withdraw(source.handlers[i], why);
    all.with = then;
  }
  if (all.with <= all.without) return all;
  for (auto& h : source.handlers)
    if (has_declaration(h)) {
      const auto why = fmt::format("withdrawn with all others: together they need {}, none {}", executions_of(all.with),
                                   executions_of(all.without));
      all.withdrawn.push_back(fmt::format("{}::{}: {}", h.of_class, h.name, why));
      withdraw(h, why);
    }
  all.with = all.without;
  return all;
}

std::uint64_t executions_in(std::string_view printed) {
  std::uint64_t sum = 0;
  bool is_known = false;
  while (!printed.empty()) {
    const auto end = std::min(printed.find('\n'), printed.size());
    const auto line = printed.substr(0, end);
    printed.remove_prefix(std::min(end + 1, printed.size()));
    if (tells_of_a_stop(line))
      throw error(
          fmt::format("not all was explored, so executions cannot be compared: {} (for `explore`, add --keep-going; "
                      "a smaller program will do)",
                      line));
    if (const auto n = executions_of_line(line)) {
      sum += *n;
      is_known = true;
    }
  }
  if (!is_known)
    throw error("it does not say how many executions there are: it has to explore a program, or to run tests");
  return sum;
}

}  // namespace harrier
