#include <harrier/report/json.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/report/causes.hpp>
#include <harrier/report/text.hpp>

#include "../core/base/likely_size.hpp"
#include "../core/exploration_fields.hpp"

namespace harrier {
namespace {

json_value to_json(const trace_send& send) { return {{"message", send.message}, {"receiver", send.receiver}}; }

/// The deliveries that people are shown, as one line each. What the trace does not reach (a program that
/// does not follow its own schedule) is left without a name.
json_value schedule_of(const finding& found) {
  auto deliveries = json_value::array();
  for (const auto& step : found.trace)
    if (is_shown(step)) deliveries.push_back({{"id", step.id}, {"message", step.message}, {"receiver", step.receiver}});
  for (auto i = found.trace.size(); i < found.schedule.size(); ++i)
    deliveries.push_back({{"id", nullptr}, {"message", nullptr}, {"receiver", nullptr}});
  return deliveries;
}

json_value to_json(const std::vector<finding>& findings) {
  auto list = json_value::array();
  for (const auto& f : findings) list.push_back(harrier::to_json(f));
  return list;
}

template <class T>
json_value or_null(const T& value, bool known) {
  return known ? json_value(value) : json_value(nullptr);
}

[[noreturn]] void out_of_range(const std::string& name, const json_value& value) {
  throw error("the field '" + name + "' is out of range: " + value.dump());
}

/// What get() would take though it does not fit: negative numbers, fractions, too large ones.
template <class T>
void check_number(const std::string& name, const json_value& value) {
  if (!value.is_number()) return;
  const bool is_negative = value.is_number_integer() && !value.is_number_unsigned() && value < 0;
  if (!value.is_number_integer() || is_negative || value.get<std::uint64_t>() > std::numeric_limits<T>::max())
    out_of_range(name, value);
}

template <class T>
void check_range(const std::string& name, const json_value& value) {
  if constexpr (std::is_same_v<T, std::vector<std::uint64_t>>)
    for (const auto& element : value) check_number<std::uint64_t>(name, element);
  else if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>)
    check_number<T>(name, value);
}

std::vector<trace_send> sends_from(const json_value& list) {
  std::vector<trace_send> sends;
  if (!list.is_array()) throw error("the field 'sends' is of the wrong type");
  for (const auto& send : list)
    sends.push_back({field_as<std::string>(send, "message"), field_as<std::string>(send, "receiver")});
  return sends;
}

}  // namespace

json_value to_json(const trace_step& step) {
  json_value json = {{"id", step.id}, {"message", step.message}, {"receiver", step.receiver}, {"state", step.state}};
  if (!step.event.empty()) json["event"] = step.event;
  json["choices"] = step.choices;
  json["sends"] = json_value::array();
  for (const auto& send : step.sends) json["sends"].push_back(to_json(send));
  if (!step.faults.empty()) json["faults"] = step.faults;
  json["creates"] = step.creates;
  json["destroys"] = step.destroys;
  json["findings"] = step.findings;
  if (step.machinery) json["machinery"] = true;
  return json;
}

json_value to_json(const finding& found) {
  json_value json = {{"kind", to_string(found.kind)}, {"message", found.message}, {"actor", found.actor}};
  json["schedule"] = schedule_of(found);
  json["length"] = json["schedule"].size();
  json["shortest"] = found.is_shortest;
  json["trace"] = json_value::array();
  for (const auto& step : found.trace) json["trace"].push_back(to_json(step));
  json["file"] = or_null(found.file, !found.file.empty());
  json["line"] = or_null(found.line, found.line != 0);
  json["details"] = found.details;
  json["occurrences"] = found.occurrences;
  return json;
}

json_value to_json(const exploration::state_counts& s) {
  return {{"comparison", s.comparison},
          {"states", s.states},
          {"final_states", s.final_states},
          {"revisits", s.revisits},
          {"depth", s.depth},
          {"bytes_per_state", s.bytes_per_state},
          {"expected_misses", s.expected_misses}};
}

json_value to_json(const size_estimate& e, bool ended) {
  const auto likely = likely_size_of(e, ended);
  return {{"executions", e.executions},
          {"at_least", likely.at_least},
          {"at_most", likely.at_most},
          {"explored", e.explored},
          {"seconds_to_go", e.seconds_to_go},
          {"method", "explored mass"},
          {"by_explored_mass", e.by_explored_mass},
          {"by_subtree_sizes", e.by_subtree_sizes}};
}

namespace {

/// Writes each field as it is for users. What follows from others stands behind what it follows from.
struct written_for_users {
  json_value& json;
  const exploration& r;

