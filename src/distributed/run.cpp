#include "run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <random>
#include <utility>

#include "../explore/checkpoint.hpp"
#include "../explore/engines.hpp"
#include "bundle.hpp"
#include <harrier/core/delivery.hpp>
#include <harrier/core/error.hpp>

namespace harrier::distributed {
namespace {

constexpr std::size_t most_parts = 1'000'000;
constexpr std::size_t longest_header = 512;
constexpr auto part_mark = "harrier/2";

[[noreturn]] void damaged(const std::string& what) {
  throw error("what a run says of itself at the broker is damaged: " + what);
}

delivery delivery_from(const std::string& name) {
  const auto& all = delivery_models();
  const auto found = std::find_if(all.begin(), all.end(), [&](delivery each) { return to_string(each) == name; });
  if (found == all.end()) damaged("there is no such delivery model");
  return *found;
}

/// One of the values of an enumeration whose last one is `last`.
template <class Enumeration>
Enumeration one_from(const json_value& json, const char* field, Enumeration last) {
  const auto& value = json.at(field);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(last))
    damaged(fmt::format("its {} is not valid", field));
  return static_cast<Enumeration>(value.get<std::uint64_t>());
}

double seconds_from(const json_value& json, const char* field) {
  constexpr double most = 1e9;
  const auto seconds = json.at(field).get<double>();
  if (!std::isfinite(seconds) || seconds <= 0 || seconds > most) damaged(fmt::format("its {} is not a time", field));
  return seconds;
}

/// What decides the counts of a run.
std::string what_it_is(const run_description& run) {
  auto json = to_json(run);
  json.erase("worker_timeout");
  json.erase("handler_limit");
  json.erase("max_memory");
  return to_text(json);
}

bool is_hexadecimal(std::string_view text, std::size_t digits) {
  return text.size() == digits &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::size_t size_from(std::string_view word) {
  std::size_t value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size()) throw error("its header has a word for a number");
  return value;
}

std::string header_of(const part& p) {
  return fmt::format("{} {} {} {} {} {}", part_mark, p.run, p.item, p.attempt, p.number, p.count);
}

std::string checksum_of(const part& p) { return name_of(header_of(p) + name_of(p.bytes)); }

std::array<std::string_view, 7> words_of(std::string_view header) {
  std::array<std::string_view, 7> words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto end = header.find(' ');
    if ((end == std::string_view::npos) != (i + 1 == words.size())) throw error("its header is not from harrier");
    words[i] = header.substr(0, end);
    if (end != std::string_view::npos) header.remove_prefix(end + 1);
  }
  return words;
}

}  // namespace

json_value to_json(const run_description& run) {
  return {{"protocol", protocol_version},
          {"run", run.run},
          {"version", run.version},
          {"build", run.build},
          {"program", run.program},
          {"parameters", run.parameters},
          {"delivery", to_string(run.how.search.delivery)},
          {"faults", to_json(run.how.search.faults)},
          {"judged_by", run.judged_by},
          {"environment", static_cast<int>(run.how.judging.environment)},
          {"own_environment", run.own_environment},
          {"undelivered", static_cast<int>(run.how.judging.undelivered)},
          {"keep_going", run.how.judging.keep_going},
          {"max_depth", run.how.limits.max_depth},
          {"max_memory", run.how.limits.max_memory},
          {"check_determinism", static_cast<int>(run.how.judging.check_determinism)},
          {"check_undo", run.how.judging.check_undo},
          {"handler_limit", run.handler_limit},
          {"worker_timeout", run.worker_timeout}};
}

