#include "run.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <iterator>
#include <memory>
#include <random>
#include <sstream>
#include <utility>

#include "../explore/checkpoint.hpp"
#include <harrier/core/delivery.hpp>
#include <harrier/core/error.hpp>

namespace harrier::distributed {

json_value to_json(const run_description& run) {
  return {{"protocol", protocol_version},
          {"run", run.run},
          {"version", run.version},
          {"build", run.build},
          {"program", run.program},
          {"parameters", run.parameters},
          {"delivery", to_string(run.how.delivery)},
          {"environment", static_cast<int>(run.how.environment)},
          {"own_environment", run.own_environment},
          {"undelivered", static_cast<int>(run.how.undelivered)},
          {"keep_going", run.how.keep_going},
          {"max_depth", run.how.max_depth},
          {"check_determinism", static_cast<int>(run.how.check_determinism)},
          {"check_undo", run.how.check_undo},
          {"handler_limit", run.handler_limit},
          {"worker_timeout", run.worker_timeout}};
}

run_description run_from(const json_value& json) {
  try {
    const auto version = json.at("protocol").get<int>();
    run_description run;
    run.run = json.at("run").get<std::string>();
    run.version = json.at("version").get<std::string>();
    if (version != protocol_version)
      throw error(
          fmt::format("the run is one of harrier {}, which speaks version {} of the protocol; this is harrier "
                      "{}, which speaks version {}",
                      run.version, version, version_of_harrier(), protocol_version));
    run.build = json.at("build").get<std::string>();
    run.program = json.at("program").get<std::string>();
    run.parameters = json.at("parameters").get<std::map<std::string, std::string>>();
    const auto model = json.at("delivery").get<std::string>();
    for (const auto each : delivery_models())
      if (to_string(each) == model) run.how.delivery = each;
    run.how.environment = static_cast<environment>(json.at("environment").get<int>());
    run.own_environment = json.at("own_environment").get<bool>();
    run.how.undelivered = static_cast<undelivered>(json.at("undelivered").get<int>());
    run.how.keep_going = json.at("keep_going").get<bool>();
    run.how.max_depth = json.at("max_depth").get<std::uint64_t>();
    run.how.check_determinism = static_cast<repetition>(json.at("check_determinism").get<int>());
    run.how.check_undo = json.at("check_undo").get<bool>();
    run.handler_limit = json.at("handler_limit").get<double>();
    run.worker_timeout = json.at("worker_timeout").get<double>();
    return run;
  } catch (const json_value::exception& e) {
    throw error(fmt::format("what a run says of itself at the broker is damaged: {}", e.what()));
  }
}

options options_of(const run_description& run, options of_program) {
  auto how = std::move(of_program);
  how.engine = "trust";
  how.delivery = run.how.delivery;
  how.environment = run.how.environment;
  if (!run.own_environment) how.may_be_left = nullptr;
  how.undelivered = run.how.undelivered;
  how.keep_going = run.how.keep_going;
  how.max_depth = run.how.max_depth;
  how.check_determinism = run.how.check_determinism;
  how.check_undo = run.how.check_undo;
  // Limits of the whole are for the coordinator to see to.
  how.max_executions = 0;
  how.time_limit = how.budget = 0;
  how.sleep_sets.reset();
  how.state_comparison.reset();
  return how;
}

std::string version_of_harrier() { return HARRIER_VERSION; }

std::string objection_to(const run_description& run) {
  if (run.version != version_of_harrier())
    return fmt::format("the run is one of harrier {}, and this is harrier {}", run.version, version_of_harrier());
  if (run.build != build_of_this_binary())
    return fmt::format(
        "the run is one of another build of the program {} ({}, this is {}); workers take the same "
        "executable file",
        run.program, run.build.substr(0, 12), build_of_this_binary().substr(0, 12));
  return {};
}

std::string to_bytes(const part& p) {
  return fmt::format("{} {} {} {}\n{}", p.item, p.attempt, p.number, p.count, p.bytes);
}

part part_from(std::string_view text) {
  part p;
  const auto end = text.find('\n');
  std::istringstream words{std::string(text.substr(0, end))};
  if (end == std::string_view::npos || !(words >> p.item >> p.attempt >> p.number >> p.count) || p.number >= p.count)
    throw error("a result at the broker is damaged: it does not say whose it is");
  p.bytes = text.substr(end + 1);
  return p;
}

std::string unique_word() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace harrier::distributed
