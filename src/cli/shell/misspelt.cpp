#include "misspelt.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "../../core/base/suggest.hpp"

namespace harrier {
namespace {

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

}  // namespace

const CLI::App& innermost(const CLI::App& app) {
  const auto* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

std::string unknown_command(const CLI::App& app, int argc, const char* const* argv) {
  const auto* within = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto known = commands_of(*within);
    if (known.empty() || word.starts_with('-')) return {};
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      const auto hint = suggestion(word, known);
      return fmt::format("there is no command '{}'{}", within == &app ? word : within->get_name() + " " + word,
                         hint.empty() ? fmt::format("; there are {};", fmt::join(known, ", ")) : hint);
    }
    within = within->get_subcommand(word);
  }
  return {};
}

}  // namespace harrier
