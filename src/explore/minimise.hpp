#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// How much a schedule asks of its reader: what comes first weighs more.
struct effort {
  std::size_t extras = 0;  ///< what befell somebody, and timers that fired
  std::size_t deliveries = 0;
  std::size_t overtakings = 0;  ///< deliveries while something that was sent before was still under way
  std::uint64_t drawn = 0;      ///< the values drawn, in all
  auto operator<=>(const effort&) const = default;
};

/// Of the execution that a system is in.
effort effort_so_far(const system& s);
/// @pre  it is a schedule of that program
effort effort_of(const schedule& way, const program& tested, const options& how);

/// How long a better schedule is looked for.
struct patience {
  /// How many are tried at most. That is what ends it, the same way each time, unless handlers are slow.
  std::size_t attempts;
  std::chrono::steady_clock::time_point until;
  /// Asked before each of them.
  std::function<bool()> is_over = [] { return false; };
};

/// What options::judging allows for, for one of so many findings.
patience patience_of(const options& how, std::size_t findings);

/// Looks for a schedule of what was found that asks less of its reader (delta debugging: Zeller, Hildebrandt, TSE 2002,
/// of deliveries): leaves out what befell somebody and what timers did, then runs of deliveries, halves of them first;
/// then delivers what was sent first; then draws lower values. What follows a change is made to happen as far as it
/// still can (where what sent a message is left out, by another message that reads the same), and an execution that has
/// to end comes to its end by itself. Each schedule that is taken was replayed, and showed the finding. It is one from
/// which no single change leads to a better one, unless the time ran out.
///
/// Deviation: faults weigh more than deliveries, since one that is shown is taken for a cause.
void minimise(finding& found, const program& tested, const options& how, const patience& with);

}  // namespace harrier
