#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include <harrier/core/exploration.hpp>

namespace harrier {

/// Between how many executions the truth is likely to be that an estimate guesses.
struct likely_size {
  double at_least;
  double at_most;
};

/// What estimates of programs whose number of executions is known were wrong by at most (bench/README.md, "How good the
/// estimate is"), by the share that they said was run. Most are wrong by much less: a reduction plans late, so that
/// they are too low where all goes through one actor, and nothing tells such a program from others before half of it
/// was run.
/// @param ended  the search is over: then it is no guess.
inline likely_size likely_size_of(const size_estimate& e, bool ended) {
  if (ended) return {e.executions, e.executions};
  struct experience {
    double explored;  // from this share on
    double too_high;
    double too_low;
  };
  constexpr auto all =
      std::to_array<experience>({{0.85, 1.5, 2.5}, {0.3, 2, 5}, {0.12, 4, 6}, {0.02, 4, 15}, {0, 10, 15}});
  constexpr double too_few = 100;
  const auto seen = e.executions * e.explored;
  const auto known = seen < too_few ? 0 : e.explored;
  const auto& wrong_by = *std::find_if(all.begin(), all.end(), [&](const auto& x) { return known >= x.explored; });
  return {std::max(seen, e.executions / wrong_by.too_high),
          std::min(e.executions, std::numeric_limits<double>::max() / wrong_by.too_low) * wrong_by.too_low};
}

}  // namespace harrier
