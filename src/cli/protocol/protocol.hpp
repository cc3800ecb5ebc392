#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/program.hpp>
#include <harrier/protocol/check.hpp>
#include <harrier/protocol/value.hpp>

#include "../cli11.hpp"

namespace harrier {

/// Which protocol, and how it is enforced: what `harrier protocol` is given.
struct protocol_choice {
  std::string file;
  std::vector<std::string> session;
  std::string mode = "strict";
  std::string on = "module";
  std::string in_namespace = "protocols";
  std::vector<std::string> types;
  std::vector<std::string> includes;
  std::string types_file;
  std::size_t max_states = 1'000'000;
  std::size_t capacity = 0;
  /// What the limit of time is counted from.
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  double time_limit = 0;       ///< seconds; 0: none
  std::size_t max_memory = 0;  ///< MiB of the process; 0: none
  protocol::proof_limits proof = {};
  std::size_t max_header = 0;  ///< MiB of a generated one; 0: no limit
};

/// A protocol as a program, with what it stands on.
struct opened_protocol {
  std::shared_ptr<void> stands_on;
  program made;
};

/// Parses, generates, compiles and loads. @throws error
[[nodiscard]] opened_protocol open_protocol(const protocol_choice& choice);

/// What `check --save-trace` does.
struct run_saver {
  /// Before the search: whether the file can be written. @throws error
  std::function<void(const std::string& file)> prepare;
  /// After it, with the first violating run.
  std::function<void(const std::string& file, const protocol_choice& choice, const std::string& formula,
                     const std::string& ends, const protocol::described_lasso& run)>
      save;
};

/// `harrier protocol states|check|generate|graph`.
struct protocol_command {
  CLI::App* line;
  std::function<int()> run;  ///< when the command line names it; the exit status
};

/// @param saver  empty: there is no `--save-trace`.
/// @throws (by `run`) error  for input that it cannot take.
[[nodiscard]] protocol_command add_protocol_command(CLI::App& app, const run_saver& saver = {});

/// Of `--ends`. @pre it is one of ignore, stutter, finite
[[nodiscard]] run_ends ends_of(const std::string& word);
[[nodiscard]] std::string name_of(run_ends ends);
/// As JSON and traces have it.
[[nodiscard]] std::string name_of(lasso_end end);

/// What `compile_and_run` gives, a command with an option `--on`. @throws error
/// that names that option where there is no compiler, or none that helps.
[[nodiscard]] int or_advise(const std::function<int()>& compile_and_run);

/// The options that say which protocol, for a subcommand.
void bind_choice(CLI::App& line, protocol_choice& choice);

/// @throws error  `line` was given the capacity of queues, and there are none in that mode.
void require_queues(const CLI::App& line, const std::string& mode);

/// @throws error  there is no such file.
[[nodiscard]] std::string read_file(const std::string& name);
/// The formula that `argument` is, or that is in the file of that name.
[[nodiscard]] std::string formula_text(const std::string& argument);
/// Of what follows `--session`: the name, without colons, and the arguments' values.
[[nodiscard]] std::string session_name(const std::vector<std::string>& words);
[[nodiscard]] std::vector<protocol::value> session_arguments(const std::vector<std::string>& words);

}  // namespace harrier
