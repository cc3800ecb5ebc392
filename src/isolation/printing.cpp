#include "printing.hpp"

#include <stdio_ext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>

namespace harrier {
namespace {

std::array<char, 4096> last_printed{};

bool is_line_buffered() {
  const bool is_used = __fbufsize(stdout) > 0;
  return is_used ? __flbf(stdout) != 0 : isatty(STDOUT_FILENO) == 1;
}

}  // namespace

void watch_printing() {
  std::cout.flush();
  std::fflush(stdout);
  if (__fbufsize(stdout) == 1) return;  // the program wants none
  last_printed.fill('\0');
  std::setvbuf(stdout, last_printed.data(), is_line_buffered() ? _IOLBF : _IOFBF, last_printed.size());
}

bool was_printed() {
  std::cout.flush();
  return std::any_of(last_printed.begin(), last_printed.end(), [](char c) { return c != '\0'; });
}

}  // namespace harrier
