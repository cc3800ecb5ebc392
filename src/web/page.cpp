#include <harrier/web/page.hpp>

#include <array>
#include <string_view>
#include <utility>

#include <harrier/core/invariant.hpp>
#include <harrier/report/text.hpp>

#include "template.hpp"

namespace harrier {
namespace {

constexpr std::string_view place_of_story = "@STORY@";

/// What could end the element that the story is in, or be a line's end to JavaScript, and how JSON may write it.
/// In the text of JSON these stand in strings only.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> escapes = {
    {{"<", "\\u003c"}, {">", "\\u003e"}, {"&", "\\u0026"}, {"\u2028", "\\u2028"}, {"\u2029", "\\u2029"}}};

std::string escaped(std::string_view json) {
  std::string text;
  text.reserve(json.size() + json.size() / 8);
  for (std::size_t at = 0; at < json.size(); ++at) {
    bool is_escaped = false;
    for (const auto& [what, by] : escapes) {
      if (json.compare(at, what.size(), what) != 0) continue;
      text += by;
      at += what.size() - 1;
      is_escaped = true;
      break;
    }
    if (!is_escaped) text += json[at];
  }
  return text;
}

std::string_view word_for(report_verdict verdict) {
  switch (verdict) {
    case report_verdict::passed: return "passed";
    case report_verdict::found: return "found";
    case report_verdict::open: break;
  }
  return "open";
}

json_value steps_of(const std::vector<trace_step>& steps) {
  auto list = json_value::array();
  for (const auto& step : steps) list.push_back(to_json(step));
  return list;
}

json_value told(const told_finding& f, const json_value& parameters) {
  json_value json;
  // As text, which the page saves as it is: its numbers may be larger than those that JavaScript reads exactly.
  json["trace"] = f.text.empty() ? to_text(f.trace, parameters) : f.text;
  json["shortest"] = f.trace.finding.is_shortest;
  json["warning"] = f.is_warning;
  json["source"] = f.source;
  json["replay"] = f.replay;
  json["file"] = f.file;
  json["saved"] = f.is_saved;
  json["sources"] = f.sources;
  json["other"] = nullptr;
  if (!f.other.steps.empty())
    json["other"] = {{"about", f.other.about}, {"steps", steps_of(f.other.steps)}, {"sources", f.other.sources}};
  return json;
}

std::string with_story(std::string_view page, const json_value& story) {
  const auto at = page.find(place_of_story);
  HARRIER_INVARIANT(at != std::string_view::npos, "the page has a place for its story");
  std::string text(page.substr(0, at));
  text += escaped(to_text(story));
  text += page.substr(at + place_of_story.size());
  return text;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

}  // namespace

report_story story_of(const exploration& result) {
  report_story story;
  story.program = result.program;
  story.parameters = json_value::object();
  for (const auto& [name, value] : result.parameters) story.parameters[name] = value;
  if (!result.findings.empty())
    story.verdict = report_verdict::found;
  else if (result.exhausted)
    story.verdict = report_verdict::passed;
  text_style style;
  style.times = false;
  story.summary = lines_of(summary_of(result, style));
  story.notes = result.notes;
  return story;
}

std::string report_page(const report_story& story) {
  json_value json = {{"format", "harrier-report"}, {"version", 1}, {"program", story.program}};
  json["parameters"] = story.parameters.is_null() ? json_value::object() : story.parameters;
  json["summary"] = story.summary;
  json["verdict"] = word_for(story.verdict);
  json["notes"] = story.notes;
  json["findings"] = json_value::array();
  for (const auto& f : story.findings) json["findings"].push_back(told(f, story.parameters));
  return with_story(page_template(), json);
}

std::string explorer_page(const json_value& about) { return with_story(explorer_template(), about); }

}  // namespace harrier
