#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <harrier/core/finding.hpp>

namespace harrier {

/// Why an order of deliveries leads to a finding: what could have been otherwise, and the order in which it is.
struct explanation {
  /// What decides it, in a sentence or two for a person. Empty: it was not looked for.
  std::string sentence = {};
  /// The nearest order that passes: an execution to its end in which nothing is found. Empty: none is known.
  std::vector<trace_step> steps = {};
  /// How many deliveries that order begins with that the failing one begins with, too.
  std::size_t alike = 0;

  bool operator==(const explanation&) const = default;
};

}  // namespace harrier
