#pragma once

#include <string>

namespace harrier {

/// What a part of a report means, for its colour.
enum class tone { bad, good, open };

/// `text` in the colour of its meaning, if colours are wanted.
std::string painted(const std::string& text, tone meaning, bool in_colour);

}  // namespace harrier
