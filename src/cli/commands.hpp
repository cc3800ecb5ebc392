#pragma once

#include <functional>

#include "cli11.hpp"
#include "explore/chosen_program.hpp"
#include "shell/outputs.hpp"

namespace harrier {

struct extensions;

/// What harrier::main returns.
enum exit_status : int {
  explored_completely = 0,
  found_something = 1,
  wrong_usage = 2,
  stopped_by_a_limit = 3,
  untestable = 4,
  lost_an_output = output_lost,
};

/// A subcommand: its options are bound when it is added, `run` is called when
/// the command line names it. Throws error for input that it cannot take.
struct command {
  CLI::App* line;
  std::function<int()> run;
};

command add_analyse(CLI::App& app, const extensions& more);
command add_init(CLI::App& app);
command add_list(CLI::App& app, const catalogue& programs);
command add_explore(CLI::App& app, const catalogue& programs, const extensions& more);
command add_work(CLI::App& app, const catalogue& programs, const extensions& more);
command add_web(CLI::App& app, const catalogue& programs, const extensions& more);
command add_replay(CLI::App& app, const catalogue& programs, const extensions& more);

}  // namespace harrier
