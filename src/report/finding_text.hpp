#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <harrier/report/text.hpp>

#include "paint.hpp"

namespace harrier {

/// to_text(finding) with a heading of that tone: an error or a warning.
std::string text_of(const finding& found, const text_style& style, std::string_view lead, tone heading);

/// A finding about the end of an execution, not about its last step.
bool is_about_the_end(const finding& found);

/// `6 deliveries lead to it`.
std::string length_of(const finding& found);

/// How many bytes of `text` the first `most` are without a part of a character (of UTF-8). @pre most <= text.size()
std::size_t whole_characters(std::string_view text, std::size_t most);

}  // namespace harrier
