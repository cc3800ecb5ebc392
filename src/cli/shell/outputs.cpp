#include "outputs.hpp"

#include <fmt/format.h>

#include <harrier/core/printable.hpp>

#include "console.hpp"

namespace harrier {

int outputs::conclude(int otherwise) const {
  for (const auto& what : lost_) say_aside(fmt::format("harrier: {}\n", printable_lines(what)));
  return lost_.empty() ? otherwise : with_lost_output(otherwise);
}

}  // namespace harrier