  template <class T>
  void operator()(std::string_view name, T exploration::*member, put_together /*how*/) const {
    if (name == "with_faults") return;  // it is in `faults`
    write(std::string(name), r.*member);
    if (name == "transitions") json["states"] = r.states ? json_value(r.states->states) : json_value();
    if (name == "seconds")
      json["transitions_per_second"] = r.seconds > 0 ? static_cast<double>(r.transitions) / r.seconds : 0.0;
    if (name == "stopped_by" && r.stopped_by.empty()) json["stopped_by"] = nullptr;
  }

private:
  template <class T>
  void write(const std::string& name, const T& value) const {
    json[name] = value;
  }
  void write(const std::string& name, const std::map<std::string, std::string>& parameters) const {
    json[name] = json_value::object();
    for (const auto& [key, value] : parameters) json[name][key] = value;
  }
  void write(const std::string& name, const faults& may_happen) const {
    if (may_happen == faults{}) return;
    json[name] = to_json(may_happen);
    json[name]["executions"] = r.with_faults;
  }
  void write(const std::string& name, const std::optional<size_estimate>& estimate) const {
    json[name] = estimate ? to_json(*estimate, r.exhausted) : json_value();
  }
  void write(const std::string& name, const std::optional<exploration::state_counts>& states) const {
    json[name] = states ? to_json(*states) : json_value();
  }
  void write(const std::string& name, const std::optional<order_count>& orders) const {
    json[name] = nullptr;
    if (orders) json[name] = {{"executions", orders->executions}, {"samples", orders->samples}};
  }
  void write(const std::string& name, const std::vector<finding>& findings) const { json[name] = to_json(findings); }
  void write(const std::string& name, const std::vector<advice>& all) const {
    json[name] = json_value::array();
    for (const auto& [option, value, because] : all)
      json[name].push_back({{"option", option}, {"value", value}, {"because", because}});
  }
  void write(const std::string& name, const std::vector<statistic>& all) const {
    json[name] = json_value::object();
    for (const auto& [what, value] : all) json[name][what] = value;
  }
};

}  // namespace

json_value to_json(const exploration& r) {
  auto json = json_value::object();
  for_each_field(written_for_users{json, r});
  json["causes"] = causes_of(r.findings);
  return json;
}

json_value to_json(const faults& may_happen) {
  auto json = json_value::object();
  for (const auto& kind : fault_kinds()) json[std::string(kind.name)] = may_happen.*kind.budget;
  return json;
}

faults faults_from(const json_value& json) {
  if (!json.is_object()) throw error("the field 'faults': an object is expected");
  const auto is_known = [](const std::string& name) {
    const auto all = fault_kinds();
    return name == "executions" || std::any_of(all.begin(), all.end(), [&](const auto& k) { return k.name == name; });
  };
  for (const auto& [name, value] : json.items())
    if (!is_known(name)) throw error("the field 'faults': there is no budget '" + name + "'");
  faults may_happen;
  for (const auto& kind : fault_kinds())
    if (const auto name = std::string(kind.name); json.contains(name))  // older traces know less
      may_happen.*kind.budget = field_as<std::uint64_t>(json, name);
  return may_happen;
}

trace_step trace_step_from(const json_value& json) {
  trace_step step;
  step.id = field_as<std::string>(json, "id");
  if (json.contains("event")) step.event = field_as<std::string>(json, "event");
  step.message = field_as<std::string>(json, "message");
  step.receiver = field_as<std::string>(json, "receiver");
  step.state = field_as<std::string>(json, "state");
  step.choices = field_as<std::vector<std::uint64_t>>(json, "choices");
  step.sends = sends_from(field(json, "sends"));
  if (json.contains("faults")) step.faults = field_as<std::vector<std::string>>(json, "faults");
  step.creates = field_as<std::vector<std::string>>(json, "creates");
  step.destroys = field_as<bool>(json, "destroys");
  step.findings = field_as<std::vector<std::string>>(json, "findings");
  if (json.contains("machinery")) step.machinery = field_as<bool>(json, "machinery");
  return step;
}

std::string to_text(const json_value& json, int indent) {
  return json.dump(indent, ' ', false, json_value::error_handler_t::replace);
}

const json_value& field(const json_value& object, const std::string& name) {
  if (!object.is_object()) throw error("an object with the field '" + name + "' is expected");
  const auto found = object.find(name);
  if (found == object.end()) throw error("the field '" + name + "' is missing");
  return *found;
}

template <class T>
T field_as(const json_value& object, const std::string& name) {
  const auto& value = field(object, name);
  check_range<T>(name, value);
  try {
    return value.get<T>();
  } catch (const json_value::exception&) {
    throw error("the field '" + name + "' is of the wrong type");
  }
}

template bool field_as(const json_value&, const std::string&);
template double field_as(const json_value&, const std::string&);
template std::string field_as(const json_value&, const std::string&);
template std::uint32_t field_as(const json_value&, const std::string&);
template std::uint64_t field_as(const json_value&, const std::string&);
template std::vector<std::string> field_as(const json_value&, const std::string&);
template std::vector<std::uint64_t> field_as(const json_value&, const std::string&);

}  // namespace harrier
