#pragma once

#include <string>

#include <harrier/cli/main.hpp>

namespace harrier {

/// The examples of `text`, `harrier explore server` and the like, with the first of `programs` wherever they name one
/// that is not among these; what stands further to the right keeps its column. Without programs they stay as they are.
std::string with_own_programs(const std::string& text, const std::vector<catalogue_entry>& programs);

}  // namespace harrier
