#include "analyse_command.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include <harrier/core/error.hpp>

#include "commands.hpp"
#include "extensions.hpp"
#include "shell/shell.hpp"

namespace harrier {
namespace {

constexpr auto analyse_footer = R"(Examples:
  harrier analyse bank.cpp                               what each handler reads, writes and sends
  harrier analyse bank.cpp --write declarations.hpp      and says so to harrier: include that after the classes
  harrier analyse bank.cpp -- -Iinclude -DNDEBUG         with flags of the compiler
  harrier analyse bank.cpp --write declarations.hpp --measure 'make -s bank && ./bank explore bank --keep-going --independence fields'
                                                         whether that saves executions

Where it cannot see what happens it assumes the worst, and says so. docs/analyse.md says how to use what it writes.
Exit status: 0 the file was read; 2 wrong usage, or the file does not compile; 5 an output could not be written.)";

}  // namespace

command add_analyse(CLI::App& app, const extensions& more) {
  auto* line = app.add_subcommand("analyse", "Reads a source of actors: what each handler may touch and send");
  line->footer(as_called(analyse_footer, app.get_name()));
  const auto asked = std::make_shared<asked_analysis>();
  line->add_option("SOURCE", asked->file, "A source file, which must compile")->required();
  line->add_option("FLAGS", asked->flags, "Flags of the compiler, after --; -std=c++20 unless they say another");
  line->add_option("--write", asked->write, "Write declarations for harrier, a header; - is standard output")
      ->type_name("FILE|-");
  line->add_option("--json", asked->json, "Write the result as JSON; - is standard output")->type_name("FILE|-");
  line->add_option("--measure", asked->measure,
                   "With --write: run a command that builds and explores, once with the declarations and once without, "
                   "say how many executions each takes, and withdraw declarations that make it worse")
      ->type_name("COMMAND");
  return {line, [asked, floor = more.reads_sources] {
            if (floor == nullptr)
              throw error(
                  "this harrier was built without libclang, so it reads no sources: install libclang-19-dev "
                  "(scripts/setup analyse) and build it again");
            return floor->run(*asked);
          }};
}

}  // namespace harrier
