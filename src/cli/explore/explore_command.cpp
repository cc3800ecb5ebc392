#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <utility>

#include <harrier/core/printable.hpp>
#include <harrier/core/script.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/isolation/isolated_search.hpp>
#include <harrier/report/ci.hpp>
#include <harrier/report/explanation.hpp>
#include <harrier/report/text.hpp>
#include <harrier/report/trace_file.hpp>
#include <harrier/report/write_file.hpp>

#include "../../core/finding_origin.hpp"
#include "../../explore/checkpoint.hpp"
#include "../../explore/limits.hpp"
#include "../../explore/search_wiring.hpp"
#include "../extensions.hpp"
#include "../shell/console.hpp"
#include "../shell/interrupt.hpp"
#include "../shell/own_examples.hpp"
#include "../shell/own_executable.hpp"
#include "../shell/seen_from_here.hpp"
#include "../shell/shell.hpp"
#include "explore_request.hpp"
#include "progress_line.hpp"
#include "progress_plot.hpp"
#include "smaller_program.hpp"
#include "why_of_findings.hpp"

namespace harrier {
namespace {

constexpr auto examples = R"(Examples:
  harrier explore server
  harrier explore pi workers=4 --keep-going --json result.json
  harrier explore philosophers n=3 --save-trace deadlock.json
  harrier explore philosophers n=3 --report deadlock.html
  harrier explore leader n=4 --time-limit 60 --progress never
  harrier explore server --format gcc --junit report.xml
)";

constexpr auto after_examples = R"(
The program runs in a child process, so a handler that crashes or never ends is a finding like any other.
Exit status: 0 explored completely and nothing found; 1 a finding, or something never happened
(--require-covered); 2 wrong usage or input; 3 nothing found, but a limit stopped the search, or not
everything was judged; 4 the program cannot be tested; 5 an output could not be written (instead of
0 and 3).)";

/// It objected, or failed itself.
bool may_be_of_a_judge(const finding& f) {
  const auto origin = origin_of(f.kind);
  const bool may_be_its_failure = origin == finding_origin::the_process || f.kind == finding_kind::exception;
  return origin == finding_origin::a_monitor || (may_be_its_failure && f.actor.empty());
}

trace_file trace_of(const finding& found, const exploration& result, const explore_request& request,
                    const chosen_program& program) {
  auto trace = harrier::trace_of(found, result);
  trace.program = result.program;
  trace.parameters = result.parameters;
  trace.environment = word_for_environment(request.how.judging.ends());
  if (request.how.judging.by != nullptr && may_be_of_a_judge(found)) trace.judgement = request.judged_by.to_json();
  if (program.made.seen == nullptr) return trace;
  trace.facts = program.made.seen->facts();
  trace.executable = own_executable();
  return trace;
}

bool is_all_covered(const exploration& result) {
  return std::all_of(result.points.begin(), result.points.end(), [](const auto& point) { return point.second; });
}

exit_status status_of(const exploration& result, bool require_covered) {
  const auto& found = result.findings;
  if (std::any_of(found.begin(), found.end(), [](const finding& f) { return is_of_the_search(f.kind); }))
    return untestable;
  if (!found.empty() || (require_covered && !is_all_covered(result))) return found_something;
  return result.exhausted ? explored_completely : stopped_by_a_limit;
}

void check_output_for_tools(const explore_request& request) {
  if (request.format != findings_format::text && request.json == "-")
    throw error("--format and --json - both write to standard output; give --json a file");
  if (request.junit.empty()) return;
  if (request.junit == "-") throw error("--junit -: a report goes to a file; give its name");
  for (const auto& [other, name] :
       std::array<std::pair<std::string, const char*>, 4>{{{request.json, "--json"},
                                                           {request.save_trace, "--save-trace"},
                                                           {request.plot, "--plot-progress"},
                                                           {request.how.kept.checkpoint, "--checkpoint"}}})
    if (request.junit == other) throw error(fmt::format("--junit and {} name the same file; give two", name));
  check_writable(request.junit);
}

