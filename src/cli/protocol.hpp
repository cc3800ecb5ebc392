#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace harrier {

/// `harrier protocol states|check|generate|graph`.
struct protocol_command {
  CLI::App* line;
  std::function<int()> run;  ///< when the command line names it; the exit status
};

/// @throws (by `run`) error  for input that it cannot take.
[[nodiscard]] protocol_command add_protocol_command(CLI::App& app);

}  // namespace harrier
