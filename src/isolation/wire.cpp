#include "wire.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace harrier {
namespace {

std::string text_or_nothing(const json_value& json) { return json.is_null() ? std::string() : json.get<std::string>(); }

json_value to_wire(const std::vector<finding>& findings) {
  auto list = json_value::array();
  for (const auto& f : findings) list.push_back(harrier::to_wire(f));
  return list;
}

std::vector<finding> findings_from_wire(const json_value& list) {
  std::vector<finding> findings;
  for (const auto& f : list) findings.push_back(finding_from_wire(f));
  return findings;
}

}  // namespace

json_value to_wire(const finding& found) {
  auto json = to_json(found);
  json.erase("schedule");
  json["deliveries"] = json_value::array();
  for (const auto& d : found.schedule) json["deliveries"].push_back({d.code, d.message});
  return json;
}

finding finding_from_wire(const json_value& json) {
  finding f;
  f.kind = finding_kind_of(json.at("kind").get<std::string>());
  f.message = json.at("message").get<std::string>();
  f.actor = json.at("actor").get<std::string>();
  f.file = text_or_nothing(json.at("file"));
  f.line = json.at("line").is_null() ? 0 : json.at("line").get<std::uint32_t>();
  f.details = json.at("details").get<std::vector<std::string>>();
  f.is_shortest = json.at("shortest").get<bool>();
  f.occurrences = json.at("occurrences").get<std::uint64_t>();
  for (const auto& d : json.at("deliveries"))
    f.schedule.push_back({d.at(0).get<std::uint64_t>(), d.at(1).get<message_slot>()});
  for (const auto& step : json.at("trace")) f.trace.push_back(trace_step_from(step));
  return f;
}

json_value to_wire(const exploration& result) {
  auto json = to_json(result);
  json["findings"] = to_wire(result.findings);
  json["warnings"] = to_wire(result.warnings);
  return json;
}

exploration::state_counts state_counts_from(const json_value& json) {
  exploration::state_counts s;
  s.comparison = json.at("comparison").get<std::string>();
  s.states = json.at("states").get<std::uint64_t>();
  s.final_states = json.at("final_states").get<std::uint64_t>();
  s.revisits = json.at("revisits").get<std::uint64_t>();
  s.depth = json.at("depth").get<std::uint64_t>();
  s.bytes_per_state = json.at("bytes_per_state").get<double>();
  s.expected_misses = json.at("expected_misses").get<double>();
  return s;
}

size_estimate estimate_from(const json_value& json) {
  size_estimate e;
  e.executions = json.at("executions").get<double>();
  e.explored = json.at("explored").get<double>();
  e.seconds_to_go = json.at("seconds_to_go").get<double>();
  e.by_explored_mass = json.at("by_explored_mass").get<double>();
  e.by_subtree_sizes = json.at("by_subtree_sizes").get<double>();
  return e;
}

exploration exploration_from_wire(const json_value& json) {
  exploration r;
  r.engine = json.at("engine").get<std::string>();
  r.sleep_sets = json.at("sleep_sets").get<bool>();
  r.ordering = json.at("ordering").get<std::string>();
  r.observers = json.at("observers").get<bool>();
  r.independence = json.at("independence").get<std::string>();
  r.delivery = json.at("delivery").get<std::string>();
  r.seed = json.at("seed").get<std::uint64_t>();
  r.jobs = json.at("jobs").get<std::uint64_t>();
  r.exhausted = json.at("exhausted").get<bool>();
  r.stopped_by = text_or_nothing(json.at("stopped_by"));
  r.executions = json.at("executions").get<std::uint64_t>();
  r.assumed_away = json.at("assumed_away").get<std::uint64_t>();
  r.outcomes = json.at("outcomes").get<std::map<std::string, std::uint64_t>>();
  r.truncated = json.at("truncated").get<std::uint64_t>();
  r.blocked = json.at("blocked").get<std::uint64_t>();
  r.transitions = json.at("transitions").get<std::uint64_t>();
  if (!json.at("state_space").is_null()) r.states = state_counts_from(json.at("state_space"));
  for (const auto& [name, value] : json.at("statistics").items()) r.statistics.push_back({name, value.get<double>()});
  r.max_depth = json.at("max_depth").get<std::uint64_t>();
  r.actors = json.at("actors").get<std::uint64_t>();
  r.seconds = json.at("seconds").get<double>();
  r.notes = json.at("notes").get<std::vector<std::string>>();
  for (const auto& a : json.at("advice"))
    r.advice.push_back(
        {a.at("option").get<std::string>(), a.at("value").get<std::string>(), a.at("because").get<std::string>()});
  r.peak_rss_mib = json.at("peak_rss_mib").get<double>();
  if (!json.at("orders").is_null())
    r.orders = {json.at("orders").at("executions").get<double>(), json.at("orders").at("samples").get<std::uint64_t>()};
  if (!json.at("estimate").is_null()) r.estimate = estimate_from(json.at("estimate"));
  r.findings = findings_from_wire(json.at("findings"));
  r.warnings = findings_from_wire(json.at("warnings"));
  return r;
}

}  // namespace harrier
