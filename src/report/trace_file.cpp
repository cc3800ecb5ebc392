#include <harrier/report/trace_file.hpp>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <harrier/core/delivery.hpp>
#include <harrier/core/error.hpp>
#include <harrier/report/explanation.hpp>

namespace harrier {
namespace {

constexpr auto format_name = "harrier-trace";
constexpr int deepest_nesting = 32;  // of lists and objects: a trace has five
constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 31;

/// What reads, shows and destroys JSON may go one call deeper for each level.
void check_nesting(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string) {
      depth += static_cast<int>(c == '[' || c == '{') - static_cast<int>(c == ']' || c == '}');
      if (depth > deepest_nesting)
        throw error("its lists and objects are nested more than " + std::to_string(deepest_nesting) + " deep");
    }
  }
}

/// `read`'s value; what is wrong with it is wrong with the field `name`.
template <class Read>
auto of_field(const std::string& name, Read read) {
  try {
    return read();
  } catch (const error& e) {
    throw error("the field '" + name + "': " + e.what());
  }
}

std::string environment_from(const json_value& json) {
  auto name = field_as<std::string>(json, "environment");
  if (name != "total" && name != "empty" && name != "program")
    throw error("the field 'environment': there is no environment '" + name +
                "'; there are total, empty and program (its own)");
  return name;
}

/// A line for each field and for each element of `steps`: it is read by people
/// and compared by diff, and may be long.
std::string a_line_each(const json_value& object) {
  std::string text = "{";
  for (const auto& [name, value] : object.items()) {
    text += (text.size() == 1 ? "\n " : ",\n ") + to_text(json_value(name)) + ": ";
    if (name != "steps") {
      text += to_text(value);
      continue;
    }
    text += "[";
    for (std::size_t i = 0; i < value.size(); ++i) text += (i == 0 ? "\n  " : ",\n  ") + to_text(value[i]);
    text += "\n ]";
  }
  return text + "\n}\n";
}

json_value head_of(const finding& f) {
  json_value json = {{"kind", to_string(f.kind)}, {"message", f.message}, {"actor", f.actor}};
  json["file"] = f.file;
  json["line"] = f.line;
  json["details"] = f.details;
  json["occurrences"] = f.occurrences;
  return json;
}

finding head_from(const json_value& json) {
  finding f;
  const auto kind = field_as<std::string>(json, "kind");
  f.kind = of_field("kind", [&] { return finding_kind_of(kind); });
  f.message = field_as<std::string>(json, "message");
  f.actor = field_as<std::string>(json, "actor");
  f.file = field_as<std::string>(json, "file");
  f.line = field_as<std::uint32_t>(json, "line");
  f.details = field_as<std::vector<std::string>>(json, "details");
  f.occurrences = field_as<std::uint64_t>(json, "occurrences");
  return f;
}

json_value steps_of(const finding& f) {
  auto steps = json_value::array();
  for (std::size_t i = 0; i < f.trace.size(); ++i) {
    auto step = to_json(f.trace[i]);
    // What the handler drew, as one number: choices cannot be drawn from their values alone.
    if (i < f.schedule.size() && f.schedule[i].code != 0) step["code"] = f.schedule[i].code;
    steps.push_back(std::move(step));
  }
  return steps;
}

void read_steps(const json_value& steps, finding& f) {
  if (!steps.is_array()) throw error("the field 'steps' is of the wrong type");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    try {
      f.trace.push_back(trace_step_from(steps[i]));
      const bool drew = steps[i].contains("code");
      f.schedule.push_back({drew ? field_as<std::uint64_t>(steps[i], "code") : 0, no_message});
    } catch (const error& e) {
      throw error("step " + std::to_string(i + 1) + ": " + e.what());
    }
  }
}

std::map<std::string, std::string> parameters_from(const json_value& json) {
  std::map<std::string, std::string> parameters;
  if (!json.is_object()) throw error("the field 'parameters' is of the wrong type");
  for (const auto& [name, value] : json.items())
    parameters[name] = value.is_string() ? value.get<std::string>() : to_text(value);
  return parameters;
}

