#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <harrier/report/text.hpp>

namespace harrier {
namespace {

constexpr double many = 1e9;  // more is told by its order of magnitude

/// Two digits: no estimate is worth more.
std::string rough(double number) {
  if (number >= many) return fmt::format("10^{:.0f}", std::floor(std::log10(number)));
  const auto unit = number < 100 ? 1.0 : std::pow(10, std::floor(std::log10(number)) - 1);
  return with_commas(static_cast<std::uint64_t>(std::llround(number / unit) * std::llround(unit)));
}

}  // namespace

std::string share_of(const size_estimate& estimate) {
  const auto percent = std::min(100 * estimate.explored, 99.0);  // what is not at its end has something left
  const auto share = percent < 1 ? std::string("less than 1 %") : fmt::format("about {:.0f} %", percent);
  return fmt::format("{} of an estimated {} executions", share, rough(estimate.executions));
}

std::string outlook(const exploration& r) {
  std::string text;
  if (r.orders)
    text = fmt::format("There are about {} orders of deliveries (estimated, by {}).\n", rough(r.orders->executions),
                       count_of(r.orders->samples, "sample", "samples"));
  if (r.exhausted || !r.estimate) return text;
  const auto seconds = r.estimate->seconds_to_go;
  const auto matter = seconds < 3600      ? "a matter of minutes"
                      : seconds < 86400   ? "a matter of hours"
                      : seconds < 2592000 ? "a matter of days"
                                          : "hopeless without a bound, another engine or a stricter delivery model";
  return text + fmt::format("Engine {} would run about {} of them, for {} more: {}.\n", r.engine,
                            rough(r.estimate->executions), rough_time(seconds), matter);
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
