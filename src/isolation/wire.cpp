#include "wire.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <harrier/report/explanation.hpp>

#include "../core/exploration_fields.hpp"

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

json_value to_wire(const trace_step& step) {
  auto json = to_json(step);
  if (!step.handler.empty()) json["handler"] = step.handler;
  return json;
}

trace_step step_from_wire(const json_value& json) {
  auto step = trace_step_from(json);
  step.handler = json.value("handler", std::string());
  return step;
}

json_value to_wire(const explanation& why) {
  auto json = to_json(why);
  for (std::size_t i = 0; i < why.steps.size() && !json.is_null(); ++i) json["steps"][i] = to_wire(why.steps[i]);
  return json;
}

explanation explanation_from_wire(const json_value& json) {
  auto why = explanation_from(json);
  for (std::size_t i = 0; i < why.steps.size(); ++i) why.steps[i] = step_from_wire(json.at("steps")[i]);
  return why;
}

json_value to_wire(const finding& found) {
  json_value json = {{"kind", to_string(found.kind)}, {"message", found.message}, {"actor", found.actor}};
  json["shortest"] = found.is_shortest;
  json["trace"] = json_value::array();
  for (const auto& step : found.trace) json["trace"].push_back(to_wire(step));
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
  for (const auto& step : json.at("trace")) f.trace.push_back(step_from_wire(step));
  return f;
}

json_value to_wire(const exploration& result) {
  auto json = to_json(result);
  json["findings"] = to_wire(result.findings);
  json["warnings"] = to_wire(result.warnings);
  json["outcomes"] = outcomes_to_wire(result.outcomes.begin(), result.outcomes.end());
  return json;
}

namespace {

/// Reads each field as to_wire() wrote it.
struct read_from_wire {
  const json_value& json;
  exploration& to;

  template <class T>
  void operator()(const std::string& name, T exploration::*member, put_together /*how*/) const {
    if (name == "with_faults" || (name == "faults" && !json.contains(name))) return;  // the first is in the second
    read(json.at(name), to.*member);
  }

private:
  template <class T>
  static void read(const json_value& from, T& value) {
    value = from.get<T>();
  }
  static void read(const json_value& from, std::string& text) { text = text_or_nothing(from); }
  static void read(const json_value& from, std::map<std::string, std::uint64_t>& outcomes) {
    add_outcomes(from, outcomes);
  }
  void read(const json_value& from, faults& may_happen) const {
    may_happen = faults_from(from);
    to.with_faults = from.at("executions").get<std::uint64_t>();
  }
  static void read(const json_value& from, std::vector<finding>& findings) { findings = findings_from_wire(from); }
  static void read(const json_value& from, std::vector<advice>& all) {
    for (const auto& a : from)
      all.push_back(
          {a.at("option").get<std::string>(), a.at("value").get<std::string>(), a.at("because").get<std::string>()});
  }
  static void read(const json_value& from, std::vector<statistic>& all) {
    for (const auto& [name, value] : from.items()) all.push_back({name, value.get<double>()});
  }
  static void read(const json_value& from, std::optional<order_count>& orders) {
    if (!from.is_null()) orders = {from.at("executions").get<double>(), from.at("samples").get<std::uint64_t>()};
  }
  static void read(const json_value& from, std::optional<size_estimate>& estimate) {
    if (from.is_null()) return;
    auto& e = estimate.emplace();
    e.executions = from.at("executions").get<double>();
    e.explored = from.at("explored").get<double>();
    e.seconds_to_go = from.at("seconds_to_go").get<double>();
    e.by_explored_mass = from.at("by_explored_mass").get<double>();
    e.by_subtree_sizes = from.at("by_subtree_sizes").get<double>();
  }
  static void read(const json_value& from, std::optional<exploration::state_counts>& states) {
    if (from.is_null()) return;
    states = exploration::state_counts{};  // Clang does not find out in time that it can be made in place
    auto& s = *states;
    s.comparison = from.at("comparison").get<std::string>();
    s.states = from.at("states").get<std::uint64_t>();
    s.final_states = from.at("final_states").get<std::uint64_t>();
    s.revisits = from.at("revisits").get<std::uint64_t>();
    s.depth = from.at("depth").get<std::uint64_t>();
    s.bytes_per_state = from.at("bytes_per_state").get<double>();
    s.expected_misses = from.at("expected_misses").get<double>();
  }
};

}  // namespace

exploration exploration_from_wire(const json_value& json) {
  exploration r;
  for_each_field(read_from_wire{json, r});
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
    for (auto k = i; k < std::min(steps.size(), i + steps_in_a_part); ++k) list.push_back(to_wire(steps[k]));
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
      for (const auto& step : told.at("steps")) all->back().trace.push_back(step_from_wire(step));
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
