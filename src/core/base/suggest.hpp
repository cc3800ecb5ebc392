#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace harrier {

/// `; did you mean 'pi'?` for the candidate nearest to what was typed, or
/// nothing if none is near.
std::string suggestion(std::string_view typed, const std::vector<std::string>& candidates);

}  // namespace harrier
