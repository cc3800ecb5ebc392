#include "web_command.hpp"

#include <memory>

#include <harrier/core/error.hpp>

#include "../core/base/numbers.hpp"
#include "commands.hpp"
#include "extensions.hpp"
#include "shell/shell.hpp"

namespace harrier {
namespace {

constexpr auto web_footer = R"(Examples:
  harrier web server                       prints an address: open it in a browser
  harrier web philosophers n=3             click what is to be delivered next, go back, try another order
  harrier web election --lose 1            with faults, as explore has them

The page is served to this machine alone, and to who has the address: it has a token, drawn anew each time. It ends with
Ctrl-C, or with its terminal. docs/web.md tells what there is on the page.
Exit status: 0 it was ended; 2 wrong usage, or the port cannot be had; 4 the program cannot be tested.)";

/// What is only for a search from a command line.
bool is_of_a_page(const std::string& option) {
  for (const auto* other : {"checkpoint", "checkpoint-every", "resume", "estimate"})
    if (option == other) return false;
  return true;
}

std::uint16_t port_in(const std::string& text) {
  const auto port = number_in<std::uint16_t>(text);
  if (!port) throw error("--port " + text + ": a number from 0 to 65535 is expected; 0 is any port that is free");
  return *port;
}

}  // namespace

command add_web(CLI::App& app, const catalogue& programs, const extensions& more) {
  auto* line = app.add_subcommand("web", "Serves a page to go through a program by hand, delivery by delivery");
  line->footer(as_called(web_footer, app.get_name()));
  const auto asked = std::make_shared<asked_explorer>();
  bind_program(*line, asked->program, asked->parameters, asked->how, programs);
  line->add_option_function<std::string>(
          "--port", [asked](const std::string& text) { asked->port = port_in(text); },
          "Where the page is served; 0 (default): any port that is free")
      ->type_name("N");
  bind_handler_limit(*line, asked->apart);
  bind_search(*line, asked->how, is_of_a_page);
  asked->binary = app.get_name();
  return {line, [asked, line, &programs, floor = more.explores] {
            if (floor == nullptr)
              throw error(
                  "this harrier was built without its pages, for want of npm's packages; run `scripts/setup web`, and "
                  "build again with -DHARRIER_BUILD_WEB=ON");
            if (line->count("--environment") > 0) asked->how.judging.may_be_left = nullptr;
            return floor->run(*asked, programs);
          }};
}

}  // namespace harrier