/// Everything that could fail after a long search is tried before it.
void check_outputs(const explore_request& request, const page_floor* pages) {
  if (!request.json.empty() && request.json == request.save_trace)
    throw error("--json and --save-trace name the same file; give two");
  const auto& written = request.how.kept.checkpoint;
  if (!written.empty() && (written == request.json || written == request.save_trace || written == request.plot))
    throw error("--checkpoint names the same file as --json, --save-trace or --plot-progress; give another");
  if (written == "-") throw error("--checkpoint -: a checkpoint goes to a file; give its name");
  if (!written.empty()) {
    require_place_for_file(written);
    check_writable(written);
  }
  if (!request.plot.empty() && (request.plot == request.json || request.plot == request.save_trace))
    throw error("--plot-progress names the same file as --json or --save-trace; give another");
  check_output_for_tools(request);
  if (!request.json.empty() && request.json != "-") check_writable(request.json);
  if (!request.report.empty() && (request.report == request.json || request.report == request.save_trace ||
                                  request.report == request.plot || request.report == written))
    throw error("--report names the same file as another option; give another");
  check_report(request.report, pages);
  if (request.save_trace == "-") throw error("--save-trace -: a trace goes to a file; give its name");
  if (!request.save_trace.empty()) check_writable(request.save_trace);
}

/// What became of a checkpoint.
struct written_checkpoint {
  bool is_there = false;          ///< of some time of this search, or of the one that it goes on with
  std::uint64_t transitions = 0;  ///< when it was written here
  std::string unwritten = {};     ///< why there is none of its end
  bool is_said = false;           ///< that there is none of now, while the search went on
};

exploration search(const explore_request& request, const chosen_program& program, progress_plot& plot,
                   written_checkpoint& checkpoint, const broker_floor* at_broker) {
  progress_line line(request.show_progress);
  if (!request.run.at.url.empty()) {
    if (at_broker == nullptr) refuse_broker();
    return at_broker->explore(request, program, [&](const progress& so_far, std::size_t hands) {
      line.show(so_far, fmt::format("; {}", count_of(hands, "worker", "workers")));
      plot.note(so_far);
    });
  }
  auto how = request.how;
  how.told.on_progress = [&](const progress& so_far) {
    if (!checkpoint.unwritten.empty() && !std::exchange(checkpoint.is_said, true)) {
      line.clear();
      say_aside(fmt::format("harrier: {}; the search continues and will try again\n", checkpoint.unwritten));
    }
    line.show(so_far);
    plot.note(so_far);
  };
  how.told.on_checkpoint = [&](const std::string& failed, std::uint64_t transitions) {
    checkpoint.unwritten = failed;
    if (failed.empty()) checkpoint = {true, transitions, {}, false};
  };
  if (!request.in_process) return explore_isolated(program.made, how, request.apart);
  const interrupt_notice stop;
  how.limits.should_stop = [] { return interrupt_notice::came(); };
  const search_wiring wiring = {.on_writing = interrupt_notice::writes};
  how.told.wiring = &wiring;
  return explore(program.made, how);
}

/// What the user can do about the verdict.
std::string way_on(const exploration& result, const explore_request& request, const written_checkpoint& checkpoint) {
  const bool is_scripted = !request.pins.empty() || !request.until.empty() || !request.through.empty();
  if (is_scripted && result.exhausted && result.findings.empty()) return "That is of what the script leaves, no more.";
  if (result.stopped_by == "the first finding") return "--keep-going looks for all.";
  if (!result.exhausted && checkpoint.is_there)
    return fmt::format("--resume {} continues from {}.", request.how.kept.checkpoint,
                       checkpoint.transitions == result.transitions ? "here" : "its last checkpoint");
  if (result.truncated > 0 && request.how.limits.budget == 0) return "--max-depth N allows longer executions.";
  const std::string_view why = result.stopped_by;
  if (why.starts_with(execution_without_end) || why.starts_with(executions_that_grow))
    return "--max-depth N cuts executions after N deliveries, of which there may be more than that.";
  if (request.how.limits.max_executions == 0 && result.stopped_by.starts_with("the limit of"))
    return "--max-executions N sets another.";
  return {};
}

using reasons = std::vector<explanation>;  ///< of the first findings, in their order

/// What was found out about the findings.
struct understanding {
  reasons why;
  std::optional<smaller_program> smaller;  ///< that has the first of them
};

explanation reason_of(std::size_t number, const reasons& why) {
  return number < why.size() ? why[number] : explanation{};
}