void check_format(const json_value& json) {
  const auto found = json.is_object() ? json.find("format") : json.end();
  if (!json.is_object() || found == json.end() || *found != format_name)
    throw error("it is not a trace that harrier saved");
  const auto version = field_as<std::uint64_t>(json, "version");
  if (version != trace_file_version)
    throw error("it has version " + std::to_string(version) + " of the format, and this harrier reads version " +
                std::to_string(trace_file_version) + "; save the trace again with this harrier");
}

}  // namespace

trace_file trace_of(const finding& found, const exploration& all) {
  trace_file trace;
  trace.engine = all.engine;
  trace.ordering = all.ordering;
  trace.sleep_sets = all.sleep_sets;
  trace.seed = all.seed;
  trace.delivery = all.delivery;
  trace.faults = all.faults;
  trace.finding = found;
  return trace;
}

std::string to_text(const trace_file& trace, const json_value& parameters) {
  json_value json = {{"format", format_name}, {"version", trace_file_version}, {"program", trace.program}};
  json["parameters"] = json_value::object();
  for (const auto& [name, value] : trace.parameters) json["parameters"][name] = value;
  if (!parameters.is_null()) json["parameters"] = parameters;
  json["engine"] = trace.engine;
  json["ordering"] = trace.ordering;
  json["sleep_sets"] = trace.sleep_sets;
  json["seed"] = trace.seed;
  json["delivery"] = trace.delivery;
  if (trace.faults != faults{}) json["faults"] = to_json(trace.faults);
  json["environment"] = trace.environment;
  if (!trace.judgement.is_null()) json["judgement"] = trace.judgement;
  if (trace.facts != 0) json["facts"] = trace.facts;
  if (!trace.executable.empty()) json["executable"] = trace.executable;
  json["finding"] = head_of(trace.finding);
  if (!trace.why.sentence.empty()) json["why"] = to_json(trace.why);
  json["steps"] = steps_of(trace.finding);
  return a_line_each(json);
}

trace_file trace_file_from(std::string_view text) {
  check_nesting(text);
  const auto json = json_value::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw error("it is not JSON, or only part of one");
  check_format(json);
  trace_file trace;
  trace.program = field_as<std::string>(json, "program");
  trace.parameters = parameters_from(field(json, "parameters"));
  trace.engine = field_as<std::string>(json, "engine");
  trace.ordering = field_as<std::string>(json, "ordering");
  trace.sleep_sets = field_as<bool>(json, "sleep_sets");
  trace.seed = field_as<std::uint64_t>(json, "seed");
  trace.delivery = field_as<std::string>(json, "delivery");
  static_cast<void>(of_field("delivery", [&] { return delivery_of(trace.delivery); }));
  if (json.contains("faults")) trace.faults = faults_from(json["faults"]);
  trace.environment = environment_from(json);
  if (json.contains("judgement")) trace.judgement = json["judgement"];
  if (json.contains("facts")) trace.facts = field_as<std::uint32_t>(json, "facts");
  if (json.contains("executable")) trace.executable = field_as<std::string>(json, "executable");
  trace.finding = head_from(field(json, "finding"));
  if (json.contains("why")) trace.why = of_field("why", [&] { return explanation_from(json["why"]); });
  read_steps(field(json, "steps"), trace.finding);
  return trace;
}

trace_step as_read(const trace_step& step) { return trace_step_from(json_value::parse(to_text(to_json(step)))); }

trace_file read_trace_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw error("cannot read " + path + ": it is a folder");
  if (std::filesystem::is_character_file(path, ignored) || std::filesystem::is_block_file(path, ignored))
    throw error("cannot read " + path + ": it is a device, which may have no end");
  if (const auto size = std::filesystem::file_size(path, ignored); !ignored && size > largest_file)
    throw error("cannot replay " + path + ": it has more than " + std::to_string(largest_file >> 20) + " MiB");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw error("cannot read " + path + ": " + std::strerror(errno));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw error("cannot read " + path + ": " + std::strerror(errno));
  try {
    return trace_file_from(text);
  } catch (const error& e) {
    throw error("cannot replay " + path + ": " + e.what());
  }
}

}  // namespace harrier
