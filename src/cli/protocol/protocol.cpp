// Parses, calls the library, prints. What people read goes to standard output, or to standard error beside `--json -`.
#include "protocol.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <harrier/core/printable.hpp>
#include <harrier/protocol/check.hpp>
#include <harrier/protocol/checked.hpp>
#include <harrier/protocol/evaluate.hpp>
#include <harrier/protocol/generate.hpp>
#include <harrier/protocol/liberal.hpp>
#include <harrier/protocol/module.hpp>
#include <harrier/protocol/parse.hpp>
#include <harrier/protocol/program.hpp>
#include <harrier/protocol/strict.hpp>
#include <harrier/report/write_file.hpp>

#include "../shell/console.hpp"
#include "../shell/interrupt.hpp"
#include "../shell/outputs.hpp"
#include "../shell/shell.hpp"
#include "protocol_limits.hpp"

namespace harrier {
namespace {

using nlohmann::json;
using namespace protocol;  // NOLINT: the whole file is about it

enum protocol_status : int { all_well = 0, violated = 1, wrong_input = 2, undecided = 3 };

struct request : protocol_choice {
  std::string reading = "definition";
  std::string ends;  ///< empty: as the runs are
  std::string json_file;
  std::string trace_file;
  std::string output;
  std::string format;
  std::string role;
  std::vector<std::string> properties;
  bool fair = false;
  bool minimise = false;
  bool on_was_chosen = false;     ///< `on` is what the user said
  limits_guard* guard = nullptr;  ///< of the command that runs
  /// By formula that a liberal module violates: whether the definition has it, in which branches are kept together.
  std::map<std::string, std::optional<bool>> of_definition = {};
};

/// The limits are also for this part of the command, which does not look at them itself.
void begin(const request& r, const char* what, std::function<void()> instead = {}) {
  if (r.guard != nullptr) r.guard->doing(what, std::move(instead));
}

void begin_writing(const request& r) {
  if (r.guard != nullptr) r.guard->writes();
}

bool is_standard_output(const std::string& name) { return name.empty() || name == "-"; }

void write_out(const std::string& name, const std::string& text) {
  if (is_standard_output(name))
    console().say_exactly(text);
  else
    write_file(name, text);
}

/// What could fail in the end is tried before a long search.
void require_outputs(const request& r) {
  for (const auto& file : {r.json_file, r.output})
    if (!is_standard_output(file)) check_writable(file);
}

// Standard error if the other is for JSON.
void say(const request& r, const std::string& text) {
  if (r.json_file == "-")
    say_aside(printable_lines(text));
  else
    console().say_exactly(printable_lines(text));
}

std::string title(const protocol_choice& r) {
  std::string text;
  for (const auto& word : r.session) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// @param what  was not explored to its end: the projection, say
void say_cut(const char* what, const protocol_choice& r, const protocol_limits& limits) {
  say_aside(fmt::format("{}: the {} {}\n", r.file, what, limits.why()));
}

constexpr auto capacity_help = "How many messages a queue of the liberal modes holds; 0: no limit but a channel's own";

/// Of what was cut in a mode with queues.
void advise_capacity(const protocol_choice& r, const std::string& mode) {
  if (r.capacity != 0 || !parse_mode(mode) || parse_mode(mode) == module_mode::strict) return;
  say_aside(fmt::format(
      "{}: in mode {} a queue has no bound, so there may be infinitely many states; --capacity gives it one\n", r.file,
      mode));
}

state_graph explore_within(const request& r, transition_system& space) {
  protocol_limits limits(r);
  auto graph = explore(space, r.max_states, limits.enough());
  if (graph.complete()) return graph;
  say_cut("projection", r, limits);
  advise_capacity(r, r.reading);
  return graph;
}

/// Line `number`, from 1, and below it a mark under its byte `column`.
std::string marked_line(const std::string& text, std::size_t number, std::size_t column) {
  constexpr std::size_t most_before = 80;
  constexpr std::size_t most_after = 40;
  std::istringstream lines(text);
  std::string line;
  for (std::size_t i = 0; i < number; ++i) {
    if (!std::getline(lines, line)) return {};
  }
  std::replace(line.begin(), line.end(), '\t', ' ');
  while (!line.empty() && line.back() == '\r') line.pop_back();
  const auto at = std::min(column - 1, line.size());
  const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  auto first = at - std::min(at, most_before);
  while (first < at && !begins_character(line[first])) ++first;
  auto last = std::min(line.size(), at + most_after);
  while (last < line.size() && !begins_character(line[last])) ++last;
  // What is not shown as it is would move the mark.
  const auto before = printable(line.substr(first, at - first));
  const auto blanks = std::count_if(before.begin(), before.end(), begins_character);
  return fmt::format("    {}{}{}{}\n    {}{}^\n", first == 0 ? "" : "...", before,
                     printable(line.substr(at, last - at)), last == line.size() ? "" : "...", first == 0 ? "" : "   ",
                     std::string(static_cast<std::size_t>(blanks), ' '));
}

/// Each with the line of the definition that it is about.
std::string with_lines(const std::vector<diagnostic>& diagnostics, const std::string& definition) {
  std::string text;
  for (const auto& d : shortened(diagnostics)) {
    text += to_string(d) + "\n";
    if (d.at.line != 0 && d.at.column != 0) text += marked_line(definition, d.at.line, d.at.column);
  }
  return text;
}

/// The same of the file, as it is now: what cannot be read twice has no lines.
std::string with_lines(const std::vector<diagnostic>& diagnostics, const protocol_choice& r) {
  if (diagnostics.empty()) return {};
  std::string definition;
  try {
    definition = read_file(r.file);
  } catch (const error&) {  // what there is to say is more than the line
  }
  return with_lines(diagnostics, definition);
}

void warn(const std::vector<diagnostic>& diagnostics, const protocol_choice& r) {
  say_aside(with_lines(diagnostics, r));
}

/// Where some roles are declared, another one is probably a slip of the pen, and a module would have it for ever.
void require_declared_roles(const parsed_specification& parsed, const std::string& file, const std::string& text) {
  if (parsed.value->roles.empty()) return;
  std::vector<diagnostic> slips;
  for (const auto& d : parsed.diagnostics) {
    if (d.message == undeclared_role) slips.push_back(d);
  }
  for (auto& d : slips) d.level = severity::error;
  if (!slips.empty()) throw error(fmt::format("{} declares other roles\n{}", file, with_lines(slips, text)));
}

std::string last_part(const std::string& name) { return name.substr(name.rfind('.') + 1); }

std::set<std::string> messages_of(const protocol::specification& definitions) {
  std::set<std::string> known;
  const std::function<void(const node&)> collect = [&](const node& n) {
    if (n.kind == node_kind::send || n.kind == node_kind::handshake) known.insert(last_part(n.name));
    for (const auto* child : n.children) collect(*child);
  };
  for (const auto& [name, session] : definitions.sessions) collect(*session.body);
  return known;
}

std::string in_a_row(const std::set<std::string>& names) {
  std::string all;
  for (const auto& name : names) all += (all.empty() ? "" : ", ") + name;
  return all.empty() ? "none" : all;
}

/// What a file of types says of messages that are in no session: one file may be for several definitions, so it is no
/// error.
void warn_of_unknown_types(const protocol_choice& r, const std::set<std::string>& known) {
  if (r.types_file.empty()) return;
  const auto text = read_file(r.types_file);
  std::istringstream lines(text);
  std::vector<diagnostic> unknown;
  std::string line;
  for (std::uint32_t number = 1; std::getline(lines, line); ++number) {
    std::vector<diagnostic> reported_elsewhere;
    for (const auto& [name, type] : parse_mapping(line, r.types_file, reported_elsewhere).types) {
      if (known.contains(last_part(name))) continue;
      unknown.push_back({severity::warning,
                         r.types_file,
                         {number, static_cast<std::uint32_t>(line.find(name) + 1)},
                         name,
                         fmt::format("is no message of {}", r.file),
                         in_a_row(known)});
    }
  }
  say_aside(with_lines(unknown, text));
}

/// `--type` for a message that is in no session of the file is a slip, too.
void require_known_messages(const protocol_choice& r, const protocol::specification& definitions) {
  const auto known = messages_of(definitions);
  for (const auto& t : r.types) {
    std::vector<diagnostic> reported_elsewhere;
    for (const auto& [name, type] : parse_mapping(t, "--type", reported_elsewhere).types) {
      if (known.contains(last_part(name))) continue;
      throw error(fmt::format("--type {}: {} has no message {}, but {}", t, r.file, name, in_a_row(known)));
    }
  }
  warn_of_unknown_types(r, known);
}

std::shared_ptr<const protocol::specification> open_specification(const protocol_choice& r, bool is_to_be_enforced) {
  const auto text = read_file(r.file);
  const auto parsed = parse(text, r.file);
  if (!parsed.value) throw error(fmt::format("{} cannot be used\n{}", r.file, with_lines(parsed.diagnostics, text)));
  if (is_to_be_enforced) require_declared_roles(parsed, r.file, text);
  require_known_messages(r, *parsed.value);
  say_aside(with_lines(parsed.diagnostics, text));
  return parsed.value;
}

// Of the time of `check`: when the session has to be built, and when the states of what is checked. The rest is for the
// search in them.
constexpr double share_of_session = 0.4;
constexpr double share_of_space = 0.7;

/// What the states are built for.
struct purpose {
  bool is_enforcing = false;
  bool is_searching = false;  ///< in them; that needs time, too
};

explored_session open_session(const protocol_choice& r, purpose why = {}) {
  protocol_limits limits(r);
  const auto enough = why.is_searching ? limits.enough_to_search(share_of_session) : limits.enough();
  auto session = explore_session(open_specification(r, why.is_enforcing), session_name(r.session),
                                 session_arguments(r.session), r.max_states, enough);
  warn(review(session), r);
  if (!session.graph.complete()) say_cut("session", r, limits);
  return session;
}

/// For what is asked of roles one by one.
session_parts open_parts(const protocol_choice& r, purpose why = {}) {
  protocol_limits limits(r);
  const auto enough = why.is_searching ? limits.enough_to_search(share_of_session) : limits.enough();
  auto session = explore_parts(open_specification(r, why.is_enforcing), session_name(r.session),
                               session_arguments(r.session), r.max_states, enough);
  warn(review(session), r);
  if (!session.complete) say_cut("session", r, limits);
  return session;
}

bool is_projected(std::string_view mode) { return parse_mode(mode) == module_mode::liberal_checked; }

generate_options module_options(const protocol_choice& r) {
  generate_options options;
  options.mode = *parse_mode(r.mode);
  options.in_namespace = r.in_namespace;
  options.title = title(r);
  std::vector<diagnostic> diagnostics;
  if (!r.types_file.empty()) options.types = parse_mapping(read_file(r.types_file), r.types_file, diagnostics);
  for (const auto& t : r.types) {
    for (auto& [name, type] : parse_mapping(t, "--type", diagnostics).types) options.types.types[name] = type;
  }
  if (has_errors(diagnostics)) throw error(to_string(diagnostics));
  options.types.includes.insert(options.types.includes.end(), r.includes.begin(), r.includes.end());
  return options;
}

error no_module(const generated_module& module, const protocol_choice& r) {
  return error(fmt::format("no module can be generated\n{}", with_lines(module.diagnostics, r)));
}

json in_json(const std::vector<diagnostic>& diagnostics) {
  auto list = json::array();
  for (const auto& d : diagnostics) list.push_back(to_string(d));
  return list;
}

void write_json(const request& r, const json& object) {
  if (r.json_file.empty()) return;
  write_out(r.json_file, object.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

// --- states and graph

struct built_space {
  state_graph graph;
  alphabet names;
  bool whole = true;  ///< of the session, too
  std::vector<diagnostic> warnings = {};
  std::vector<bool> terminated = {};  ///< of the definition's
};

/// What each role does by itself is projected part by part, as a module is.
built_space projected_space(const request& r) {
  const auto session = open_parts(r);
  if (!session.complete) throw error("the session is too large to project");
  protocol_limits limits(r);
  const auto projection = project_checked(session, limits.watch());
  if (!projection.complete) {
    say_cut("projection", r, limits);
    return {{}, projection.names, false, review(session)};
  }
  std::vector<diagnostic> problems;
  for (const auto& p : projection.problems) problems.push_back(to_diagnostic(p, projection, r.file, severity::error));
  for (const auto& p : projection.open_ends)
    problems.push_back(to_diagnostic(p, projection, r.file, severity::warning));
  if (has_errors(problems)) throw error(with_lines(problems, r));
  warn(problems, r);
  if (const auto sent = sent_without_bound(projection); sent && r.capacity == 0) {
    throw error(fmt::format(
        "in mode liberal-checked a queue has no bound, and `{}` may be done again and again without waiting "
        "for anything, so there are infinitely many states; with `--capacity N` a queue has room for N "
        "messages, and a send waits for it",
        projection.names.describe(*sent)));
  }
  checked_space space(projection, r.capacity);
  auto graph = explore_within(r, space);
  return {std::move(graph), space.names(), true, review(session)};
}

built_space space_of(const request& r) {
  if (is_projected(r.reading)) return projected_space(r);
  auto session = open_session(r);
  const bool whole = session.graph.complete();
  if (r.reading == "definition") {
    auto warnings = review(session);
    return {std::move(session.graph), session.terms->names(), whole, std::move(warnings),
            std::move(session.terminated)};
  }
  if (r.reading == "strict") {
    graph_system definition(session.graph, session.terms->names());
    strict_space space(whole ? static_cast<transition_system&>(definition) : *session.terms);
    auto graph = explore_within(r, space);
    return {std::move(graph), space.names(), whole, review(session)};
  }
  if (!whole) throw error("the session is too large to project");
  liberal_space space(session, r.capacity);
  auto graph = explore_within(r, space);
  return {std::move(graph), space.names(), whole, review(session)};
}

int run_states(const request& r) {
  const auto space = space_of(r);
  const auto counts = count(space.graph);
  const bool whole = space.graph.complete() && space.whole;
  json object{{"session", title(r)},
              {"reading", r.reading},
              {"states", counts.states},
              {"transitions", counts.transitions},
              {"nondeterministic", counts.nondeterministic},
              {"dead", counts.dead},
              {"exhausted", whole},
              {"warnings", in_json(space.warnings)}};
  auto text =
      fmt::format("{} ({}): {}{} states, {} transitions; {} nondeterministic, {} dead", title(r), r.reading,
                  whole ? "" : "at least ", counts.states, counts.transitions, counts.nondeterministic, counts.dead);
  if (r.reading == "definition") {
    const auto terminating = std::count(space.terminated.begin(), space.terminated.end(), true);
    object["terminating"] = terminating;
    text += fmt::format(", {} terminating", terminating);
  }
  text += "\n";
  if (r.minimise) {
    begin(r, "minimising", [&r, object, text]() mutable {
      object["minimised"] = nullptr;
      say(r, text);
      outputs written;
      written.attempt([&] { write_json(r, object); });
    });
    const auto quotient = minimise(space.graph);
    object["minimised"] = {{"states", quotient.states()}, {"transitions", quotient.transitions()}};
    text += fmt::format("up to bisimulation: {} states, {} transitions\n", quotient.states(), quotient.transitions());
  }
  begin_writing(r);
  say(r, text);
  outputs written;
  written.attempt([&] { write_json(r, object); });
  return written.conclude(whole ? all_well : undecided);
}

int write_graph(const request& r, const state_graph& graph, const std::string& dot) {
  const bool svg = r.format.empty() ? r.output.ends_with(".svg") : r.format == "svg";
  if (svg && graph.states() > max_drawn_with_care) {
    say_aside(fmt::format("{}: {} states are drawn in a hurry, and hard to read; --minimise and --role make fewer\n",
                          r.file, graph.states()));
  }
  begin(r, "drawing");
  const auto drawn = svg ? to_svg(dot) : dot;
  begin_writing(r);
  outputs written;
  written.attempt([&] { write_out(r.output, drawn); });
  return written.conclude(graph.complete() ? all_well : undecided);
}

int run_graph_of_role(const request& r) {
  const auto mode = parse_mode(r.reading);
  if (!mode || *mode == module_mode::strict) {
    throw error("--role needs --mode liberal or liberal-checked: in the others one machine is for all roles");
  }
  generate_options options;
  options.mode = *mode;
  std::optional<protocol_limits> limits;
  const auto machine_in = [&](const auto& session) {
    limits.emplace(r);
    options.watch = limits->watch();
    return machine_of(session, r.role, options);
  };
  role_machine machine;
  if (*mode == module_mode::liberal_checked) {
    const auto session = open_parts(r);
    if (!session.complete) return undecided;
    machine = machine_in(session);
  } else {
    const auto session = open_session(r);
    if (!session.graph.complete()) return undecided;
    machine = machine_in(session);
  }
  if (!machine.complete) {
    say_cut("projection", r, *limits);
    return undecided;
  }
  if (has_errors(machine.diagnostics)) throw error(with_lines(machine.diagnostics, r));
  warn(machine.diagnostics, r);
  // A number of the header would be another's.
  const auto first = r.minimise ? 0 : machine.first;
  if (r.minimise) machine.graph = minimise(machine.graph);
  return write_graph(r, machine.graph, to_dot(machine.graph, machine.names, title(r) + ", " + r.role, {}, first));
}

int run_graph(const request& r) {
  if (!r.role.empty()) return run_graph_of_role(r);
  auto space = space_of(r);
  begin(r, "minimising");
  if (r.minimise) space.graph = minimise(space.graph);
  begin(r, "drawing");
  const auto note = [&](state_id s) {
    const bool ends = r.reading == "definition" && !r.minimise && s < space.terminated.size() && space.terminated[s];
    return std::string(ends ? "may end" : "");
  };
  const auto dot = to_dot(space.graph, space.names, title(r), note);
  const int status = write_graph(r, space.graph, dot);
  return status == all_well && !space.whole ? undecided : status;
}

// --- generate

// Nothing, after words about the limit, if one was reached.
std::optional<generated_module> generated_for(const protocol_choice& r, bool is_to_be_enforced) {
  std::optional<protocol_limits> limits;
  const auto generated = [&](const auto& session) {
    limits.emplace(r);
    auto options = module_options(r);
    options.watch = limits->watch();
    if (is_to_be_enforced) options.largest = r.max_header << 20;
    return generate(session, session_name(r.session), options);
  };
  generated_module module;
  if (is_projected(r.mode)) {
    const auto session = open_parts(r, {.is_enforcing = is_to_be_enforced});
    if (!session.complete) return std::nullopt;
    module = generated(session);
  } else {
    const auto session = open_session(r, {.is_enforcing = is_to_be_enforced});
    if (!session.graph.complete()) return std::nullopt;
    module = generated(session);
  }
  if (module.complete) return module;
  say_cut("projection", r, *limits);
  return std::nullopt;
}

int run_generate(const request& r) {
  begin(r, "the module");
  const auto generated = generated_for(r, true);
  if (!generated) return undecided;
  const auto& module = *generated;
  if (module.code.empty()) throw no_module(module, r);
  warn(module.diagnostics, r);
  begin_writing(r);
  outputs written;
  written.attempt([&] { write_out(r.output, module.code); });
  return written.conclude(all_well);
}

// --- check

std::vector<std::string> all_printable(std::vector<std::string> texts) {
  for (auto& text : texts) text = printable(text);
  return texts;
}

json in_json(const property_verdict& v) {
  json object{
      {"formula", v.formula}, {"holds", nullptr}, {"lasso", nullptr}, {"note", nullptr}, {"definition_holds", nullptr}};
  if (v.holds) object["holds"] = *v.holds;
  if (!v.note.empty()) object["note"] = v.note;
  if (v.lasso) {
    object["lasso"] = {{"prefix", all_printable(v.lasso->prefix)},
                       {"cycle", all_printable(v.lasso->cycle)},
                       {"end", name_of(v.lasso->end)}};
  }
  return object;
}

// Of a long way, how it begins and how it ends.
void add_steps(const std::vector<std::string>& steps, std::string& text) {
  constexpr std::size_t most = 40;
  constexpr std::size_t last = 10;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps.size() > most && i == most - last) {
      const auto left_out = steps.size() - most;
      text += fmt::format("    ... {} more {}, which --json writes ...\n", left_out, left_out == 1 ? "step" : "steps");
      i += left_out;
    }
    text += "    " + printable(steps[i]) + "\n";
  }
}

std::string in_words(const std::string& name, const property_verdict& v) {
  auto text = fmt::format("{:<10} {}\n",
                          v.holds == true    ? "holds"
                          : v.holds == false ? "violated"
                                             : "undecided",
                          printable(name));
  if (!v.note.empty()) text += "    note: " + v.note + "\n";
  if (!v.lasso) return text;
  add_steps(v.lasso->prefix, text);
  if (v.lasso->end == lasso_end::cycle) text += "  again and again:\n";
  add_steps(v.lasso->cycle, text);
  if (v.lasso->end == lasso_end::stutter) text += "    nothing more, forever\n";
  if (v.lasso->end == lasso_end::stop) text += "    the end\n";
  if (v.lasso->end == lasso_end::any) text += "    whatever follows\n";
  return text;
}

property_report undecided_report(const request& r, std::size_t states, std::size_t transitions,
                                 const std::vector<std::string>& formulas) {
  property_report report;
  if (!r.ends.empty()) report.ends = ends_of(r.ends);
  report.states = states;
  report.transitions = transitions;
  report.complete = false;
  for (const auto& f : formulas) report.properties.push_back({f, std::nullopt, std::nullopt, {}});
  return report;
}

// `ignore`; `finite (all runs end)` where nobody chose and that is why.
std::string ends_in_words(const request& r, const property_report& report) {
  return name_of(report.ends) + (r.ends.empty() && report.ends == run_ends::finite ? " (all runs end)" : "");
}

void save_first(const request& r, const run_saver& saver, const property_report& report) {
  if (r.trace_file.empty()) return;
  for (const auto& v : report.properties) {
    if (v.lasso) return saver.save(r.trace_file, r, v.formula, name_of(report.ends), *v.lasso);
  }
}

bool is_violated(const property_verdict& v) { return v.holds == false; }

/// A liberal module keeps branches that look alike role by role, so roles may act as if in different ones. Where that
/// is so, what it violates says of the definition that it does, too, or does not.
void note_the_weaker_module(explored_session& session, request& r, const generate_options& module,
                            const property_options& options, property_report& report) {
  std::vector<std::string> violated_ones;
  for (const auto& v : report.properties) {
    if (is_violated(v)) violated_ones.push_back(v.formula);
  }
  if (violated_ones.empty() || count(session.graph).nondeterministic == 0) return;
  const auto together =
      check_session(session, session_name(r.session), module, checked_thing::definition, violated_ones, options);
  auto other = together.properties.begin();
  for (auto& v : report.properties) {
    if (!is_violated(v)) continue;
    const auto holds = (other++)->holds;
    r.of_definition[v.formula] = holds;
    const char* definition = !holds ? "whether the definition does, which keeps them together, was not found out"
                             : *holds
                                 ? "the definition in that mode, which keeps them together, does not: --on definition"
                                 : "so does the definition in that mode, which keeps them together";
    v.note = fmt::format(
        "this is the liberal module, in which roles may act as if in different branches that look "
        "alike; {}",
        definition);
  }
}

/// A module of a million states takes a minute and four gigabytes, the definition a twentieth of both, and a strict
/// module does nothing else.
void choose_what_to_check(request& r, const explored_session& session) {
  constexpr std::size_t many = 200'000;
  if (r.on_was_chosen || r.on != "module" || r.mode != "strict" || !r.trace_file.empty()) return;
  if (session.graph.states() <= many) return;
  r.on = "definition";
  say_aside(
      fmt::format("{}: {} states are many for a module to be tried in, so the definition is checked, which is "
                  "what a strict module does; --on module checks the module\n",
                  r.file, session.graph.states()));
}

property_report report_on(request& r, const std::vector<std::string>& formulas) {
  property_options options;
  if (!r.ends.empty()) options.ends = ends_of(r.ends);
  options.fair = r.fair;
  options.max_states = r.max_states;
  options.capacity = r.capacity;
  std::optional<protocol_limits> limits;
  const auto is_of_module = [&] { return r.on == "module"; };
  const auto checked = [&](auto session) {
    const auto what = is_of_module() ? checked_thing::module : checked_thing::definition;
    limits.emplace(r);
    auto module = module_options(r);
    module.watch = limits->watch();
    options.enough = limits->enough_to_search(share_of_space);
    options.gives_up = limits->gives_up();
    if constexpr (std::is_same_v<decltype(session), explored_session>) {
      if (parse_mode(r.mode) == module_mode::liberal && what == checked_thing::module) {
        auto result = check_session(session, session_name(r.session), module, what, formulas, options);
        note_the_weaker_module(session, r, module, options, result);
        return result;
      }
    }
    return check_session(std::move(session), session_name(r.session), module, what, formulas, options);
  };
  property_report report;
  if (is_projected(r.mode)) {
    auto session = open_parts(r, {.is_searching = true});
    if (!session.complete) return undecided_report(r, session.states(), session.transitions(), formulas);
    report = checked(std::move(session));
  } else {
    auto session = open_session(r, {.is_searching = true});
    choose_what_to_check(r, session);
    if (session.graph.complete()) {
      session.terms->forget_states();
      if (!is_of_module()) session.place_of = {};
    } else if (is_of_module() || r.mode != "strict" || interrupt_notice::came()) {
      return undecided_report(r, session.graph.states(), session.graph.transitions(), formulas);
    }
    report = checked(std::move(session));
  }
  if (report.stopped)
    say_cut("projection", r, *limits);
  else if (limits->reached())
    say_cut("session", r, *limits);
  if (!report.complete) advise_capacity(r, r.mode);
  return report;
}

int run_check(request& r, const run_saver& saver) {
  if (!r.trace_file.empty()) {
    if (r.on != "module") throw error("--save-trace needs --on module: what is replayed is a module");
    saver.prepare(r.trace_file);
  }

  std::vector<std::string> formulas;
  for (const auto& p : r.properties) formulas.push_back(formula_text(p));
  const auto report = report_on(r, formulas);
  warn(report.warnings, r);
  auto text = fmt::format("checked the {}, mode {}, runs that end: {}{}: {}{} states, {} transitions\n",
                          r.on == "module" ? "generated module" : "definition, not generated code", r.mode,
                          ends_in_words(r, report), r.fair ? ", fair" : "", report.complete ? "" : "at least ",
                          report.states, report.transitions);
  if (report.thrown != 0) text += fmt::format("{} receives would have lost a message\n", report.thrown);
  json object{{"session", title(r)},
              {"states", report.states},
              {"transitions", report.transitions},
              {"mode", r.mode},
              {"ends", name_of(report.ends)},
              {"ends_chosen", !r.ends.empty()},
              {"infinite_runs", nullptr},
              {"no_run_counts", report.no_run_counts},
              {"fair", r.fair},
              {"on", r.on},
              {"exhausted", report.complete},
              {"lost", report.thrown},
              {"warnings", in_json(report.warnings)},
              {"properties", json::array()}};
  if (report.infinite_runs) object["infinite_runs"] = *report.infinite_runs;
  int status = all_well;
  for (std::size_t i = 0; i < report.properties.size(); ++i) {
    const auto& v = report.properties[i];
    auto& verdict = object["properties"].emplace_back(in_json(v));
    if (const auto known = r.of_definition.find(v.formula); known != r.of_definition.end() && known->second) {
      verdict["definition_holds"] = *known->second;
    }
    text += in_words(r.properties[i], v);
    if (v.holds == false) status = violated;
    if (!v.holds && status == all_well) status = undecided;
  }
  begin_writing(r);
  say(r, text);
  outputs written;
  written.attempt([&] { write_json(r, object); });
  written.attempt([&] { save_first(r, saver, report); });
  return written.conclude(status);
}

// --- the command line

/// MiB. One of 44 was measured to take a compiler 4 s.
constexpr std::size_t largest_header = 32;

/// What builds states looks whether it is to stop, and what was built by then is told; what else there is to do does
/// not.
constexpr interrupt_notice::last_resort in_a_second{
    "harrier: interrupted during an operation that cannot be stopped halfway: there is no output\n", undecided};

void add_common(CLI::App& line, protocol_choice& r) {
  line.add_option("spec", r.file, "The definition, a .dcj file")->required()->option_text("SPEC.dcj");
  line.add_option("--session", r.session, "The session and its arguments: numbers, or expressions such as \"#{0 1}\"")
      ->required()
      ->option_text("NAME [ARG ...]");
  line.add_option("--max-states", r.max_states, "Stop at N states (default 1000000)")
      ->option_text("N")
      ->check(CLI::Range(std::size_t{1}, SIZE_MAX))
      ->capture_default_str();
}

void add_limits(CLI::App& line, protocol_choice& r) {
  line.add_option("--time-limit", r.time_limit,
                  "End the command after about that time, with what it has by then; 0: no limit")
      ->check(CLI::NonNegativeNumber)
      ->option_text("SECONDS");
  line.add_option(
          "--max-memory", r.max_memory,
          "Stop building states when the process uses that much memory, and end it at half as much again; 0: no "
          "limit")
      ->option_text("MIB");
  line.add_option("--proof-time", r.proof.seconds,
                  "In mode liberal-checked: how long a proof that roles can be left to themselves is looked for; 0: no "
                  "limit")
      ->check(CLI::NonNegativeNumber)
      ->option_text("SECONDS")
      ->capture_default_str();
  line.add_option("--proof-memory", r.proof.mebibytes, "The memory that this search may take; 0: no limit")
      ->option_text("MIB")
      ->capture_default_str();
}

void add_reading(CLI::App& line, request& r) {
  line.add_option("--mode", r.reading, "Whose states: those of the definition, or of a module in that mode")
      ->check(CLI::IsMember({"definition", "strict", "liberal", "liberal-checked"}))
      ->capture_default_str();
  line.add_option("--capacity", r.capacity, capacity_help);
  line.add_flag("--minimise", r.minimise, "Minimise up to bisimulation");
}

void add_mode(CLI::App& line, protocol_choice& r) {
  line.add_option("--mode", r.mode, "How strictly roles must keep to the order of the definition")
      ->check(CLI::IsMember({"strict", "liberal", "liberal-checked"}))
      ->capture_default_str();
}

void add_types(CLI::App& line, protocol_choice& r) {
  line.add_option("--type", r.types, "The C++ type of a message, such as Move=chess::move")
      ->option_text("NAME=TYPE ...");
  line.add_option("--types", r.types_file, "A file of such lines, and of #include lines")->option_text("FILE");
  line.add_option("--include", r.includes, "Headers for those types, such as \"<string>\"")->option_text("HEADER ...");
  line.add_option("--namespace", r.in_namespace, "Namespace of the module; may be empty")->capture_default_str();
}

}  // namespace

int or_advise(const std::function<int()>& compile_and_run) {
  try {
    return compile_and_run();
  } catch (const compiler_error& e) {
    throw error(fmt::format("{}\n`--on definition` needs no compiler", e.what()));
  }
}

void require_queues(const CLI::App& line, const std::string& mode) {
  if (line.count("--capacity") > 0 && mode != "liberal" && mode != "liberal-checked")
    throw error(fmt::format("--capacity is of the queues of the liberal modes, and mode {} has none", mode));
}

std::string read_file(const std::string& name) {
  std::error_code problem;
  if (std::filesystem::is_directory(name, problem)) throw error(fmt::format("{} is a folder", name));
  if (std::filesystem::is_character_file(name, problem) || std::filesystem::is_block_file(name, problem))
    throw error(fmt::format("{} is a device, which may have no end", name));
  std::ifstream in(name, std::ios::binary);
  std::stringstream text;
  if (in) text << in.rdbuf();
  if (!in) throw error(fmt::format("cannot read {}", name));
  return text.str();
}

std::string formula_text(const std::string& argument) {
  std::error_code problem;
  if (std::filesystem::is_regular_file(argument, problem)) return read_file(argument);
  if (argument.ends_with(".owl") || argument.ends_with(".ltl")) throw error(fmt::format("cannot read {}", argument));
  return argument;
}

std::string session_name(const std::vector<std::string>& words) {
  const auto name = words.at(0);
  const auto first = name.find_first_not_of(':');
  return first == std::string::npos ? name : name.substr(first);
}

std::vector<value> session_arguments(const std::vector<std::string>& words) {
  protocol::specification scratch;
  std::vector<diagnostic> diagnostics;
  std::vector<value> result;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto* expression = parse_expression(words[i], scratch, diagnostics);
    if (expression != nullptr) result.push_back(evaluate(*expression, scratch));
  }
  if (has_errors(diagnostics)) throw error(fmt::format("--session: {}", to_string(diagnostics)));
  return result;
}

run_ends ends_of(const std::string& word) {
  return word == "ignore" ? run_ends::ignore : word == "stutter" ? run_ends::stutter : run_ends::finite;
}

std::string name_of(run_ends ends) {
  return ends == run_ends::ignore ? "ignore" : ends == run_ends::stutter ? "stutter" : "finite";
}

std::string name_of(lasso_end end) {
  switch (end) {
    case lasso_end::cycle: return "cycle";
    case lasso_end::stutter: return "stutter";
    case lasso_end::stop: return "stop";
    case lasso_end::any: return "any";
  }
  return {};
}

opened_protocol open_protocol(const protocol_choice& choice) {
  if (choice.on == "definition") {
    static_cast<void>(open_session(choice));  // says what is wrong with it
    const auto parsed = parse(read_file(choice.file), choice.file);
    return {nullptr, make_program(parsed.value, session_name(choice.session), session_arguments(choice.session))};
  }
  const auto generated = generated_for(choice, false);
  if (!generated) throw error(fmt::format("{}: the session is too large for a module", choice.file));
  const auto& module = *generated;
  if (module.code.empty()) throw no_module(module, choice);
  warn(module.diagnostics, choice);
  auto loaded = std::make_shared<loaded_module>(load(module));
  return {loaded, make_program(session_name(choice.session), loaded->probe(), choice.capacity)};
}

void bind_choice(CLI::App& line, protocol_choice& choice) {
  add_common(line, choice);
  add_mode(line, choice);
  add_types(line, choice);
  line.add_option("--capacity", choice.capacity, capacity_help);
}

namespace {

constexpr auto protocol_footer = R"(Examples:
  harrier protocol states chess.dcj --session chess                             how many states it has
  harrier protocol graph chess.dcj --session chess -o chess.svg                 what it looks like
  harrier protocol generate chess.dcj --session chess -o chess.hpp              a C++ module for its roles
  harrier protocol check chess.dcj --session chess --property 'F "master SEND"'  whether it does that

Exit status: 0 no violation; 1 a property is violated, or a role waits forever; 2 wrong usage or input;
3 undecided, since a limit stopped it; 5 an output could not be written. docs/protocols.md has the language.)";

}  // namespace