void write_json(const console& out, const explore_request& request, const exploration& result,
                const chosen_program& program, const understanding& of) {
  if (request.json.empty()) return;
  auto json = to_json(result);
  json["parameters"] = program.parameters_as_json();
  if (of.smaller) json["smaller"] = to_json(*of.smaller);
  for (std::size_t i = 0; i < result.findings.size(); ++i) json["findings"][i]["why"] = to_json(reason_of(i, of.why));
  const auto text = to_text(json, 2) + "\n";
  if (request.json == "-")
    out.write_reserved(text);
  else
    write_file(request.json, text);
}

/// @return what there is to say about it
std::string save_trace(const explore_request& request, const exploration& result, const chosen_program& program,
                       const reasons& why) {
  const auto& file = request.save_trace;
  if (file.empty()) return {};
  if (result.findings.empty()) return fmt::format("Nothing was found, so {} was not written.\n", file);
  auto trace = trace_of(result.findings.front(), result, request, program);
  trace.why = reason_of(0, why);
  write_file(file, to_text(trace, program.parameters_as_json()));
  return fmt::format("Trace saved: {}\n", command_line({request.binary, "replay", file}));
}

/// @return what there is to say about it
std::string write_report(const explore_request& request, const exploration& result, const chosen_program& program,
                         const page_floor* pages, bool is_trace_saved, const reasons& why) {
  if (request.report.empty()) return {};
  page_of_findings page(request.binary);
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    auto trace = trace_of(result.findings[i], result, request, program);
    trace.why = reason_of(i, why);
    page.add(trace, is_trace_saved && i == 0 ? request.save_trace : std::string());
  }
  for (const auto& f : result.warnings) page.add_warning(trace_of(f, result, request, program));
  page.write(request.report, *pages, result, program.parameters_as_json());
  return fmt::format("Report written: {}\n", printable(request.report));
}

/// For people. Where findings are written in another format, it has what remains to be said of the search.
std::string text_for_people(const console& out, const explore_request& request, const exploration& result,
                            const written_checkpoint& checkpoint, const reasons& why) {
  const auto style = request.look.on(out);
  const auto what_to_do = way_on(result, request, checkpoint);
  if (request.format == findings_format::text) return to_text(seen_from_here(result), why, style, what_to_do);
  std::string text;
  for (const auto& note : result.notes) text += "Note: " + printable(note) + "\n";
  if (result.orders) text += outlook(result);
  return text + summary_of(result, style, what_to_do);
}

void write_findings(const console& out, const explore_request& request, const exploration& result, const reasons& why) {
  if (request.format == findings_format::gcc) out.write_reserved(to_gcc(seen_from_here(result), why));
  if (request.format == findings_format::sarif)
    out.write_reserved(to_sarif(seen_from_here(result), HARRIER_VERSION, why));
}

void write_junit(const explore_request& request, const exploration& result, const reasons& why) {
  if (!request.junit.empty()) write_file(request.junit, to_junit(seen_from_here(result), request.require_covered, why));
}

/// Files first: they are there whoever does not take the text.
int write_all(const console& out, const explore_request& request, const exploration& result,
              const chosen_program& program, progress_plot& plot, const written_checkpoint& checkpoint,
              const page_floor* pages, const understanding& of) {
  const auto& why = of.why;
  outputs written;
  std::string about_trace, about_report;
  const auto json = [&] { write_json(out, request, result, program, of); };
  const bool is_trace_written = written.attempt([&] { about_trace = save_trace(request, result, program, why); });
  const bool is_trace_saved = is_trace_written && !request.save_trace.empty();
  written.attempt([&] { about_report = write_report(request, result, program, pages, is_trace_saved, why); });
  if (request.json != "-") written.attempt(json);
  written.attempt([&] { write_junit(request, result, why); });
  written.attempt([&] { out.say(text_for_people(out, request, result, checkpoint, why)); });
  out.say_exactly(about_trace);
  out.say_exactly(about_report);
  if (request.json == "-") written.attempt(json);
  written.attempt([&] { write_findings(out, request, result, why); });
  written.attempt([&] { plot.draw(result); });
  if (!checkpoint.unwritten.empty()) written.lose(checkpoint.unwritten);
  if (request.require_covered)
    for (const auto& [name, is_reached] : result.points)
      if (!is_reached) fmt::print(stderr, "error: --require-covered: never happened, in any execution: {}\n", name);
  return written.conclude(status_of(result, request.require_covered));
}

/// A formula has its propositions in quotes, and no actor has one in its name, which ends at the first dot.
bool is_formula(std::string_view event_or_formula) {
  return event_or_formula.substr(0, event_or_formula.find('.')).find_first_of("\"'") != std::string_view::npos;
}

