#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <harrier/report/trace_file.hpp>

#include "analyse_command.hpp"
#include "commands.hpp"
#include "explore/broker_options.hpp"
#include "explore/judges.hpp"
#include "explore/page_file.hpp"
#include "web_command.hpp"

namespace harrier {

/// What `harrier replay` was asked.
struct replay_options {
  std::string file;
  bool step_by_step = false;
  bool in_process = false;
  /// The page that is to be written afterwards; empty: none. For who replays in a process that never comes back here.
  std::string report = {};
};

/// Trace files that are not about a program of the catalogue.
struct trace_kind {
  bool (*is_one)(const trace_file& trace);
  /// Does `harrier replay`. @return the exit status. @throws error  what the
  /// trace is about does not do what it says.
  int (*replay)(const trace_file& trace, const replay_options& how);
};

/// What a command line has beside `list`, `explore` and `replay` of programs:
/// the floors above explore and isolation that it was built with.
struct extensions {
  /// Each makes a request for judges of its kind in which nothing is asked yet.
  std::vector<std::unique_ptr<asked_judges> (*)()> judges = {};
  /// Adds subcommands. The first that was parsed is run, so one within another
  /// stands before it.
  std::function<std::vector<command>(CLI::App& app)> add_commands = {};
  std::vector<trace_kind> traces = {};
  /// What `--until FORMULA` says; null: this build cannot.
  formula_reader* follows_until_formula = nullptr;
  /// Lines for the examples of `harrier explore --help`.
  std::string explore_examples = {};
  /// What `explore --broker` and `work` do; null: this build cannot.
  const broker_floor* at_broker = built_in_broker();
  /// What `analyse` does; null: this build cannot.
  const analyse_floor* reads_sources = built_in_analyser();
  /// What `--report` writes; null: this build cannot.
  const page_floor* makes_pages = built_in_page_floor();
  /// What `web` does; null: this build cannot.
  const explorer_floor* explores = built_in_explorer();
};

/// Those of this build: with_protocol.cpp or without_protocol.cpp.
const extensions& built_in_extensions();

/// harrier::main with other extensions than this build's.
int main(int argc, char** argv, const catalogue& programs, const extensions& more);

}  // namespace harrier
