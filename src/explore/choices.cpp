#include <harrier/explore/choices.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

#include "engines.hpp"

namespace harrier {

engine_choice::engine_choice(std::string_view name) {
  if (name == name_) return;
  const auto* const found = find_engine(name);
  if (found == nullptr)
    throw error(fmt::format("unknown engine '{}'; there are {}", name, fmt::join(engine_names(), ", ")));
  name_ = found->name;
}

ordering_choice::ordering_choice(std::string_view name) {
  static const auto all = ordering_names();  // which name_ goes on pointing to
  const auto found = std::find(all.begin(), all.end(), name);
  if (found == all.end()) throw error(fmt::format("unknown ordering '{}'; there are {}", name, fmt::join(all, ", ")));
  name_ = *found;
}

}  // namespace harrier
