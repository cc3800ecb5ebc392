#pragma once

#include <cstddef>
#include <string>

namespace harrier {

/// How many columns the terminal behind a file descriptor has; 0: it is none,
/// or does not say.
std::size_t columns_of(int file);

/// `line`, cut with `...` if it is longer than a terminal of so many columns
/// shows in one line, so that it can be written over; 0: it is not cut. The
/// last column stays free: there some terminals begin the next line. A
/// character is taken for a column.
std::string cut_to_columns(std::string line, std::size_t columns);

}  // namespace harrier
