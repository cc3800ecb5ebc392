#include "web_command.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <harrier/core/delivery.hpp>
#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/report/trace_file.hpp>

#include "../by_hand/jobs.hpp"
#include "../by_hand/test_in_file.hpp"
#include "../core/base/numbers.hpp"
#include "commands.hpp"
#include "explore/chosen_program.hpp"
#include "explore/explore_request.hpp"
#include "extensions.hpp"
#include "shell/own_examples.hpp"
#include "shell/own_executable.hpp"
#include "shell/shell.hpp"

namespace harrier {
namespace {

constexpr auto web_footer = R"(Examples:
  harrier web server                       prints an address: open it in a browser
  harrier web philosophers n=3             click what is to be delivered next, go back, try another order
  harrier web election --lose 1            with faults, as explore has them
  harrier web ./server_test Server.ReadsTwice
                                           an ETEST, by its full name

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

struct web_request {
  std::string program;
  std::vector<std::string> parameters;
  options how;
  isolation_options apart;
  page_service where;
};

trace_file trace_by_hand(const finding& found, const chosen_program& chosen, const options& how) {
  trace_file trace;
  trace.program = chosen.name;
  trace.parameters = chosen.parameters();
  trace.engine = "by hand";
  trace.ordering = "by hand";
  trace.delivery = to_string(delivery(how.search.delivery));
  trace.faults = how.search.faults;
  trace.environment = word_for_environment(how.judging.ends());
  trace.finding = found;
  if (chosen.made.seen == nullptr) return trace;
  trace.facts = chosen.made.seen->facts();
  trace.executable = own_executable();
  return trace;
}

/// @throws error  it is none of the catalogue, and what can be done instead if it is something else that can be
/// explored.
chosen_program choose_for_page(const catalogue& programs, const web_request& asked) {
  try {
    return choose_program(programs, asked.program, parse_parameters(asked.parameters));
  } catch (const error& e) {
    if (asked.program.find('/') == std::string::npos) throw;
    throw error(
        std::string(e.what()) +
        ". A file that uses CAF: harrier caf FILE --web; a definition of protocols: harrier protocol explore FILE "
        "--session S --web; a test (ETEST): harrier web FILE Suite.Name");
  }
}

/// `./server_test Server.ReadsTwice`: a file, and what is no parameter.
bool is_of_a_test(const web_request& asked) {
  return asked.program.find('/') != std::string::npos && asked.parameters.size() == 1 &&
         asked.parameters.front().find('=') == std::string::npos && std::filesystem::exists(asked.program);
}

int run_test(const web_request& asked, const explorer_floor* floor) {
  check_page(floor);
  const test_in_file test{asked.program, asked.parameters.front()};
  if (test.name.find_first_of("*?:") != std::string::npos)
    throw error(test.name + ": one test is gone through, by its full name, as --gtest_list_tests has it");
  auto where = asked.where;
  where.replay = command_line({test.file, "--gtest_filter=" + test.name}) + " --harrier_replay=";
  return floor->run(
      [&test](const auto& job, const auto& tell, const auto& wanted) { have_done_by(test, job, tell, wanted); }, where);
}

int run(const web_request& asked, const catalogue& programs, const explorer_floor* floor) {
  const auto chosen = choose_for_page(programs, asked);
  auto how = asked.how;
  if (!how.search.delivery.is_said()) how.search.delivery = chosen.made.usual_delivery;
  const auto text = [&](const finding& found) {
    return to_text(trace_by_hand(found, chosen, how), chosen.parameters_as_json());
  };
  return serve_page(floor,
                    {.name = chosen.name,
                     .parameters = chosen.parameters_as_json(),
                     .made = chosen.made,
                     .how = how,
                     .apart = asked.apart,
                     .trace_text = text},
                    asked.where);
}

/// What a test says itself, and the environment of all tests.
/// @throws error  some option of a search is given.
void refuse_options_of_a_test(const CLI::App& line) {
  for (const auto* option : line.get_options()) {
    const auto name = option->get_name();
    if (option->count() == 0 || !name.starts_with("--") || name == "--port") continue;
    throw error(
        fmt::format("{}: a test says that itself (its .attributes), or its environment: HARRIER_DELIVERY=fifo, "
                    "HARRIER_LOSE=1 and the like, as its flags --harrier_... (docs/testing.md)",
                    name));
  }
}

}  // namespace

void bind_page(CLI::App& line, page_service& where) {
  line.add_option_function<std::string>(
          "--port", [&where](const std::string& text) { where.port = port_in(text); },
          "Where the page is served; 0 (default): any port that is free")
      ->type_name("N");
}

void check_page(const explorer_floor* floor) {
  if (floor == nullptr)
    throw error(
        "this harrier was built without its pages, for want of npm's packages; run `scripts/setup web`, and build "
        "again with -DHARRIER_BUILD_WEB=ON");
}

int serve_page(const explorer_floor* floor, const explorable& what, page_service where) {
  check_page(floor);
  validate(what.how);
  where.replay = where.binary + " replay ";
  return floor->run([&what](const auto& job, const auto& tell, const auto& wanted) { do_job(what, job, tell, wanted); },
                    where);
}

command add_web(CLI::App& app, const catalogue& programs, const extensions& more) {
  auto* line = app.add_subcommand("web", "Serves a page to go through a program by hand, delivery by delivery");
  line->footer(as_called(with_own_programs(web_footer, programs), app.get_name()));
  const auto asked = std::make_shared<web_request>();
  bind_program(*line, asked->program, asked->parameters, asked->how, programs);
  bind_page(*line, asked->where);
  bind_handler_limit(*line, asked->apart);
  bind_search(*line, asked->how, is_of_a_page);
  asked->where.binary = app.get_name();
  return {line, [asked, line, &programs, floor = more.explores] {
            if (is_of_a_test(*asked)) {
              refuse_options_of_a_test(*line);
              return run_test(*asked, floor);
            }
            if (line->count("--environment") > 0) asked->how.judging.may_be_left = nullptr;
            return run(*asked, programs, floor);
          }};
}

}  // namespace harrier
