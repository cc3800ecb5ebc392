#include "broker_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include <harrier/core/error.hpp>

#include "../../core/base/numbers.hpp"

namespace harrier {
namespace {

constexpr auto broker_group = "Many machines";
constexpr std::uint64_t most_hands = 1024;

bool is_word(const std::string& text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

void add_seconds_above_0(CLI::App& line, const std::string& name, const std::string& about, double& target) {
  line.add_option_function<std::string>(
          name,
          [name, &target](const std::string& text) {
            const auto value = seconds_in(text);
            if (!value || !(*value >= 0.05) || !(*value <= 1e6))
              throw error(fmt::format("{} {}: a number of seconds from 0.05 is expected", name, text));
            target = *value;
          },
          about)
      ->type_name("SECONDS")
      ->group(broker_group);
}

void add_run(CLI::App& line, const std::string& about, std::string& name) {
  line.add_option_function<std::string>(
          "--run",
          [&name](const std::string& text) {
            if (!is_word(text))
              throw error(fmt::format("--run {}: letters, digits, - and _ are expected, at most 64", text));
            name = text;
          },
          about)
      ->type_name("NAME")
      ->group(broker_group);
}

void add_patience(CLI::App& line, double& seconds) {
  add_seconds_above_0(
      line, "--broker-patience",
      "How long to wait for a broker that does not answer, or keeps no results, before ending; what is done is kept "
      "(default 300)",
      seconds);
}

}  // namespace

CLI::Option* bind_broker(CLI::App& line, asked_broker& at) {
  auto* url = line.add_option_function<std::string>(
      "--broker",
      [&at](const std::string& text) {
        if (!text.starts_with("nats://") && !text.starts_with("tls://"))
          throw error("--broker: nats://HOST:PORT or tls://HOST:PORT is expected");
        at.url = text;
      },
      "A NATS server with JetStream, by which workers share the search (docs/distributed.md)");
  url->type_name("URL")->group(broker_group);
  const auto add_file = [&](const char* name, const char* about, std::string& target) {
    line.add_option(name, target, about)->type_name("FILE")->group(broker_group);
  };
  add_file("--broker-creds", "User and key for the broker, as nsc writes them", at.credentials);
  add_file("--broker-ca", "Certificates that are trusted (PEM), of tls://", at.ca);
  add_file("--broker-cert", "This client's certificate (PEM), with --broker-key", at.certificate);
  add_file("--broker-key", "Its key (PEM)", at.key);
  return url;
}

void bind_run(CLI::App& line, asked_run& run) {
  bind_broker(line, run.at);
  add_run(line, "What the run is called at the broker; an interrupted run of that name is resumed", run.name);
  add_seconds_above_0(line, "--worker-timeout",
                      "After how long the work of a silent worker goes to another one (default 30)",
                      run.worker_timeout);
  add_patience(line, run.broker_patience);
  line.add_option("--item-log", run.item_log, "What each item took, a line of JSON each, for bench/scale")
      ->type_name("FILE")
      ->group("");
}

void bind_work(CLI::App& line, asked_work& work) {
  bind_broker(line, work.at)->required();
  add_run(line, "Work at the run of that name only (default: at the first that is of this executable file)", work.name);
  line.add_option_function<std::string>(
          "--jobs",
          [&work](const std::string& text) {
            const auto jobs = number_in<std::uint64_t>(text);
            if (!jobs || *jobs == 0 || *jobs > most_hands)
              throw error(fmt::format("--jobs {}: a whole number from 1 to {} is expected", text, most_hands));
            work.hands = *jobs;
          },
          "Search with N processes (default 1)")
      ->type_name("N")
      ->group(broker_group);
  add_seconds_above_0(line, "--slice", "After how long the rest of an item goes back to the broker (default 2)",
                      work.slice);
  add_patience(line, work.broker_patience);
}

void refuse_broker() {
  throw error(
      "this harrier was built without a broker's client: install libnats-dev 3.4 and build it again, or leave --broker "
      "out");
}

}  // namespace harrier
