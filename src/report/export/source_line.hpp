#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/finding.hpp>

namespace harrier {

/// A line of a source.
struct source_line {
  std::string file;
  std::uint32_t line = 0;

  bool operator==(const source_line&) const = default;
};

/// A text of trace_step::findings in its parts: `assertion: two reads agree (server.cpp:12)`.
struct located_text {
  std::string text;
  std::optional<source_line> where = {};
};
located_text located(std::string_view text);

/// The deliveries in which something was found at a line, other than `found` itself; a number from 1 for each.
struct located_step {
  std::size_t number = 0;
  std::string text;
  source_line where;
};
std::vector<located_step> located_steps(const finding& found);

/// The deliveries that lead to it, a line each, `1. client_1.start()`; of many the first and the last. Printable.
std::vector<std::string> story_of(const finding& found, std::size_t most);

/// `assertion`'s own words and its actor: `two reads in a row agree, in client_1`. Printable.
std::string summary_line(const finding& found);

}  // namespace harrier
