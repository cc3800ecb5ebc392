#include <harrier/report/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <harrier/core/printable.hpp>

#include "../core/base/state_text.hpp"
#include "finding_text.hpp"
#include "paint.hpp"

namespace harrier {
namespace {

constexpr std::size_t shown_at_the_start = 20;
constexpr std::size_t most_of_a_kind = 100;  // lines about what one step did

std::string where(const finding& f) {
  return f.file.empty() ? std::string() : fmt::format(" ({}:{})", printable(f.file), f.line);
}

std::string joined(const std::vector<std::uint64_t>& values) { return fmt::format("{}", fmt::join(values, ", ")); }

std::string trace_of(const finding& f, const text_style& style) {
  const auto count = static_cast<std::size_t>(std::count_if(f.trace.begin(), f.trace.end(), is_shown));
  const bool cut = style.most_steps != 0 && count > style.most_steps;
  const auto first_shown_again =
      cut ? count - (style.most_steps - std::min(style.most_steps, shown_at_the_start)) : count;
  step_printer printer(style);
  std::string text;
  for (const auto& step : f.trace) {
    if (!cut || printer.number() < shown_at_the_start || printer.number() >= first_shown_again) {
      text += printer.print(step);
      continue;
    }
    printer.skip(step);
    if (is_shown(step) && printer.number() == first_shown_again)
      text += fmt::format("  ... {} deliveries not shown; the saved trace has them all ...\n",
                          with_commas(first_shown_again - shown_at_the_start));
  }
  return text;
}

std::string details_of(const finding& f, const text_style& style) {
  std::string text;
  for (const auto& line : f.details) text += "  - " + cut_line(printable(line), style) + "\n";
  return text;
}

std::string plain_heading(const finding& f, const text_style& style, std::string_view lead) {
  auto text = fmt::format("{}{}: {}{}", lead, to_string(f.kind), cut_line(printable(f.message), style), where(f));
  const bool is_named = f.message.ends_with(" " + f.actor);  // `always ... does not hold of server_1`
  if (!f.actor.empty() && !is_about_the_end(f) && !is_named) text += ", in " + printable(f.actor);
  return text;
}

std::string seen_in(const finding& f) {
  if (f.occurrences < 2) return {};
  return fmt::format(" (seen in {} executions)", with_commas(f.occurrences));
}

/// `7 deliveries lead to it, and no fewer`. What was replayed is as long as it is.
std::string line_of_length(const finding& f) {
  const auto length = shown_length(f);
  auto text = length_of(f);
  const bool was_found_here = f.occurrences > 0;
  if (length > 1 && was_found_here) text += f.is_shortest ? ", and no fewer" : "; fewer may do, too";
  return text + seen_in(f);
}

}  // namespace

bool is_about_the_end(const finding& f) {
  return f.kind == finding_kind::deadlock || f.kind == finding_kind::undelivered;
}

std::string length_of(const finding& f) {
  const auto length = shown_length(f);
  return fmt::format("{} {} to it", count_of(length, "delivery", "deliveries"), length == 1 ? "leads" : "lead");
}

std::size_t whole_characters(std::string_view text, std::size_t most) {
  const auto is_inside_a_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; };
  while (most > 0 && most < text.size() && is_inside_a_character(text[most])) --most;
  return most;
}

std::string cut_line(std::string line, const text_style& style) {
  if (style.longest_line == 0 || style.states == shown_states::full || line.size() <= style.longest_line) return line;
  const auto end = whole_characters(line, style.longest_line);
  const auto left_out = line.size() - end;
  line.resize(end);
  return line + fmt::format(" ... {} bytes not shown; the saved trace has them all ...", with_commas(left_out));
}

std::string with_commas(std::uint64_t number) {
  auto text = std::to_string(number);
  for (auto i = static_cast<std::ptrdiff_t>(text.size()) - 3; i > 0; i -= 3)
    text.insert(static_cast<std::size_t>(i), ",");
  return text;
}

std::string count_of(std::uint64_t number, const std::string& singular, const std::string& plural) {
  return with_commas(number) + " " + (number == 1 ? singular : plural);
}