protocol_command add_protocol_command(CLI::App& app, const run_saver& saver) {
  auto* line = app.add_subcommand("protocol", "Protocols: their states, properties and generated modules");
  line->footer(as_called(protocol_footer, app.get_name()));
  line->require_subcommand(1);
  const auto r = std::make_shared<request>();
  auto* states = line->add_subcommand("states", "Count states, transitions, nondeterminism and dead ends");
  add_common(*states, *r);
  add_limits(*states, *r);
  add_reading(*states, *r);
  states->add_option("--json", r->json_file, "Write the result as JSON; - is standard output")->option_text("FILE|-");
  auto* graph = line->add_subcommand("graph", "Draw the transition system");
  add_common(*graph, *r);
  add_limits(*graph, *r);
  add_reading(*graph, *r);
  graph->add_option("--role", r->role, "Only this role's machine, in mode liberal or liberal-checked")
      ->option_text("ROLE");
  graph->add_option("--format", r->format, "The format: dot, or svg (by Graphviz)")
      ->check(CLI::IsMember({"dot", "svg"}));
  graph->add_option("-o,--output", r->output, "Write to FILE; a name that ends in .svg means SVG")->option_text("FILE");
  auto* generated = line->add_subcommand("generate", "Write a C++ module that enforces the protocol");
  add_common(*generated, *r);
  add_limits(*generated, *r);
  add_mode(*generated, *r);
  add_types(*generated, *r);
  r->max_header = largest_header;
  generated
      ->add_option("--max-header", r->max_header, "Refuse to write a header that is larger, and say why; 0: no limit")
      ->check(CLI::Range(std::size_t{0}, std::size_t{1} << 20))
      ->option_text("MIB")
      ->capture_default_str();
  generated->add_option("-o,--output", r->output, "Write to FILE")->option_text("FILE");
  auto* check = line->add_subcommand("check", "Check temporal formulas on the generated module");
  add_common(*check, *r);
  add_limits(*check, *r);
  add_mode(*check, *r);
  check->add_option("--property", r->properties, "Formulas in Owl's syntax, or files of one")
      ->required()
      ->option_text("FORMULA|FILE ...");
  check
      ->add_option("--ends", r->ends,
                   "How finite runs are read: not at all (ignore), followed by nothing forever (stutter), or as they "
                   "are (finite); default finite if all runs end, else ignore")
      ->check(CLI::IsMember({"ignore", "stutter", "finite"}));
  check->add_flag("--fair", r->fair, "Ignore runs in which a role could always act from some point on, but never does");
  check
      ->add_option(
          "--on", r->on,
          "Check the generated code, compiled (module; not by default in mode strict for more than 200000 states), or "
          "the definition, without compiling")
      ->check(CLI::IsMember({"module", "definition"}))
      ->capture_default_str();
  check->add_option("--capacity", r->capacity, capacity_help);
  check->add_option("--json", r->json_file, "Write the result as JSON; - is standard output")->option_text("FILE|-");
  if (saver.save) {
    check->add_option("--save-trace", r->trace_file, "Save the first violating run for `replay`")->option_text("FILE");
  }
  return {line, [=]() -> int {
            const interrupt_notice stop(in_a_second);
            limits_guard guard(*r);
            r->guard = &guard;
            begin(*r, "the session");
            require_outputs(*r);
            for (const auto* reading : {states, graph}) require_queues(*reading, r->reading);
            require_queues(*check, r->mode);
            try {
              if (states->parsed()) return run_states(*r);
              if (graph->parsed()) return run_graph(*r);
              if (generated->parsed()) return run_generate(*r);
              begin(*r, "checking");
              r->on_was_chosen = check->count("--on") != 0;
              return or_advise([&] { return run_check(*r, saver); });
            } catch (const definition_error& e) {
              throw error(with_lines({e.what_is_wrong}, *r));
            }
          }};
}

}  // namespace harrier
