#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include <harrier/core/printable.hpp>
#include <harrier/report/causes.hpp>
#include <harrier/report/explanation.hpp>
#include <harrier/report/text.hpp>

#include "finding_text.hpp"
#include "paint.hpp"

namespace harrier {
namespace {

std::string what_was_run(const exploration& r) {
  auto text = printable(r.program);
  for (const auto& [name, value] : r.parameters) text += fmt::format(" {}={}", printable(name), printable(value));
  text += fmt::format(": engine {}", r.engine);
  if (r.sleep_sets) text += " with sleep sets";
  if (r.independence == "semantic")
    text += " with messages tried in both orders";
  else if (r.independence != "receiver")
    text += fmt::format(" with independent {}", r.independence);
  else if (r.observers)
    text += " with observers";
  text += fmt::format(", delivery {}", r.delivery);
  if (r.seed != 0 || r.draws_executions) text += fmt::format(", seed {}", r.seed);
  return text;
}

std::string counters(const exploration& r, const text_style& style) {
  const bool is_in_the_first =
      r.executions + r.truncated + r.assumed_away + r.blocked == 0 && !r.findings.empty() && r.transitions > 0;
  auto text = is_in_the_first ? "1 execution up to the finding" : count_of(r.executions, "execution", "executions");
  if (r.truncated > 0) text += fmt::format(" and {} cut short", with_commas(r.truncated));
  if (r.assumed_away > 0) text += fmt::format(" and {} assumed away", with_commas(r.assumed_away));
  if (r.blocked > 0) text += fmt::format(" and {} given up as redundant", with_commas(r.blocked));
  text += fmt::format(", {}", count_of(r.transitions, "delivery", "deliveries"));
  if (r.states) text += fmt::format(", {}", count_of(r.states->states, "state", "states"));
  text +=
      fmt::format(", at most {} in one execution, {}", with_commas(r.max_depth), count_of(r.actors, "actor", "actors"));
  return style.times ? text + fmt::format(", {:.2f} s", r.seconds) : text;
}

/// `Outcomes, and their executions: committed: 40, aborted: 6`.
std::string outcomes_of(const exploration& r) {
  constexpr std::size_t most_shown = 1000;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [word, count] : r.outcomes) {
    if (++shown > most_shown)
      return text + fmt::format(" and {} more, which --json writes\n", with_commas(r.outcomes.size() - most_shown));
    text += fmt::format("{}{}: {}", text.empty() ? "Outcomes, and their executions: " : ", ", printable(word),
                        with_commas(count));
  }
  return text.empty() ? text : text + "\n";
}

/// `Try --engine stateful: 6 states are all there is.`
std::string advice_of(const exploration& r, const text_style& style) {
  std::string text;
  for (const auto& [option, value, because] : r.advice)
    text += fmt::format("Try {}{} {}: {}.\n", style.before_option, option, value, printable(because));
  return text;
}

/// `5 findings, of 2 causes as it seems`
std::string findings_of(const exploration& r) {
  const auto causes = causes_of(r.findings).size();
  const auto found = count_of(r.findings.size(), "finding", "findings");
  if (causes == r.findings.size()) return found;
  return fmt::format("{}, of {} as it seems", found, count_of(causes, "cause", "causes"));
}

/// What may be concluded, in the words of someone who does not oversell it.
std::string verdict(const exploration& r) {
  const auto found = findings_of(r);
  if (r.exhausted) return fmt::format("Explored completely: {}.", r.findings.empty() ? "no finding" : found);
  if (r.stopped_by.starts_with(not_covered))
    return fmt::format("Explored, but {}. {}", printable(r.stopped_by),
                       r.findings.empty() ? std::string("No finding so far.") : fmt::format("{}.", found));
  if (r.findings.empty()) return fmt::format("Stopped by {}: no finding so far.", printable(r.stopped_by));
  return fmt::format("Stopped by {}: {}. There may be more.", printable(r.stopped_by), found);
}

tone tone_of(const exploration& r) {
  if (!r.findings.empty()) return tone::bad;
  return r.exhausted ? tone::good : tone::open;
}

/// Where timers that fire again and again were cut off.
std::string out_of_timeouts(const exploration& r) {
  if (r.out_of_timeouts == 0) return {};
  return fmt::format(
      "Of each actor at most {} (--timeouts): {} ended there with timers still armed, where no deadlock and no final "
      "state is judged.\n",
      count_of(r.faults.timeouts, "timer fired", "timers fired"),
      count_of(r.out_of_timeouts, "execution", "executions"));
}

/// What no finding proves.
std::string reach(const exploration& r) {
  if (!r.findings.empty()) return {};
  if (!r.exhausted && r.estimate)
    return fmt::format("Not everything was explored, but {}: this proves nothing beyond what was run.\n",
                       share_of(*r.estimate));
  if (!r.exhausted) return "Not everything was explored: this proves nothing beyond what was run.\n";
  return fmt::format("Every order of deliveries that can matter was covered (delivery model: {}{}{}{}).\n", r.delivery,
                     r.faults.any() ? "; " : "", what_may_befall(r.faults),
                     r.faults.earliest_first != 0 ? "; timers earliest first" : "") +
         out_of_timeouts(r);
}

}  // namespace

