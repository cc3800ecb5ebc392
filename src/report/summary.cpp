#include <fmt/format.h>

#include <harrier/report/text.hpp>

namespace harrier {
namespace {

std::string what_was_run(const exploration& r) {
  auto text = r.program;
  for (const auto& [name, value] : r.parameters) text += fmt::format(" {}={}", name, value);
  text += fmt::format(": engine {}", r.engine);
  if (r.sleep_sets) text += " with sleep sets";
  text += fmt::format(", delivery {}", r.delivery);
  if (r.seed != 0 || r.engine == "random") text += fmt::format(", seed {}", r.seed);
  return text;
}

std::string counters(const exploration& r) {
  auto text = count_of(r.executions, "execution", "executions");
  if (r.truncated > 0) text += fmt::format(" and {} cut short", with_commas(r.truncated));
  if (r.blocked > 0) text += fmt::format(" and {} given up as redundant", with_commas(r.blocked));
  text += fmt::format(", {}", count_of(r.transitions, "delivery", "deliveries"));
  if (r.states) text += fmt::format(", {}", count_of(r.states->states, "state", "states"));
  text += fmt::format(", at most {} in one execution, {}, {:.2f} s", with_commas(r.max_depth),
                      count_of(r.actors, "actor", "actors"), r.seconds);
  return text;
}

/// What may be concluded, in the words of someone who does not oversell it.
std::string verdict(const exploration& r) {
  const auto found = count_of(r.findings.size(), "finding", "findings");
  if (r.exhausted && r.findings.empty())
    return fmt::format(
        "Explored completely: no finding.\nEvery order of deliveries that can matter was covered (delivery model: {}).",
        r.delivery);
  if (r.exhausted) return fmt::format("Explored completely: {}.", found);
  if (r.findings.empty())
    return fmt::format(
        "Stopped by {}: no finding so far.\nNot everything was explored: this proves nothing beyond what was run.",
        r.stopped_by);
  return fmt::format("Stopped by {}: {}. There may be more.", r.stopped_by, found);
}

std::string ways_on(const exploration& r) {
  if (r.stopped_by == "the first finding") return " (--keep-going looks for all.)";
  return {};
}

}  // namespace

std::string summary_of(const exploration& r) {
  return fmt::format("{}{}\n{}\n{}\n", verdict(r), ways_on(r), what_was_run(r), counters(r));
}

std::string to_text(const exploration& r) {
  std::string text;
  for (const auto& f : r.warnings) text += "Warning: " + to_text(f) + "\n";
  for (std::size_t i = 0; i < r.findings.size(); ++i) {
    text += r.findings.size() == 1 ? "Found " : fmt::format("Found ({} of {}) ", i + 1, r.findings.size());
    text += to_text(r.findings[i]) + "\n";
  }
  for (const auto& note : r.notes) text += "Note: " + note + "\n";
  return text + summary_of(r);
}

}  // namespace harrier
