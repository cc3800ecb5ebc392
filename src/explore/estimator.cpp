#include "estimator.hpp"

#include <algorithm>

#include "explored_mass.hpp"

namespace harrier {
namespace {

/// So that nothing that is made of it overflows.
constexpr double greatest = 1e200;
constexpr auto free_time = std::chrono::milliseconds(1);
constexpr int most_of_the_time = 50;  // one part in so many

}  // namespace

void estimator::look() {
  const auto now = clock::now();
  looked_ = now;
  next_ = leaves_ + 1 + leaves_ / 64;
  is_late_ = true;
  if (gave_up_ || !search_.branches) return;
  // However slow the machine is: what was known of half as many leaves says little.
  const bool must = leaves_ >= 2 * leaves_seen_;
  if (!must && spent_ > free_time && most_of_the_time * spent_ > now - started_) return;
  try {
    search_.branches(path_);
  } catch (...) {  // a program that does not repeat itself, which is for others to tell
    has_looked_ = false;
    gave_up_ = true;
    return;
  }
  sizes_.look(path_, leaves_);
  const auto seen = static_cast<double>(leaves_);
  by_mass_ = std::clamp(seen / std::max(explored_mass(path_), 1 / greatest), seen, greatest);
  by_sizes_ = std::clamp(sizes_.estimate(), seen, greatest);
  leaves_seen_ = leaves_;
  has_looked_ = true;
  is_late_ = false;
  spent_ += clock::now() - now;
}

std::optional<size_estimate> estimator::estimate(std::uint64_t executions, bool ended) const {
  if (!has_looked_) return std::nullopt;
  const auto seen = static_cast<double>(leaves_);
  const auto all = ended ? seen : std::max(seen, by_mass_);
  size_estimate e;
  // How good a guess is depends on how much was known when it was made.
  e.explored = (is_late_ && !ended ? static_cast<double>(leaves_seen_) : seen) / all;
  e.executions = static_cast<double>(executions) * all / seen;
  const auto passed = std::chrono::duration<double>(clock::now() - started_).count();
  e.seconds_to_go = passed * (all - seen) / seen;
  e.by_explored_mass = ended ? seen : std::max(by_mass_, seen);
  e.by_subtree_sizes = ended ? seen : std::max(by_sizes_, seen);
  return e;
}

}  // namespace harrier
