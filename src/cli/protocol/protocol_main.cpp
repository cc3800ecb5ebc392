// `harrier protocol` alone, for builds that need no more of the command line: modules are generated before the rest
// exists.
#include <CLI/CLI.hpp>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>

#include "../shell/console.hpp"
#include "protocol.hpp"

int main(int argc, char** argv) {
  CLI::App app("protocols", "harrier");
  app.require_subcommand(1);
  const auto command = harrier::add_protocol_command(app);
  try {
    app.parse(argc, argv);
    return harrier::conclude_console(command.run());
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  } catch (const harrier::error& e) {
    harrier::say_aside("harrier: " + harrier::printable_lines(e.what()) + "\n");
    return 2;
  }
}
