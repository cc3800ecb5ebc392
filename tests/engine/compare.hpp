#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../litmus/random_program.hpp"
#include "observed.hpp"

namespace harrier::differential {

/// What comparing all searches on one program gave.
struct comparison {
  bool fits = false;  ///< the program is neither too large nor without any choice
  observed oracle;
  std::map<std::string, std::uint64_t> executions, blocked;  ///< by search
  std::vector<std::string> differences;                      ///< empty: all agree
};

/// Programs with more executions than that are left out.
inline constexpr limits largest_program{3000, 30'000};

/// Where a search is stopped that explores far more than the oracle does.
inline constexpr limits much_larger{12'000, 300'000};

/// What can happen in `tested`; nothing if it is too large, has one execution only, or fails before its first message.
std::optional<observed> oracle_of(const program& tested, watch_for what = {}, limits largest = largest_program);

/// Compares every search with the oracle; the ordering rotates with the seed.
/// Programs with one execution only do not fit.
comparison compare(const litmus::random_program& tables, watch_for what = {});
/// The same for any program, by `seed`.
comparison compare(const program& tested, std::uint64_t seed, watch_for what, limits largest = largest_program);

/// What is wrong with what a search showed that may leave out executions of which others have all findings and ends,
/// but runs none twice; empty: nothing.
std::string difference_in_ends(const observed& oracle, const observed& seen);

/// The ordering for programs of that seed.
std::string ordering_for(std::uint64_t seed);

/// The smallest program, made from `tables` by leaving things out, on which `wrong` still holds.
template <class Wrong>
litmus::random_program minimise(litmus::random_program tables, Wrong wrong) {
  for (bool smaller_found = true; smaller_found;) {
    smaller_found = false;
    for (auto& candidate : litmus::smaller(tables))
      if (wrong(candidate)) {
        tables = std::move(candidate);
        smaller_found = true;
        break;
      }
  }
  return tables;
}

}  // namespace harrier::differential
