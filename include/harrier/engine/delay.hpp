#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

struct delay_options {
  /// Those with fewer deviations are left out: they were run.
  std::uint64_t first = 0;
  /// The search ends when all executions with so many deviations have been run,
  /// at least `first`.
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

/// What a delay-bounded search says of itself.
struct delay_report {
  /// All executions with fewer deviations than that were run. While the search
  /// runs: how many deviations those have that it is at.
  std::uint64_t within = 0;
};

/// Delay-bounded search: all executions with no deviation from a deterministic
/// scheduler, then all with one, with two, and so on, each execution once.
///
/// The scheduler delivers the message that was sent first, of those that can be
/// delivered, and a handler's draws give 0. A deviation is to *delay* that
/// message: it goes behind all others, sent or to be sent; or a draw that does not
/// give 0.
///
/// It is explored when all executions there are were run: those that exhaustive
/// runs. Of several workers who has nothing to do takes over what another one would
/// have tried last in the same round. Gone on with, it may have other bounds: it
/// begins where it was stopped, and ends at options::most deviations.
///
/// @param report  is true whenever nobody works.
/// @par Complexity  O((n a)^d) executions with d deviations, n the deliveries of
///      one and a the values of a draw; each round repeats the deliveries of the
///      round before. O(pending messages) a delivery.
/// @par Source  M. Emmi, S. Qadeer, Z. Rakamaric: Delay-Bounded Scheduling, POPL 2011.
/// @par Deviations  see src/engine/delay.cpp.
std::unique_ptr<shared_search> share_delay(const delay_options& how, delay_report& report);

}  // namespace harrier