std::string what_may_befall(const faults& may_happen) {
  if (!may_happen.any()) return {};
  std::vector<std::string> all;
  std::vector<std::string_view> owners;
  for (const auto& kind : fault_kinds())
    if (std::find(owners.begin(), owners.end(), kind.of) == owners.end()) owners.push_back(kind.of);
  for (const auto of : owners) {
    if (of == "healing" || of == "clock") continue;
    std::vector<std::string> parts;
    for (const auto& kind : fault_kinds())
      if (const auto most = may_happen.*kind.budget; most > 0 && kind.of == of && kind.budget != &faults::timeouts)
        parts.push_back(count_of(most, std::string(kind.one), std::string(kind.many)));
    if (!parts.empty()) all.push_back(fmt::format("of each {} at most {}", of, fmt::join(parts, " and ")));
  }
  return fmt::format("{}", fmt::join(all, "; "));
}

std::string summary_of(const exploration& r, const text_style& style, std::string_view way_on) {
  auto text = painted(verdict(r), tone_of(r), style.colour);
  if (!way_on.empty()) text += fmt::format(" ({})", way_on);
  return fmt::format("{}\n{}{}{}\n{}\n", text, reach(r), outcomes_of(r), what_was_run(r), counters(r, style));
}

std::string to_text(const exploration& r, const text_style& style, std::string_view way_on) {
  return to_text(r, {}, style, way_on);
}

namespace {

std::string lead_of(const exploration& r, std::size_t i) {
  return r.findings.size() == 1 ? "Found " : fmt::format("Found ({} of {}) ", i + 1, r.findings.size());
}

/// Those of which the first is shown in full, a line each.
std::string others_of(const exploration& r, const std::vector<std::size_t>& of_one_cause, const text_style& style) {
  if (of_one_cause.size() < 2) return {};
  auto text = fmt::format("{} the same cause, it seems:\n",
                          of_one_cause.size() == 2 ? "One other finding has"
                                                   : fmt::format("{} other findings have", of_one_cause.size() - 1));
  for (std::size_t k = 1; k < of_one_cause.size(); ++k) {
    const auto& f = r.findings[of_one_cause[k]];
    text += fmt::format("  {}; {}\n",
                        heading_of(f, style, fmt::format("({} of {}) ", of_one_cause[k] + 1, r.findings.size())),
                        length_of(f));
  }
  return text + "\n";
}

}  // namespace

std::string to_text(const exploration& r, const std::vector<explanation>& why, const text_style& style,
                    std::string_view way_on) {
  std::string text;
  for (const auto& f : r.warnings) text += text_of(f, style, "Warning: ", tone::open) + "\n";
  for (const auto& of_one_cause : causes_of(r.findings)) {
    const auto i = of_one_cause.front();
    text += to_text(r.findings[i], style, lead_of(r, i)) + "\n";
    if (i < why.size() && !why[i].sentence.empty()) text += to_text(why[i], style) + "\n";
    text += others_of(r, of_one_cause, style);
  }
  for (const auto& note : r.notes) text += "Note: " + printable(note) + "\n";
  const bool is_estimate = r.orders.has_value();
  return text + (is_estimate ? outlook(r) : std::string()) + summary_of(r, style, way_on) + advice_of(r, style);
}

}  // namespace harrier
