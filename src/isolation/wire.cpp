#include "wire.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace harrier {
namespace {

constexpr std::size_t deliveries_in_a_part = 4096;
constexpr std::size_t steps_in_a_part = 64;

std::string text_or_nothing(const json_value& json) { return json.is_null() ? std::string() : json.get<std::string>(); }

/// Two numbers each: an array for each would take ten times the memory.
json_value deliveries_to_wire(const schedule& all, std::size_t first, std::size_t last) {
  auto numbers = json_value::array();
  for (auto i = first; i < last; ++i) {
    numbers.push_back(all[i].code);
    numbers.push_back(all[i].message);
  }
  return numbers;
}

void add_deliveries(const json_value& numbers, schedule& to) {
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
    to.push_back({numbers[i].get<std::uint64_t>(), numbers[i + 1].get<message_slot>()});
}

using tally_of_outcomes = std::map<std::string, std::uint64_t>;

/// Not as an object, in which a name is looked for by going through all before it.
json_value outcomes_to_wire(tally_of_outcomes::const_iterator first, tally_of_outcomes::const_iterator last) {
  auto list = json_value::array();
  for (; first != last; ++first) {
    list.push_back(first->first);
    list.push_back(first->second);
  }
  return list;
}

void add_outcomes(const json_value& list, tally_of_outcomes& to) {
  for (std::size_t i = 0; i + 1 < list.size(); i += 2)
    to[list[i].get<std::string>()] = list[i + 1].get<std::uint64_t>();
}

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
  json_value json = {{"kind", to_string(found.kind)}, {"message", found.message}, {"actor", found.actor}};
  json["shortest"] = found.is_shortest;
  json["trace"] = json_value::array();
  for (const auto& step : found.trace) json["trace"].push_back(to_json(step));
  json["file"] = found.file;
  json["line"] = found.line;
  json["details"] = found.details;
  json["occurrences"] = found.occurrences;
  json["deliveries"] = deliveries_to_wire(found.schedule, 0, found.schedule.size());
  return json;
}

finding finding_from_wire(const json_value& json) {
  finding f;
  f.kind = finding_kind_of(json.at("kind").get<std::string>());
  f.message = json.at("message").get<std::string>();
  f.actor = json.at("actor").get<std::string>();
  f.file = json.at("file").get<std::string>();
  f.line = json.at("line").get<std::uint32_t>();
  f.details = json.at("details").get<std::vector<std::string>>();
  f.is_shortest = json.at("shortest").get<bool>();
  f.occurrences = json.at("occurrences").get<std::uint64_t>();
  add_deliveries(json.at("deliveries"), f.schedule);
  for (const auto& step : json.at("trace")) f.trace.push_back(trace_step_from(step));
  return f;
}

json_value to_wire(const exploration& result) {
  auto json = to_json(result);
  json["findings"] = to_wire(result.findings);
  json["warnings"] = to_wire(result.warnings);
  json["outcomes"] = outcomes_to_wire(result.outcomes.begin(), result.outcomes.end());
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
  if (json.contains("out_of_timeouts")) r.out_of_timeouts = json.at("out_of_timeouts").get<std::uint64_t>();
  if (json.contains("points")) r.points = json.at("points").get<std::map<std::string, bool>>();
  if (json.contains("faults")) {
    r.faults = faults_from(json.at("faults"));
    r.with_faults = json.at("faults").at("executions").get<std::uint64_t>();
  }
  r.seed = json.at("seed").get<std::uint64_t>();
  r.jobs = json.at("jobs").get<std::uint64_t>();
  r.exhausted = json.at("exhausted").get<bool>();
  r.stopped_by = text_or_nothing(json.at("stopped_by"));
  r.executions = json.at("executions").get<std::uint64_t>();
  r.assumed_away = json.at("assumed_away").get<std::uint64_t>();
  add_outcomes(json.at("outcomes"), r.outcomes);
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

namespace {

void tell_in_parts(finding f, const char* kind, const std::function<void(const json_value&)>& tell) {
  const auto planned = std::exchange(f.schedule, {});
  const auto steps = std::exchange(f.trace, {});
  tell({{kind, to_wire(f)}});
  for (std::size_t i = 0; i < planned.size(); i += deliveries_in_a_part)
    tell({{"part", kind},
          {"deliveries", deliveries_to_wire(planned, i, std::min(planned.size(), i + deliveries_in_a_part))}});
  for (std::size_t i = 0; i < steps.size(); i += steps_in_a_part) {
    auto list = json_value::array();
    for (auto k = i; k < std::min(steps.size(), i + steps_in_a_part); ++k) list.push_back(to_json(steps[k]));
    tell({{"part", kind}, {"steps", std::move(list)}});
  }
}

}  // namespace

void tell_in_parts(exploration result, const std::function<void(const json_value&)>& tell) {
  for (auto& f : std::exchange(result.findings, {})) tell_in_parts(std::move(f), "whole finding", tell);
  for (auto& f : std::exchange(result.warnings, {})) tell_in_parts(std::move(f), "whole warning", tell);
  const auto outcomes = std::exchange(result.outcomes, {});
  for (auto first = outcomes.begin(); first != outcomes.end();) {
    const auto from = first;
    for (std::size_t i = 0; i < deliveries_in_a_part && first != outcomes.end(); ++i) ++first;
    tell({{"some outcomes", outcomes_to_wire(from, first)}});
  }
  tell({{"result", to_wire(result)}});
}

bool exploration_in_parts::hear(const json_value& told) {
  for (auto& [kind, all] : {std::pair("whole finding", &findings_), std::pair("whole warning", &warnings_)}) {
    if (told.contains(kind)) return all->push_back(finding_from_wire(told.at(kind))), true;
    if (!told.contains("part") || told.at("part") != kind || all->empty()) continue;
    if (told.contains("deliveries")) add_deliveries(told.at("deliveries"), all->back().schedule);
    if (told.contains("steps"))
      for (const auto& step : told.at("steps")) all->back().trace.push_back(trace_step_from(step));
    return true;
  }
  if (told.contains("some outcomes")) return add_outcomes(told.at("some outcomes"), outcomes_), true;
  if (!told.contains("result")) return false;
  whole_ = exploration_from_wire(told.at("result"));
  whole_->findings = std::move(findings_);
  whole_->warnings = std::move(warnings_);
  whole_->outcomes = std::move(outcomes_);
  return true;
}

}  // namespace harrier
