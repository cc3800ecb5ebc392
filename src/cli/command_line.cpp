#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <harrier/cli/main.hpp>
#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/isolation/isolated_search.hpp>

#include "../core/base/suggest.hpp"
#include "../isolation/failing_writes.hpp"
#include "caf_command.hpp"
#include "completion.hpp"
#include "extensions.hpp"
#include "manual.hpp"
#include "shell/console.hpp"
#include "shell/misspelt.hpp"
#include "shell/own_examples.hpp"
#include "shell/shell.hpp"
#include "version.hpp"

namespace harrier {
namespace {

constexpr auto about = R"(harrier explores every order of message deliveries that can matter in an actor program,
and hands back a short schedule that replays each bug it finds.)";

constexpr auto footer_of_all = R"(Examples:
  harrier init bank                               begin a project with a test that fails, and its fix
  harrier list                                    what can be explored
  harrier explore server                          find a bug, print the schedule that leads to it
  harrier explore server --save-trace bug.json    and save it
  harrier replay bug.json --step                  run it again, step by step
  harrier explore pi workers=4 --keep-going       all findings, not only the first

Exit status: 0 explored completely and nothing found; 1 a finding, or something never happened
(--require-covered); 2 wrong usage or input; 3 nothing found, but a limit stopped the search, or not
everything was judged; 4 the program cannot be tested; 5 an output could not be written (instead of
0 and 3).
`harrier COMMAND --help` says more about one command.)";

/// An error that quotes what is megabytes long is cut in its middle.
std::string cut_in_its_middle(const std::string& what) {
  constexpr std::size_t most = std::size_t{1} << 16;
  constexpr std::size_t kept = 1000;
  if (what.size() <= most) return what;
  return fmt::format("{} [{} bytes left out] {}", what.substr(0, kept), what.size() - 2 * kept,
                     what.substr(what.size() - kept));
}

/// Of what was called by the words `argv`; `harrier COMMAND` is then named as the user called it.
class complaint {
public:
  explicit complaint(std::string binary) : binary_(std::move(binary)) {}

  int operator()(const std::string& what, int status) const {
    say_aside(fmt::format("harrier: {}\n", printable_lines(as_called(cut_in_its_middle(what), binary_))));
    return status;
  }

private:
  std::string binary_;
};

std::string name_of_binary(int argc, char** argv) { return argc > 0 && *argv[0] != '\0' ? argv[0] : "harrier"; }

/// ` protocol check` of the command `chosen` of `app`.
std::string words_of(const CLI::App& app, const CLI::App& chosen) {
  return &chosen == &app ? std::string() : words_of(app, *chosen.get_parent()) + " " + chosen.get_name();
}

/// ` (bank or shop)`: the programs, if they are few.
std::string programs_in_words(const catalogue& programs) {
  constexpr std::size_t most = 5;
  if (programs.empty() || programs.size() > most) return {};
  std::vector<std::string> names;
  for (const auto& p : programs) names.push_back(p.name);
  return fmt::format(" ({})", fmt::join(names, " or "));
}

/// CLI11's words, and ours where its own are hard to read.
std::string what_is_wrong(const CLI::ParseError& e, const catalogue& programs) {
  std::string what = e.what();
  std::replace(what.begin(), what.end(), '\n', ' ');
  constexpr std::string_view no_value = ": 1 required ";
  constexpr std::string_view missing = " missing";
  if (what.starts_with("PROGRAM is required")) return what + programs_in_words(programs);
  if (const auto at = what.find(no_value); at != std::string::npos && what.ends_with(missing)) {
    const auto begin = at + no_value.size();
    return fmt::format("{}: a value is expected: {}", what.substr(0, at),
                       what.substr(begin, what.size() - missing.size() - begin));
  }
  return what;
}

/// What cannot be parsed, as one line that says what to do.
int complain_about_usage(const complaint& complain, const CLI::App& app, const CLI::ParseError& e,
                         const catalogue& programs, int argc, char** argv) {
  if (const auto what = unknown_command(app, argc, argv); !what.empty())
    return complain(what + " `harrier --help` shows how", wrong_usage);
  const auto& chosen = innermost(app);
  const auto help = "harrier" + words_of(app, chosen) + " --help";
  std::vector<std::string> known;
  for (const auto* option : chosen.get_options())
    for (const auto& name : option->get_lnames()) known.push_back("--" + name);
  // With a misspelt option, what is required may well be missing: `harrier --hlep`.
  if (dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr || dynamic_cast<const CLI::RequiredError*>(&e) != nullptr)
    for (int i = 1; i < argc && argv[i] != std::string_view("--"); ++i) {
      const std::string word = argv[i];
      const auto name = word.substr(0, word.find('='));
      if (name.substr(0, 2) == "--" && std::find(known.begin(), known.end(), name) == known.end())
        return complain(fmt::format("there is no option {}{}{} `{}` shows all", name, suggestion(name, known),
                                    suggestion(name, known).empty() ? ";" : "", help),
                        wrong_usage);
    }
  return complain(fmt::format("{}; `{}` shows how", what_is_wrong(e, programs), help), wrong_usage);
}

constexpr auto nothing_is_no_value = "a value is expected, not an empty one";
constexpr std::string_view may_be_empty = "namespace";  // of a module, which may have none

