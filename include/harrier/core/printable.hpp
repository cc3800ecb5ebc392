#pragma once

#include <string>
#include <string_view>

namespace harrier {

/// `text` for a terminal, a line and JSON alike: valid UTF-8, in one line, and
/// nothing that moves a cursor or changes a colour. Control characters become
/// `\n`, `\t`, `\0` or `\x1b`, others that only steer the display (a change of
/// the writing direction, say) `\u202e`, bytes that are no UTF-8 `\xff`.
/// Backslashes and quotes stay, so doing it twice changes nothing.
std::string printable(std::string_view text);

/// The same for a text of several lines: line feeds stay.
std::string printable_lines(std::string_view text);

/// `text` as a literal of C++: in double quotes, printable, with `\"` and `\\`,
/// so that texts that differ look different.
std::string literal_of(std::string_view text);

/// `c` as a literal of C++, in single quotes.
std::string literal_of(char c);

}  // namespace harrier
