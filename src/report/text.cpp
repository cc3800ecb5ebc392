#include <harrier/report/text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace harrier {
namespace {

constexpr std::size_t shown_at_the_start = 20;

std::string where(const finding& f) { return f.file.empty() ? std::string() : fmt::format(" ({}:{})", f.file, f.line); }

std::string joined(const std::vector<std::uint64_t>& values) { return fmt::format("{}", fmt::join(values, ", ")); }

std::string trace_of(const finding& f, std::size_t most_steps) {
  const auto count = f.trace.size();
  const bool cut = most_steps != 0 && count > most_steps;
  const auto first_shown_again = cut ? count - (most_steps - std::min(most_steps, shown_at_the_start)) : count;
  step_printer printer;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (cut && i >= shown_at_the_start && i < first_shown_again) {
      printer.skip(f.trace[i]);
      if (i + 1 == first_shown_again)
        text += fmt::format("  ... {} deliveries not shown; the saved trace has them all ...\n",
                            with_commas(first_shown_again - shown_at_the_start));
      continue;
    }
    text += printer.print(i + 1, f.trace[i]);
  }
  return text;
}

/// A finding about the end of an execution, not about its last step.
bool is_about_the_end(const finding& f) {
  return f.kind == finding_kind::deadlock || f.kind == finding_kind::undelivered;
}

std::string seen_in(const finding& f) {
  if (f.occurrences < 2) return {};
  return fmt::format(" (seen in {} executions; this is the shortest)", with_commas(f.occurrences));
}

}  // namespace

std::string with_commas(std::uint64_t number) {
  auto text = std::to_string(number);
  for (auto i = static_cast<std::ptrdiff_t>(text.size()) - 3; i > 0; i -= 3)
    text.insert(static_cast<std::size_t>(i), ",");
  return text;
}

std::string count_of(std::uint64_t number, const std::string& singular, const std::string& plural) {
  return with_commas(number) + " " + (number == 1 ? singular : plural);
}

bool step_printer::is_news(const trace_step& step) {
  const auto [known, is_new] = known_.try_emplace(step.receiver, step.state);
  if (is_new) return !step.state.empty();
  if (known->second == step.state) return false;
  known->second = step.state;
  return true;
}

void step_printer::skip(const trace_step& step) { is_news(step); }

std::string step_printer::print(std::size_t number, const trace_step& step) {
  constexpr auto margin = "        ";
  auto text = fmt::format("{:>4}. {}.{}\n", number, step.receiver, step.message);
  for (const auto& created : step.creates) text += fmt::format("{}creates {}\n", margin, created);
  if (!step.choices.empty()) text += fmt::format("{}chooses {}\n", margin, joined(step.choices));
  for (const auto& send : step.sends) text += fmt::format("{}sends {}.{}\n", margin, send.receiver, send.message);
  const bool news = is_news(step);
  if (step.destroys)
    text += fmt::format("{}{} is gone\n", margin, step.receiver);
  else if (news)
    text += fmt::format("{}{} is now {}\n", margin, step.receiver, step.state.empty() ? "{}" : step.state);
  for (const auto& found : step.findings) text += fmt::format("{}FAILED {}\n", margin, found);
  return text;
}

std::string heading_of(const finding& f) {
  auto text = fmt::format("{}: {}{}", to_string(f.kind), f.message, where(f));
  if (!f.actor.empty() && !is_about_the_end(f)) text += ", in " + f.actor;
  return text;
}

std::string to_text(const finding& f, std::size_t most_steps) {
  const auto length = std::max(f.trace.size(), f.schedule.size());
  auto text = heading_of(f) + "\n";
  if (is_about_the_end(f))
    for (const auto& line : f.details) text += "  - " + line + "\n";
  text += fmt::format("{} {} to it{}:\n\n", count_of(length, "delivery", "deliveries"), length == 1 ? "leads" : "lead",
                      seen_in(f));
  text += trace_of(f, most_steps);
  if (text.ends_with(":\n\n") && f.trace.empty()) text.pop_back();
  if (!is_about_the_end(f) && !f.details.empty()) {
    text += "\n";
    for (const auto& line : f.details) text += "  - " + line + "\n";
  }
  return text;
}

}  // namespace harrier
