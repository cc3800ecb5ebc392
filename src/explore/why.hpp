#pragma once

#include <cstddef>
#include <functional>

#include <harrier/core/explanation.hpp>
#include <harrier/core/finding.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// How far a search for a reason has come: how many changes were tried, and with how many deliveries.
struct tried_so_far {
  std::size_t changes = 0;
  std::size_t deliveries = 0;
  /// Of these changes, how many lead nobody knows where: to an execution that is too long, or kills the process.
  std::size_t undecided = 0;
};

/// Whether a reason is looked for at all: not for a finding about the search itself, nor for one of more than 2,000
/// deliveries.
bool has_a_why(const finding& found);

/// Why `found` comes about: the last thing that is not necessary, and without which nothing is found. In this order:
/// a fault; two deliveries of one actor that could come in the other order, a delivery that could come before one of
/// these, or a timer that fires; a value drawn by `choose`. What follows the change is made to happen as it was as
/// far as possible, and then what is left, oldest first, to the end.
///
/// Stops after 100,000 deliveries, and says then that it did. What kills the process kills the one that calls this: it
/// is for a child process.
///
/// @param tested   with its faults.
/// @param found    with its trace.
/// @param so_far   what was tried before, which is not tried again.
/// @param about_to told before each change is tried.
/// @return no sentence if the finding's schedule cannot be repeated
/// @par Complexity  that of the deliveries; O(n^2) questions about races for a schedule of n.
explanation why_found(
    const program& tested, const options& how, const finding& found, tried_so_far so_far = {},
    const std::function<void(const tried_so_far&)>& about_to = [](const tried_so_far&) {});

}  // namespace harrier
