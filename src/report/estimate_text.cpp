#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <harrier/report/text.hpp>

#include "../core/base/likely_size.hpp"

namespace harrier {
namespace {

constexpr double many = 1e9;  // more is told by its order of magnitude

/// Two digits: no estimate is worth more.
std::string rough(double number) {
  if (number >= many) return fmt::format("10^{:.0f}", std::floor(std::log10(number)));
  const auto unit = number < 100 ? 1.0 : std::pow(10, std::floor(std::log10(number)) - 1);
  return with_commas(static_cast<std::uint64_t>(std::llround(number / unit) * std::llround(unit)));
}

std::string_view matter_of(double seconds) {
  return seconds < 3600 ? "minutes" : seconds < 86400 ? "hours" : seconds < 2592000 ? "days" : "";
}

/// How long the rest takes, and the most that it is likely to take.
std::string matter_of(const size_estimate& e, double most_executions) {
  const auto said = matter_of(e.seconds_to_go);
  if (said.empty()) return "hopeless without a bound, another engine or a stricter delivery model";
  const auto to_go = e.executions * (1 - e.explored);
  const auto seen = e.executions * e.explored;
  const auto worst = matter_of(to_go > 0 ? e.seconds_to_go * (most_executions - seen) / to_go : 0);
  if (worst == said) return fmt::format("a matter of {}", said);
  return fmt::format("a matter of {}, at worst {}", said, worst.empty() ? "months" : worst);
}

}  // namespace

std::string share_of(const size_estimate& estimate) {
  const auto percent = std::min(100 * estimate.explored, 99.0);  // what is not at its end has something left
  const auto share = percent < 1 ? std::string("less than 1 %") : fmt::format("about {:.0f} %", percent);
  const auto all = rough(estimate.executions);
  return fmt::format("{} of an estimated {} {}", share, all, all == "1" ? "execution" : "executions");
}

std::string outlook(const exploration& r) {
  std::string text;
  if (r.orders)
    text = fmt::format("There are about {} orders of deliveries (estimated, by {}).\n", rough(r.orders->executions),
                       count_of(r.orders->samples, "sample", "samples"));
  if (r.exhausted || !r.estimate) return text;
  const auto likely = likely_size_of(*r.estimate, false);
  return text + fmt::format("Engine {} would run about {} of them (likely from {} to {}), for {} more: {}.\n", r.engine,
                            rough(r.estimate->executions), rough(likely.at_least), rough(likely.at_most),
                            rough_time(r.estimate->seconds_to_go), matter_of(*r.estimate, likely.at_most));
}

std::string rough_time(double seconds) {
  struct unit {
    double seconds;
    std::string_view name;
  };
  constexpr auto units = std::to_array<unit>({{365.25 * 86400, "years"}, {86400, "days"}, {3600, "h"}, {60, "min"}});
  for (const auto& u : units)
    if (seconds >= 2 * u.seconds) return fmt::format("{} {}", rough(seconds / u.seconds), u.name);
  return rough(seconds) + " s";
}

}  // namespace harrier
