// What a command line does with a broker, in a build with the floor distributed.
#include <fmt/format.h>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/distributed/explore_at_broker.hpp>
#include <harrier/distributed/work.hpp>

#include "commands.hpp"
#include "explore/broker_options.hpp"
#include "explore/explore_request.hpp"
#include "explore/judges.hpp"
#include "extensions.hpp"
#include "shell/console.hpp"

namespace harrier {
namespace {

broker_address address_of(const asked_broker& at) { return {at.url, at.credentials, at.ca, at.certificate, at.key}; }

void say(const std::string& line) { say_aside(fmt::format("harrier: {}\n", printable_lines(line))); }

exploration explore_by_workers(const explore_request& request, const chosen_program& program,
                               const std::function<void(const progress&, std::size_t)>& on_progress) {
  if (request.in_process) throw error("--in-process searches here; leave --broker out");
  broker_run run;
  run.at = address_of(request.run.at);
  run.name = request.run.name;
  run.program = program.name;
  run.parameters = program.parameters();
  run.handler_limit = request.apart.handler_limit;
  run.worker_timeout = request.run.worker_timeout;
  run.broker_patience = request.run.broker_patience;
  run.item_log = request.run.item_log;
  if (request.how.judging.by != nullptr) run.judged_by = to_text(request.judged_by.to_json());
  run.say = say;
  run.on_progress = on_progress;
  return explore_at_broker(program.made, request.how, run);
}

/// The monitors of a judgement as one, which owns them.
std::shared_ptr<monitor> judge_of(const std::string& judged_by, const extensions& more) {
  const auto json = json_value::parse(judged_by, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw error("by what the run judges executions is damaged");
  judgement asked(more);
  asked.read(json);
  const auto made = std::make_shared<judges>(asked);
  return {made, made->all()};
}

int work(const asked_work& asked, const catalogue& programs, const extensions& more) {
  broker_work how;
  how.at = address_of(asked.at);
  how.run = asked.name;
  how.broker_patience = asked.broker_patience;
  how.hands = static_cast<unsigned>(asked.hands);
  how.slice = asked.slice;
  how.say = say;
  how.find = [&](const std::string& name, const std::map<std::string, std::string>& parameters) {
    auto chosen = choose_program(programs, name, parameters);
    return program_to_work_at{std::move(chosen.made), std::move(chosen.how)};
  };
  how.judge = [&](const std::string& judged_by) { return judge_of(judged_by, more); };
  const auto end = work_for_broker(how);
  return end == work_end::over || end == work_end::stopped ? explored_completely : wrong_usage;
}

}  // namespace

const broker_floor* built_in_broker() {
  static const broker_floor floor{explore_by_workers, work};
  return &floor;
}

}  // namespace harrier
