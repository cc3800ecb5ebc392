#pragma once

#include "../../core/dependence/late_dependence.hpp"
#include "parts.hpp"

namespace harrier {

/// Where races are seen late (dependence::foresees_all).
struct late_parts : parts {
  using dependence = late_dependence;
};

}  // namespace harrier