/// A value that is empty is a slip, of a script mostly, and the option would be taken as not given.
void refuse_empty_values(CLI::App& app) {
  const CLI::Validator is_something(
      [](std::string& value) { return std::string(value.empty() ? nothing_is_no_value : ""); }, "");
  for (auto* option : app.get_options())
    if (!option->get_positional() && option->get_items_expected_max() > 0 &&
        !option->check_lname(std::string(may_be_empty)))
      option->check(is_something);
  for (auto* line : app.get_subcommands([](const CLI::App*) { return true; })) refuse_empty_values(*line);
}

/// `--json=`: CLI11 would take the next word for the value, another option it may be.
void refuse_empty_values(int argc, char** argv) {
  if (argc > 1 && argv[1] == std::string_view("caf")) return;  // what follows may be the program's
  for (int i = 1; i < argc && argv[i] != std::string_view("--"); ++i)
    if (const std::string_view word = argv[i]; word.starts_with("--") && word.find('=') + 1 == word.size())
      if (const auto name = word.substr(2, word.size() - 3); name != may_be_empty)
        throw error(fmt::format("--{}: {}", name, nothing_is_no_value));
}

/// Options that are answered by a text about the command line itself.
void bind_descriptions(CLI::App& app, const std::string& command, const extensions& more) {
  app.set_version_flag(
      "--version", [&more] { return version_text(more); }, "Print which harrier this is, and how it was built");
  app.add_flag_callback(
      "--manual",
      [&app] {
        console().say_exactly(manual_page(app));
        throw CLI::Success();
      },
      "Print the manual page: harrier --manual | man -l -");
  const auto answer = [command](const std::string& shell) {
    console().say_exactly(completion_script(shell, command));
    throw CLI::Success();
  };
  app.add_option_function<std::string>("--completion", answer, "Print what makes a shell complete this command")
      ->type_name(fmt::format("{}", fmt::join(shells_that_complete(), "|")));
}

/// @throws error  the process would end in the middle, and could not even say so.
void require_stack() {
  constexpr rlim_t least = 256 * 1024;  // a third of that is used before a program runs
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < least)
    throw error(fmt::format("the stack may have {} KiB, and {} is the least; ulimit -s 8192 is usual",
                            stack.rlim_cur / 1024, least / 1024));
}

int run(const complaint& complain, int argc, char** argv, const catalogue& programs, const extensions& more) {
  const auto called = name_of_binary(argc, argv);
  const auto name = std::filesystem::path(called).filename().string();
  // A manual page is read elsewhere than it was made.
  CLI::App app(about, argc > 1 && argv[1] == std::string_view("--manual") ? name : called);
  app.footer(as_called(with_own_programs(footer_of_all, programs), app.get_name()));
  app.get_formatter()->column_width(36);
  bind_descriptions(app, name, more);
  app.require_subcommand(1);
  std::vector<command> commands = {add_init(app),
                                   add_list(app, programs),
                                   add_explore(app, programs, more),
                                   add_replay(app, programs, more),
                                   add_web(app, programs, more),
                                   add_work(app, programs, more),
                                   add_analyse(app, more),
                                   add_caf(app)};
  // Whoever calls one of these does not wait for the options of others, a seventh of the start of the process.
  const bool is_one_of_these = argc > 1 && std::any_of(commands.begin(), commands.end(), [&](const command& c) {
                                 return c.line->get_name() == std::string_view(argv[1]);
                               });
  if (more.add_commands && !is_one_of_these)
    for (auto& c : more.add_commands(app)) commands.push_back(std::move(c));
  // Asked by the scripts of --completion. What follows it is half a command line, so it cannot be parsed as one.
  if (argc > 1 && argv[1] == std::string_view("--complete")) {
    for (const auto& candidate : completions(app, programs, {argv + 2, argv + argc}))
      console().say_exactly(candidate + "\n");
    return 0;
  }
  refuse_empty_values(app);
  refuse_empty_values(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    console().say_exactly(app.help());
    return 0;
  } catch (const CLI::CallForVersion& version) {
    console().say_exactly(fmt::format("{}\n", version.what()));
    return 0;
  } catch (const CLI::Success&) {
    return 0;
  } catch (const CLI::ParseError& e) {
    if (argc < 2) return complain("a command is missing; `harrier --help` lists them", wrong_usage);
    return complain_about_usage(complain, app, e, programs, argc, argv);
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
  hold_standard_files();
  const failing_writes as_on_a_full_disk;
  begin_console();
  const complaint complain(name_of_binary(argc, argv));
  try {
    require_stack();
    return conclude_console(run(complain, argc, argv, programs, more));
  } catch (const untestable_program& e) {
    return complain(fmt::format("the program cannot be tested: {}", e.what()), untestable);
  } catch (const no_child_process& e) {
    return complain(fmt::format("{}; --in-process needs none", e.what()), wrong_usage);
  } catch (const error& e) {
    return complain(e.what(), wrong_usage);
  } catch (const std::system_error& e) {
    return complain(e.what(), wrong_usage);
  } catch (const std::bad_alloc&) {
    return complain("out of memory; --max-memory stops a search in time", wrong_usage);
  }
}

}  // namespace harrier
