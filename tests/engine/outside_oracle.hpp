#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "observed.hpp"
#include "outside_trace.hpp"

/// An oracle that shares nothing with harrier: engines and `exhaustive` are
/// compared with each other, but all of them ask one core who can take what.
/// Here the delivery models are written down once more, from their definitions.
namespace harrier::differential::outside {

/// Everything that can happen in a program.
struct everything {
  std::set<std::string> traces;  ///< as text_of says
  std::uint64_t executions = 0;
  bool is_too_large = false;
  bool is_untestable = false;  ///< the set-up draws or finds something
};

/// All executions of `tables`, one after the other, by the definition of `model`.
/// A step that fails ends its actor only.
/// @param may_be_lost  so many messages of each channel, each at any time before it is taken
everything by_definition(const litmus::random_program& tables, delivery model, limits most,
                         std::uint64_t may_be_lost = 0);

/// The same as harrier's exhaustive search finds it.
everything by_exhaustive(const litmus::random_program& tables, delivery model, limits most,
                         std::uint64_t may_be_lost = 0);

/// What comparing the two on one program gave.
struct comparison {
  bool fits = false;  ///< the program is not too large
  everything expected;
  std::string difference;  ///< the first one, and the program; empty if there is none
};

/// Compares the two: the traces, and in how many executions they are come by (unless messages can be lost, which the
/// definition lets happen at many moments). Larger programs than `most` do not fit.
comparison compare_with_outside(const litmus::random_program& tables, delivery model, limits most,
                                std::uint64_t may_be_lost = 0);

}  // namespace harrier::differential::outside
