#pragma once

#include "../../core/dependence/semantic_dependence.hpp"
#include "parts.hpp"

namespace harrier {

struct semantic_parts : parts {
  using dependence = semantic_dependence;
};

}  // namespace harrier