run_description run_from(const json_value& json) {
  try {
    const auto version = json.at("protocol").get<int>();
    run_description run;
    run.run = json.at("run").get<std::string>();
    if (!is_name_of_run(run.run)) damaged("its name is not valid");
    run.version = json.at("version").get<std::string>();
    if (version != protocol_version)
      throw error(
          fmt::format("the run is one of harrier {}, which speaks version {} of the protocol; this is harrier "
                      "{}, which speaks version {}",
                      run.version, version, version_of_harrier(), protocol_version));
    run.build = json.at("build").get<std::string>();
    run.program = json.at("program").get<std::string>();
    run.parameters = json.at("parameters").get<std::map<std::string, std::string>>();
    run.how.search.delivery = delivery_from(json.at("delivery").get<std::string>());
    run.how.search.faults = faults_from(json.at("faults"));
    run.judged_by = json.at("judged_by").get<std::string>();
    run.how.judging.environment = one_from(json, "environment", environment::empty);
    run.own_environment = json.at("own_environment").get<bool>();
    run.how.judging.undelivered = one_from(json, "undelivered", undelivered::error);
    run.how.judging.keep_going = json.at("keep_going").get<bool>();
    run.how.limits.max_depth = json.at("max_depth").get<std::uint64_t>();
    run.how.limits.max_memory = json.at("max_memory").get<std::uint64_t>();
    run.how.judging.check_determinism = one_from(json, "check_determinism", repetition::all);
    run.how.judging.check_undo = json.at("check_undo").get<bool>();
    run.handler_limit = seconds_from(json, "handler_limit");
    run.worker_timeout = seconds_from(json, "worker_timeout");
    return run;
  } catch (const json_value::exception& e) {
    damaged(e.what());
  }
}

run_description run_from(std::string_view text, const std::string& subject) {
  const auto json = json_of_text(text);
  if (json.is_discarded()) damaged("it is not JSON");
  auto run = run_from(json);
  if (run_names(run.run).announced != subject) damaged("it was said in the name of another");
  return run;
}

std::string identity_of(const run_description& run) { return name_of(what_it_is(run)); }

bool is_name_of_run(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

std::string told(const std::string& identity, const json_value& what) {
  auto json = what;
  json["of"] = identity;
  return to_text(json);
}

json_value heard(std::string_view text, const std::string& identity) {
  auto json = json_of_text(text);
  if (!json.is_object()) throw error("it is not a JSON object");
  const auto of = json.find("of");
  if (of == json.end() || !of->is_string() || of->get_ref<const std::string&>() != identity)
    throw error("it does not say that it is of this run");
  return json;
}

options options_of(const run_description& run, options of_program) {
  auto how = std::move(of_program);
  how.search.engine = engines_that(&named_engine::takes_broker).front();
  how.search.delivery = run.how.search.delivery;
  how.search.faults = run.how.search.faults;
  how.judging.environment = run.how.judging.environment;
  if (!run.own_environment) how.judging.may_be_left = nullptr;
  how.judging.undelivered = run.how.judging.undelivered;
  how.judging.keep_going = run.how.judging.keep_going;
  how.limits.max_depth = run.how.limits.max_depth;
  how.limits.max_memory = run.how.limits.max_memory;
  how.judging.check_determinism = run.how.judging.check_determinism;
  how.judging.check_undo = run.how.judging.check_undo;
  // Limits of the whole are for the coordinator to see to.
  how.limits.max_executions = 0;
  how.limits.time_limit = how.limits.budget = 0;
  how.search.sleep_sets.reset();
  how.states.comparison.reset();
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

std::string to_bytes(const part& p) { return fmt::format("{} {}\n{}", header_of(p), checksum_of(p), p.bytes); }

part part_from(std::string_view text) {
  const auto end = text.substr(0, longest_header).find('\n');
  if (end == std::string_view::npos) throw error("it has no header from harrier");
  const auto words = words_of(text.substr(0, end));
  if (words[0] != part_mark) throw error("its header is not from harrier");
  part p{std::string(words[1]), std::string(words[2]), std::string(words[3]),
         size_from(words[4]),   size_from(words[5]),   text.substr(end + 1)};
  if (!is_hexadecimal(p.run, 32) || (p.item != description_mark && !is_hexadecimal(p.item, 32)) ||
      (p.attempt != "0" && !is_hexadecimal(p.attempt, 16)))
    throw error("its header has a name that is not valid");
  if (p.number >= p.count || p.count > most_parts)
    throw error(fmt::format("it says that it is part {} of {}", p.number, p.count));
  if (words[6] != checksum_of(p)) throw error("its bytes are not those that were sent");
  return p;
}

std::string unique_word() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace harrier::distributed