bool is_shown(const trace_step& step) { return !step.machinery || !step.findings.empty(); }

std::size_t shown_length(const finding& f) {
  const auto beyond = std::max(f.trace.size(), f.schedule.size()) - f.trace.size();
  return beyond + static_cast<std::size_t>(std::count_if(f.trace.begin(), f.trace.end(), is_shown));
}

void step_printer::skip(const trace_step& step) {
  if (is_shown(step)) ++number_;
  if (const auto known = known_.find(step.receiver); known != known_.end() && known->second != step.state)
    known_.erase(known);
}

std::string step_printer::line_about_state(const trace_step& step) {
  const auto [known, is_new] = known_.try_emplace(step.receiver, step.state);
  if (!is_new && known->second == step.state) {
    const bool does_nothing = step.creates.empty() && step.choices.empty() && step.sends.empty() &&
                              step.faults.empty() && step.findings.empty() && !step.state.empty();
    return does_nothing ? printable(step.receiver) + " is as before, and sends nothing" : std::string();
  }
  if (is_new && step.state.empty()) return {};
  const auto whole = step.state.empty() ? "{}" : step.state;
  const auto shown = is_new || style_.states == shown_states::full ? whole : changes_of(known->second, whole);
  known->second = step.state;
  return fmt::format("{} is now {}", printable(step.receiver), printable(shown));
}

std::string step_printer::print(const trace_step& step) {
  if (!is_shown(step)) {
    skip(step);
    return {};
  }
  constexpr auto margin = "        ";
  const auto receiver = printable(step.receiver);
  const auto cut = [&](std::string line) { return cut_line(std::move(line), style_); };
  auto text = fmt::format("{:>4}. {}.{}\n", ++number_, receiver, cut(printable(step.message)));
  const auto list = [&](const auto& all, auto line_of) {
    const bool is_cut = style_.states != shown_states::full && all.size() > most_of_a_kind + 1;
    const auto shown = is_cut ? most_of_a_kind : all.size();
    for (std::size_t i = 0; i < shown; ++i) text += margin + line_of(all[i]) + "\n";
    if (is_cut)
      text += fmt::format("{}... {} more not shown; the saved trace has them all ...\n", margin,
                          with_commas(all.size() - shown));
  };
  list(step.creates, [](const std::string& created) { return "creates " + printable(created); });
  if (!step.choices.empty()) text += fmt::format("{}chooses {}\n", margin, cut(joined(step.choices)));
  list(step.sends, [&](const trace_send& send) {
    return fmt::format("sends {}.{}", printable(send.receiver), cut(printable(send.message)));
  });
  for (const auto& fault : step.faults)
    text += margin + painted("FAULT " + cut(printable(fault)), tone::open, style_.colour) + "\n";
  const auto news = line_about_state(step);
  if (step.destroys)
    text += fmt::format("{}{} is gone\n", margin, receiver);
  else if (!news.empty())
    text += fmt::format("{}{}\n", margin, cut(news));
  for (const auto& found : step.findings)
    text += margin + painted("FAILED " + cut(printable(found)), tone::bad, style_.colour) + "\n";
  return text;
}

std::string heading_of(const finding& f, const text_style& style, std::string_view lead) {
  return painted(plain_heading(f, style, lead), tone::bad, style.colour);
}

std::string to_text(const finding& f, const text_style& style, std::string_view lead) {
  return text_of(f, style, lead, tone::bad);
}

std::string text_of(const finding& f, const text_style& style, std::string_view lead, tone heading) {
  auto text = painted(plain_heading(f, style, lead), heading, style.colour) + "\n";
  if (is_about_the_end(f)) text += details_of(f, style);
  text += line_of_length(f) + ":\n\n";
  text += trace_of(f, style);
  if (text.ends_with(":\n\n") && f.trace.empty()) text.pop_back();
  if (!is_about_the_end(f) && !f.details.empty()) text += "\n" + details_of(f, style);
  return text;
}

}  // namespace harrier
