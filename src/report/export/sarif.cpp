// SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/printable.hpp>
#include <harrier/report/ci.hpp>
#include <harrier/report/json.hpp>

#include "../finding_text.hpp"
#include "source_line.hpp"
#include "words.hpp"

namespace harrier {
namespace {

constexpr std::size_t most_lines_of_story = 40;
constexpr std::size_t most_in_a_flow = 1000;

/// What each kind of finding is, for the list of rules.
constexpr std::pair<finding_kind, const char*> rules[] = {
    {finding_kind::assertion, "A check or requirement failed."},
    {finding_kind::deadlock, "Nothing can be delivered, and an actor waits."},
    {finding_kind::undelivered, "A message to a destroyed actor was left undelivered."},
    {finding_kind::exception, "An exception left a handler."},
    {finding_kind::crash, "A handler ended the process."},
    {finding_kind::nontermination, "A handler did not end."},
    {finding_kind::invariant, "A monitor objected."},
    {finding_kind::ltl, "A temporal property is violated."},
    {finding_kind::conformance, "The actors left their protocol."},
    {finding_kind::nondeterminism, "A handler behaved differently when it was repeated."},
    {finding_kind::unexpected, "An actor has no handler for a message that it received."},
    {finding_kind::declaration, "A handler did what it is declared not to do."}};

/// In a message brackets make links and braces stand for arguments (3.11.5, 3.11.6).
std::string in_message(const std::string& text) {
  return escaped_by(text, [](char c) -> std::string {
    switch (c) {
      case '\\':
      case '[':
      case ']': return std::string("\\") + c;
      case '{':
      case '}': return {c, c};
      default: return {};
    }
  });
}

json_value message_of(const std::string& text) { return {{"text", in_message(text)}}; }

/// A file's name as a URI.
std::string uri_of(const std::string& file) {
  const auto path = escaped_by(file, [](char c) {
    const bool is_plain_here = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                               std::string_view("/._-~+").find(c) != std::string_view::npos;
    return is_plain_here ? std::string() : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  });
  return path.starts_with('/') ? "file://" + path : path;
}

json_value physical_location(const std::string& file, std::uint32_t line) {
  json_value place = {{"artifactLocation", {{"uri", uri_of(file)}}}};
  if (line != 0) place["region"] = {{"startLine", line}};
  return place;
}

json_value locations_of(const finding& found) {
  auto location = json_value::object();
  if (!found.file.empty()) location["physicalLocation"] = physical_location(found.file, found.line);
  if (!found.actor.empty()) location["logicalLocations"] = {{{"name", found.actor}, {"kind", "object"}}};
  return location.empty() ? json_value::array() : json_value::array({location});
}

json_value code_flow(const std::vector<located_step>& steps) {
  auto locations = json_value::array();
  for (std::size_t i = 0; i < std::min(steps.size(), most_in_a_flow); ++i) {
    json_value location = {{"physicalLocation", physical_location(steps[i].where.file, steps[i].where.line)}};
    location["message"] = message_of(fmt::format("Delivery {}: {}", steps[i].number, steps[i].text));
    locations.push_back({{"location", location}, {"executionOrder", steps[i].number}});
  }
  return {{"threadFlows", {{{"locations", locations}}}}};
}

std::string text_of_result(const finding& found, const explanation& why) {
  auto text = summary_line(found) + ".";
  for (const auto& line : found.details) text += "\n- " + shortened(printable(line), 2000);
  if (!why.sentence.empty()) text += "\nWhy: " + shortened(printable(why.sentence), 2000);
  const auto story = story_of(found, most_lines_of_story);
  if (!story.empty()) text += "\n" + length_of(found) + ":";
  for (const auto& line : story) text += "\n" + line;
  return text;
}

json_value result_of(const finding& found, const explanation& why, const char* level) {
  json_value result = {{"ruleId", to_string(found.kind)}};
  for (std::size_t i = 0; i < std::size(rules); ++i)
    if (rules[i].first == found.kind) result["ruleIndex"] = i;
  result["level"] = level;
  result["message"] = message_of(text_of_result(found, why));
  result["locations"] = locations_of(found);
  if (found.occurrences > 0) result["occurrenceCount"] = found.occurrences;
  if (const auto steps = located_steps(found); !steps.empty())
    result["codeFlows"] = json_value::array({code_flow(steps)});
  return result;
}

json_value rules_as_json() {
  auto all = json_value::array();
  for (const auto& [kind, about] : rules)
    all.push_back({{"id", to_string(kind)}, {"shortDescription", {{"text", about}}}});
  return all;
}

}  // namespace

std::string to_sarif(const exploration& result, std::string_view version, const std::vector<explanation>& why) {
  json_value driver = {{"name", "harrier"}, {"version", version}};
  driver["rules"] = rules_as_json();
  auto results = json_value::array();
  for (const auto& f : result.warnings) results.push_back(result_of(f, {}, "warning"));
  for (std::size_t i = 0; i < result.findings.size(); ++i)
    results.push_back(result_of(result.findings[i], explanation_of(i, why), "error"));
  json_value invocation = {{"executionSuccessful", true}};
  if (!result.exhausted)
    invocation["toolExecutionNotifications"] = json_value::array(
        {{{"level", "note"}, {"message", message_of("Not everything was explored: stopped by " + result.stopped_by)}}});
  json_value run = {{"tool", {{"driver", driver}}}};
  run["invocations"] = json_value::array({invocation});
  run["results"] = results;
  json_value log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}};
  log["runs"] = json_value::array({run});
  return to_text(log, 1) + "\n";
}

}  // namespace harrier
