#pragma once

#include <string>
#include <string_view>

#include <harrier/report/text.hpp>

#include "paint.hpp"

namespace harrier {

/// to_text(finding) with a heading of that tone: an error or a warning.
std::string text_of(const finding& found, const text_style& style, std::string_view lead, tone heading);

}  // namespace harrier
