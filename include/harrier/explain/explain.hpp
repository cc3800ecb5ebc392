#pragma once

#include <cstddef>
#include <functional>

#include <harrier/core/delivery.hpp>
#include <harrier/core/finding.hpp>
#include <harrier/core/program.hpp>

namespace harrier {

/// How findings of a search are made readable.
struct explaining {
  /// Of the search.
  harrier::delivery delivery = harrier::delivery::unordered;
  /// Of the search, in deliveries; 0: none.
  std::size_t depth_limit = 0;
  /// Whether the time is over, so that no schedule that has deliveries is made readable any more. Null: it never is.
  std::function<bool()> is_late = nullptr;
  /// Whether nobody waits for it any more: a short one is made readable all the same. Null: somebody does.
  std::function<bool()> is_unwanted = nullptr;
};

/// Leaves out of the finding's schedule what does not lead to it: what does not happen before the step in which an
/// assertion failed or an exception left a handler. Other findings, and one that would not come any more, stay as they
/// are. What the program throws leaves them so, too.
/// @par Complexity  that of two runs of the schedule, one of them O(n^2) dependence checks at most.
void slice(finding& found, const program& tested, const explaining& how);

/// Makes the finding's trace, which is empty, from its schedule: as much of it as can be repeated. If that is not all,
/// a line of the details says why: the program does not follow its own schedule, the time is over, or it is more than a
/// gibibyte of text, and then the trace stays empty.
/// @par Complexity  that of the deliveries, and of describing each.
void complete(finding& found, const program& tested, const explaining& how);

}  // namespace harrier
