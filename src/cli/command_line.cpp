#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include <harrier/cli/main.hpp>
#include <harrier/core/error.hpp>
#include <harrier/isolation/isolated_search.hpp>

#include "../core/suggest.hpp"
#include "extensions.hpp"

namespace harrier {
namespace {

constexpr auto about = R"(harrier explores every order of message deliveries that can matter in an actor program,
and hands back a short schedule that replays each bug it finds.)";

constexpr auto footer = R"(Examples:
  harrier list                                    what can be explored
  harrier explore server                          find a bug, print the schedule that leads to it
  harrier explore server --save-trace bug.json    and save it
  harrier replay bug.json --step                  run it again, step by step
  harrier explore pi workers=4 --keep-going       all findings, not only the first

Exit status: 0 explored completely and nothing found; 1 a finding; 2 wrong usage or input;
3 a limit stopped the search, nothing found so far; 4 the program cannot be tested.
`harrier COMMAND --help` says more about one command.)";

int complain(const std::string& what, int status) {
  fmt::print(stderr, "harrier: {}\n", what);
  return status;
}

/// CLI11's words for what it cannot parse, as one line that says what to do.
int complain_about_usage(const CLI::App& app, const CLI::ParseError& e, int argc, char** argv) {
  const auto chosen = app.get_subcommands();
  const auto help = chosen.empty() ? std::string("harrier --help") : "harrier " + chosen[0]->get_name() + " --help";
  std::vector<std::string> known;
  for (const auto* option : (chosen.empty() ? &app : chosen[0])->get_options())
    for (const auto& name : option->get_lnames()) known.push_back("--" + name);
  std::string what = e.what();
  std::replace(what.begin(), what.end(), '\n', ' ');
  if (dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr)
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      const auto name = word.substr(0, word.find('='));
      if (name.substr(0, 2) == "--" && std::find(known.begin(), known.end(), name) == known.end())
        return complain(fmt::format("there is no option {}{}{} `{}` shows all", name, suggestion(name, known),
                                    suggestion(name, known).empty() ? ";" : "", help),
                        wrong_usage);
    }
  return complain(fmt::format("{}; `{}` shows how", what, help), wrong_usage);
}

int run(int argc, char** argv, const catalogue& programs, const extensions& more) {
  CLI::App app(about, "harrier");
  app.footer(footer);
  app.get_formatter()->column_width(36);
  app.require_subcommand(1);
  std::vector<command> commands = {add_list(app, programs), add_explore(app, programs, more),
                                   add_replay(app, programs, more)};
  if (more.add_commands)
    for (auto& c : more.add_commands(app)) commands.push_back(std::move(c));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& e) {
    if (argc < 2)
      return complain("a command is missing: list, explore or replay; `harrier --help` shows how", wrong_usage);
    return complain_about_usage(app, e, argc, argv);
  }
  for (const auto& c : commands)
    if (c.line->parsed()) return c.run();
  return wrong_usage;
}

}  // namespace

int main(int argc, char** argv, const std::vector<catalogue_entry>& programs) {
  return main(argc, argv, programs, built_in_extensions());
}

int main(int argc, char** argv, const catalogue& programs, const extensions& more) {
  try {
    return run(argc, argv, programs, more);
  } catch (const untestable_program& e) {
    return complain(fmt::format("the program cannot be tested: {}", e.what()), untestable);
  } catch (const no_child_process& e) {
    return complain(fmt::format("{}; --in-process does without one", e.what()), wrong_usage);
  } catch (const error& e) {
    return complain(e.what(), wrong_usage);
  } catch (const std::bad_alloc&) {
    return complain("out of memory; --max-memory stops a search in time", wrong_usage);
  }
}

}  // namespace harrier