specification until(std::string_view event_or_formula, formula_reader* read_formula) {
  if (!is_formula(event_or_formula)) return follow_until(event_or_formula);
  if (read_formula == nullptr) throw error("--until FORMULA: this harrier was built without temporal properties");
  return read_formula(event_or_formula);
}

std::vector<specification> script_of(const explore_request& request) {
  std::vector<specification> all;
  for (const auto& line : request.pins) all.push_back(pin(line));
  for (const auto& end : request.until) all.push_back(until(end, request.read_formula));
  for (const auto& passage : request.through) all.push_back(keep_through(passage));
  return all;
}

/// The program that was asked for with those parameters, and its script.
chosen_program scripted(const catalogue& programs, const explore_request& request,
                        const std::map<std::string, std::string>& parameters) {
  auto program = choose_program(programs, request.program, parameters);
  auto script = script_of(request);
  if (!script.empty()) program.made = specified(std::move(program.made), std::move(script));
  return program;
}

/// What is searched, which a checkpoint is of.
std::vector<std::pair<std::string, std::string>> searched(const explore_request& request,
                                                          const chosen_program& program) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& line : script_of(request)) all.emplace_back("the script", line.name);
  all.emplace_back("the program", program.name);
  for (const auto& [name, value] : program.parameters()) all.emplace_back("parameter " + name, value);
  return all;
}

/// What the verdict is of.
void tell_script(const explore_request& request, exploration& result) {
  for (const auto& event : request.until)
    result.notes.push_back(fmt::format(
        "each execution was followed until {}, if that happened in it: what comes after it was not looked at", event));
  if (!request.pins.empty())
    result.notes.push_back(fmt::format(
        "only executions were looked at that keep to the script ({}); others were left out, and count as assumed away",
        fmt::join(request.pins, "; ")));
  if (!request.through.empty())
    result.notes.push_back(
        fmt::format("only executions were judged that come through {}; others were dropped, and count as assumed away",
                    fmt::join(request.through, ", and through ")));
}

int run(explore_request& request, const catalogue& programs, const broker_floor* at_broker, const page_floor* pages) {
  const auto program = scripted(programs, request, parse_parameters(request.parameters));
  const judges by(request.judged_by);
  request.how.judging.by = by.all();
  if (request.how.kept.checkpoint.empty()) request.how.kept.checkpoint = request.how.kept.resume;
  request.how.kept.searched = searched(request, program);
  validate(request.how);
  if (!request.how.kept.resume.empty()) static_cast<void>(engine_of_checkpoint(request.how.kept.resume));
  check_outputs(request, pages);
  progress_plot plot(request.plot);
  console out;
  if (request.json == "-" || request.format != findings_format::text) out.reserve_stdout();

  written_checkpoint checkpoint{.is_there = !request.how.kept.resume.empty() &&
                                            request.how.kept.resume == request.how.kept.checkpoint};
  auto result = search(request, program, plot, checkpoint, at_broker);
  result.program = program.name;
  result.parameters = program.parameters();
  tell_script(request, result);

  find_throws(request, program, result);
  understanding of{why_of_findings(request, program, result), {}};
  of.smaller = smaller_with(result, program, request,
                            [&](const auto& parameters) { return scripted(programs, request, parameters).made; });
  if (of.smaller) result.notes.push_back(sentence_of(*of.smaller, program, shown_length(first_shown(result))));
  return write_all(out, request, result, program, plot, checkpoint, pages, of);
}

}  // namespace

command add_explore(CLI::App& app, const catalogue& programs, const extensions& more) {
  auto* line = app.add_subcommand("explore", "Explores a program and prints what it finds");
  const auto footer = with_own_programs(examples + more.explore_examples + after_examples, programs);
  line->footer(as_called(footer, app.get_name()));
  const auto request = std::make_shared<explore_request>(more);
  request->read_formula = more.follows_until_formula;
  bind_options(*line, *request, programs);
  return {line,
          [request, line, &programs, binary = app.get_name(), at_broker = more.at_broker, pages = more.makes_pages] {
            request->binary = binary;
            refuse_what_has_no_effect(*line, *request);
            if (line->count("--environment") > 0) request->how.judging.may_be_left = nullptr;
            return run(*request, programs, at_broker, pages);
          }};
}

}  // namespace harrier
