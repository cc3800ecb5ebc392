#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/protocol/value.hpp>

namespace harrier {

/// `harrier protocol states|check|generate|graph`.
struct protocol_command {
  CLI::App* line;
  std::function<int()> run;  ///< when the command line names it; the exit status
};

/// @throws (by `run`) error  for input that it cannot take.
[[nodiscard]] protocol_command add_protocol_command(CLI::App& app);

/// @throws error  there is no such file.
[[nodiscard]] std::string read_file(const std::string& name);
/// The formula that `argument` is, or that is in the file of that name.
[[nodiscard]] std::string formula_text(const std::string& argument);
/// Of what follows `--session`: the name, without colons, and the arguments' values.
[[nodiscard]] std::string session_name(const std::vector<std::string>& words);
[[nodiscard]] std::vector<protocol::value> session_arguments(const std::vector<std::string>& words);

}  // namespace harrier
