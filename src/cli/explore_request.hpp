#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include <harrier/explore/options.hpp>
#include <harrier/isolation/isolated_search.hpp>

#include "judges.hpp"

namespace harrier {

/// What `harrier explore` was asked for.
struct explore_request {
  explicit explore_request(const extensions& more) : judged_by(more) {}

  std::string program;
  std::vector<std::string> parameters;
  options how;
  judgement judged_by;
  bool in_process = false;
  isolation_options apart;
  std::string json;        ///< a file, or `-`; empty: none
  std::string save_trace;  ///< a file; empty: none
  bool show_progress = true;
};

/// Binds the options of `explore` to `request`, which must outlive the parse.
/// Parsing throws error for a value that is none, or that this build lacks.
void bind_options(CLI::App& line, explore_request& request);

/// `--in-process` and `--handler-limit`, which `replay` has too.
void bind_isolation(CLI::App& line, bool& in_process, isolation_options& apart);

}  // namespace harrier
