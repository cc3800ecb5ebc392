// The extensions of a command line that is built with the floors property and protocol.
#include <CLI/CLI.hpp>
#include <utility>

#include <harrier/property/until.hpp>
#include <harrier/report/write_file.hpp>

#include "caf_command.hpp"
#include "extensions.hpp"
#include "protocol/protocol_judges.hpp"
#include "protocol/protocol_runs.hpp"

namespace harrier {
namespace {

std::vector<command> add_protocol(CLI::App& app) {
  const auto save = [binary = app.get_name()](const std::string& file, const protocol_choice& choice,
                                              const std::string& formula, const std::string& ends,
                                              const protocol::described_lasso& run) {
    save_protocol_run(file, choice, formula, ends, run, binary);
  };
  auto protocol = add_protocol_command(app, {check_writable, save});
  auto exploring = add_protocol_explore(*protocol.line);
  return {std::move(exploring), {protocol.line, std::move(protocol.run)}};
}

}  // namespace

const extensions& built_in_extensions() {
  static const extensions all{
      .judges = {no_properties, no_conformance},
      .add_commands = add_protocol,
      .traces = {{is_protocol_trace,
                  [](const trace_file& trace, const replay_options& how) {
                    return replay_protocol(trace, how.step_by_step);
                  }},
                 {is_caf_trace, replay_caf}},
      .follows_until_formula = follow_until_formula,
      .explore_examples = "  harrier explore server --engine exhaustive --property 'F \"server RECV shutdown\"'\n"};
  return all;
}

}  // namespace harrier
