#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
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

/// Where a page is served.
struct page_service {
  std::string binary;      ///< as the user called it
  std::uint16_t port = 0;  ///< 0: any that is free
};

/// `--port`.
void bind_page(CLI::App& line, page_service& where);

/// What a command line does with `web` if it was built with the floor web.
struct explorer_floor {
  /// Serves the page until a signal comes, or the terminal is closed. @return the exit status.
  int (*run)(const explorable& what, const page_service& where);
};

/// That of this build; null: it has none. with_web.cpp or without_web.cpp.
const explorer_floor* built_in_explorer();

/// @throws error  `floor` is null: this build has no page.
int serve_page(const explorer_floor* floor, const explorable& what, const page_service& where);

}  // namespace harrier
