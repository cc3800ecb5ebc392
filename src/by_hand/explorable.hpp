#pragma once

#include <functional>
#include <string>

#include <harrier/core/finding.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>
#include <harrier/isolation/isolated_search.hpp>
#include <harrier/report/json.hpp>

namespace harrier {

/// What is gone through by hand.
struct explorable {
  std::string name;
  /// An object: what it was made from, for people to read.
  json_value parameters;
  program made;
  /// How it is run and judged. Its delivery model is said.
  options how;
  isolation_options apart = {};
  /// Its one actor is a protocol, and its messages are what roles of that do.
  bool is_protocol = false;
  /// The text of a trace file of that finding, which `harrier replay` reads. @pre its trace and schedule are there, and
  /// it is of no execution (occurrences) if nothing was found.
  std::function<std::string(const finding& found)> trace_text;
};

}  // namespace harrier
