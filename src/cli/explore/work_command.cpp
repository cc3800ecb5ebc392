#include <CLI/CLI.hpp>
#include <memory>

#include "../extensions.hpp"
#include "../shell/shell.hpp"
#include "broker_options.hpp"

namespace harrier {
namespace {

constexpr auto work_footer = R"(Examples:
  harrier work --broker nats://127.0.0.1:4222 --jobs 4
  harrier work --broker nats://127.0.0.1:4222 --run nightly

It waits for a run of this very executable file, works at it until it is over, and hands back what it has when
Ctrl-C or SIGTERM stops it. Runs of other executables are reported and skipped; --run NAME waits for that run only.
Exit status: 0 the run is over, or it was stopped; 2 wrong usage, no broker, or --run names another program's.)";

}  // namespace

command add_work(CLI::App& app, const catalogue& programs, const extensions& more) {
  auto* line = app.add_subcommand("work", "Works at what `explore --broker` started, here or on another machine");
  line->footer(as_called(work_footer, app.get_name()));
  const auto asked = std::make_shared<asked_work>();
  bind_work(*line, *asked);
  return {line, [asked, &programs, &more] {
            if (more.at_broker == nullptr) refuse_broker();
            return more.at_broker->work(*asked, programs, more);
          }};
}

}  // namespace harrier
