#include "observers.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "independences.hpp"
#include "search_plan.hpp"

namespace harrier {
namespace {

/// An execution of n deliveries takes n^2 / 8 bytes: 8 MiB, or 512 for who asks for it.
std::size_t longest_with_observers(const options& how) {
  return how.search.observers || how.search.independence != independence::receiver ? 65'536 : 8'192;
}

}  // namespace

bool are_observers_told(const system& tested, const options& how) {
  return require_independence("optimal", tested, how).tells_observers;
}

optimal_options options_of_optimal(const system& tested, const options& how) {
  return {.ordering = how.search.ordering.name(),
          .observers = are_observers_told(tested, how),
          .independence = how.search.independence,
          .longest_with_observers = longest_with_observers(how)};
}

source_options options_of_source(const system& tested, const options& how) {
  const auto plan = require_independence("source", tested, how);
  return {.ordering = how.search.ordering.name(), .independence = plan.independence};
}

options without_observers(const options& how) {
  auto plain = how;
  plain.search.observers = false;
  plain.search.independence = independence::receiver;
  plain.kept.resume.clear();
  return plain;
}

std::string why_without_observers(const options& how) {
  return fmt::format("{} were not told apart: an execution has more than {} deliveries",
                     how.search.independence == independence::receiver
                         ? "observers"
                         : independence_as(how.search.independence).told_apart,
                     longest_with_observers(how));
}

}  // namespace harrier
