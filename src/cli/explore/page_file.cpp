#include "page_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/report/ci.hpp>
#include <harrier/report/write_file.hpp>

#include "../shell/console.hpp"
#include "../shell/seen_from_here.hpp"
#include "../shell/shell.hpp"

namespace harrier {
namespace {

/// What a browser may call the trace of a program: of its name what no file system and no shell minds.
std::string name_of_file(const std::string& program, std::size_t number) {
  std::string name;
  for (const char c : program)
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c == '-' && !name.empty()))
      name += c;
  name = name.substr(0, 60);
  if (name.empty()) name = "trace";
  return number == 1 ? name + ".json" : fmt::format("{}-{}.json", name, number);
}

/// Of a file that was read before. Empty if it is no longer there.
std::string text_of_file(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> sources_of(const std::vector<trace_step>& steps, source_lines& lines) {
  lines.learn(steps);
  std::vector<std::string> all;
  for (const auto& step : steps) all.push_back(lines.of(step));
  return all;
}

told_finding told_of(const trace_file& trace, const std::string& binary, const std::string& saved, std::size_t number,
                     source_lines& lines) {
  told_finding told{
      .trace = trace, .source = seen_from_here(trace.finding).file, .file = saved, .is_saved = !saved.empty()};
  told.sources = sources_of(trace.finding.trace, lines);
  told.other = {.about = "the nearest order that passes",
                .steps = trace.why.steps,
                .sources = sources_of(trace.why.steps, lines)};
  if (saved.empty()) told.file = name_of_file(trace.program, number);
  told.replay = command_line({binary, "replay", told.file});
  return told;
}

}  // namespace

void bind_report(CLI::App& line, std::string& file) {
  line.add_option("--report", file, "Write a page for a browser: the deliveries as a diagram, to be stepped through")
      ->type_name("FILE.html");
}

void check_page_floor(const std::string& option, const page_floor* pages) {
  if (pages == nullptr)
    throw error(option +
                ": this harrier was built without its page, for want of npm's packages; run `scripts/setup web`, and "
                "build again with -DHARRIER_BUILD_WEB=ON");
}

void check_report(const std::string& file, const page_floor* pages) {
  if (file.empty()) return;
  check_page_floor("--report", pages);
  if (file == "-") throw error("--report -: a page goes to a file; give its name");
  check_writable(file);
}

void page_of_findings::add(const trace_file& trace, const std::string& saved) {
  told_.push_back(told_of(trace, binary_, saved, told_.size() + 1, lines_));
}

void page_of_findings::add_warning(const trace_file& trace) {
  add(trace, {});
  told_.back().is_warning = true;
}

void page_of_findings::write(const std::string& file, const page_floor& pages, const exploration& result,
                             const json_value& parameters) {
  auto story = pages.story_of(result);
  story.parameters = parameters;
  story.findings = std::move(told_);
  write_file(file, pages.text_of(story));
}

namespace {

/// @param first  of its summary
report_story story_of_trace(const trace_file& trace, const std::string& binary, const std::string& trace_file_name,
                            const std::string& first) {
  report_story story{.program = trace.program, .verdict = report_verdict::found};
  story.parameters = json_value::object();
  for (const auto& [name, value] : trace.parameters) story.parameters[name] = value;
  story.summary = {first, fmt::format("found by engine {}, delivery {}", trace.engine, trace.delivery)};
  source_lines lines;
  story.findings = {told_of(trace, binary, trace_file_name, 1, lines)};
  story.findings[0].text = text_of_file(trace_file_name);
  return story;
}

}  // namespace

std::string page_of_trace(const trace_file& trace, const std::string& binary, const std::string& trace_file_name,
                          const page_floor* pages) {
  check_page_floor("--format html", pages);
  return pages->text_of(story_of_trace(trace, binary, trace_file_name, "Drawn from the trace, without running it."));
}

outputs report_of_replay(const trace_file& trace, bool is_found_again, const std::string& binary,
                         const std::string& trace_file_name, const std::string& file, const page_floor& pages) {
  outputs written;
  const console out;
  if (!is_found_again) {
    out.say(fmt::format("It was not found again, so {} was not written.\n", printable(file)));
    return written;
  }
  const auto story = story_of_trace(trace, binary, trace_file_name, "Replayed: it was found again.");
  if (written.attempt([&] { write_file(file, pages.text_of(story)); }))
    out.say(fmt::format("Report written: {}\n", printable(file)));
  return written;
}

}  // namespace harrier
