#pragma once

#include "../../core/dependence/observing_dependence.hpp"
#include "parts.hpp"

namespace harrier {

struct observing_parts : parts {
  using dependence = observing_dependence;
};

}  // namespace harrier
