#include "story.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/printable.hpp>
#include <harrier/report/explanation.hpp>
#include <harrier/report/text.hpp>

namespace harrier {
namespace {

std::string how_messages_travel(const std::string& model) {
  if (model == "unordered") return "messages may arrive in any order";
  if (model == "fifo") return "messages from one actor to another arrive in the order sent";
  if (model == "causal") return "messages to an actor arrive in causal order";
  return "messages to an actor arrive in the order sent";
}

std::string how_it_was_run(const exploration& all) {
  auto text = fmt::format("engine {}, delivery {}", all.engine, all.delivery);
  if (all.faults.any()) text += fmt::format(", {}", what_may_befall(all.faults));
  if (all.draws_executions || all.seed != 0) text += fmt::format(", seed {}", all.seed);
  if (all.jobs > 1) text += fmt::format(", {} jobs", all.jobs);
  return text;
}

/// What GoogleTest's command line calls an option of the command line.
std::string flag_of(std::string option) {
  std::replace(option.begin(), option.end(), '-', '_');
  return "--harrier_" + option;
}

/// With `(--timeouts)`, and any other option after a parenthesis, called as GoogleTest's command line does.
std::string with_flags_of_tests(std::string text) {
  const std::string sign = "(--";
  for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign, at + sign.size())) {
    const auto begin = at + sign.size();
    const auto end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", begin), text.size());
    if (end > begin) text.replace(at + 1, end - at - 1, flag_of(text.substr(begin, end - begin)));
  }
  return text;
}

/// In the words of a test: its body is no actor called driver.
finding as_in_a_test(finding f) {
  if (f.actor == "driver") f.actor.clear();
  for (const std::string call : {"handle_all()", "handle_one()", "handle_until()"})
    if (const auto step = "driver." + call + " returns "; f.message.starts_with(step))
      f.message = "the test, after " + call + ", " + f.message.substr(step.size());
  for (auto& step : f.trace)
    if (step.receiver == "driver") step.receiver = "test";
  return f;
}

explanation as_in_a_test(explanation why) {
  for (auto& step : why.steps)
    if (step.receiver == "driver") step.receiver = "test";
  const std::string driver = " driver", test = " the test";
  for (auto at = why.sentence.find(driver); at != std::string::npos; at = why.sentence.find(driver, at + test.size())) {
    const auto after = at + driver.size() < why.sentence.size() ? why.sentence[at + driver.size()] : ' ';
    const bool is_whole = std::isalnum(static_cast<unsigned char>(after)) == 0 && after != '_';
    if (is_whole) why.sentence.replace(at, driver.size(), test);
  }
  why.sentence = with_flags_of_tests(std::move(why.sentence));
  return why;
}

/// What was found, without its place, which stands above.
std::string headline(const finding& f, const text_style& style) {
  auto text = f.kind == finding_kind::assertion ? std::string() : fmt::format("{}: ", to_string(f.kind));
  text += cut_line(printable(f.message), style);
  return f.actor.empty() ? text : fmt::format("{}, in {}", text, printable(f.actor));
}

std::string executions(const exploration& all) {
  auto text = count_of(all.executions, "execution", "executions");
  if (all.truncated > 0) text += fmt::format(" and {} cut short", with_commas(all.truncated));
  if (all.assumed_away > 0) text += fmt::format(" and {} assumed away", with_commas(all.assumed_away));
  if (all.blocked > 0) text += fmt::format(" and {} given up as redundant", with_commas(all.blocked));
  return text;
}

/// `3 were cut short and 2 assumed away`.
std::string unfinished(const exploration& all) {
  std::vector<std::string> parts;
  if (all.truncated > 0) parts.push_back(fmt::format("{} cut short", with_commas(all.truncated)));
  if (all.assumed_away > 0) parts.push_back(fmt::format("{} assumed away", with_commas(all.assumed_away)));
  return fmt::format("{}", fmt::join(parts, " and "));
}

/// `paid: 40, refused: 6`, of what handlers and the body noted.
std::string outcomes_of(const exploration& all) {
  constexpr std::size_t most_shown = 20;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [word, count] : all.outcomes) {
    if (++shown > most_shown) return text + fmt::format(" and {} more", with_commas(all.outcomes.size() - most_shown));
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", printable(word), with_commas(count));
  }
  return text;
}

}  // namespace

std::string nothing_was_judged(const exploration& all) {
  const auto why = all.stopped_by == "executions that never end" ? "executions never end"
                   : all.truncated == 0 && all.assumed_away > 0  ? "what is assumed holds in none"
                                                                 : "stopped by " + printable(all.stopped_by);
  const auto what = unfinished(all);
  return fmt::format("nothing was judged: no execution came to its end ({}{}{})", what, what.empty() ? "" : "; ", why);
}

std::string what_was_cut(const exploration& all, test_manager by) {
  const auto what = unfinished(all);
  const auto judged =
      fmt::format("{} judged{}", count_of(all.executions, "execution", "executions"), what.empty() ? "" : ", " + what);
  if (all.exhausted && all.executions == 0) return "no execution comes to its end, so what handlers check was judged";
  if (all.exhausted) return what.empty() ? what : judged;
  if (by != test_manager::exploratory) return "SAMPLED: " + judged;
  return fmt::format("PARTIAL: {}; stopped by {}", judged, printable(all.stopped_by));
}

std::string heading_in_a_test(const finding& found, const text_style& style) {
  return headline(as_in_a_test(found), style);
}

std::string failure_message(const finding& found, const exploration& all, const std::string& again,
                            const explanation& why, const text_style& style) {
  const auto shown = as_in_a_test(found);
  if (again.empty()) return headline(shown, style);
  const auto text_of_trace = to_text(shown, style);
  auto text = headline(shown, style) + text_of_trace.substr(text_of_trace.find('\n'));
  if (const auto told = to_text(as_in_a_test(why), style); !told.empty()) text += "\n" + told;
  text += fmt::format("\nFound in execution {} ({}: {}).\n", with_commas(all.executions + all.truncated + 1),
                      how_it_was_run(all), how_messages_travel(all.delivery));
  text += fmt::format(
      "Run just these deliveries again with\n  {0}\nand in a debugger with\n  gdb --args {0} "
      "--gtest_break_on_failure\n",
      again);
  return text;
}

std::string progress_of(const progress& so_far) {
  auto text = fmt::format("{}, {:.0f} s", count_of(so_far.executions, "execution", "executions"), so_far.seconds);
  if (so_far.estimate.executions > 0)
    text += fmt::format("; {}, {} to go", share_of(so_far.estimate), rough_time(so_far.estimate.seconds_to_go));
  return text;
}

std::string what_was_covered(const std::string& test, const exploration& all, test_manager by) {
  std::string text;
  const auto line = [&](const char* head, const std::string& what) {
    text += fmt::format("[{:^10}] {}\n", head, what);
  };
  if (!all.findings.empty()) return text;
  const bool is_judged = all.exhausted || all.executions > 0;  // if not, that is a failure, and says why
  if (all.exhausted)
    line("EXPLORED", fmt::format("{}: {}, every order that can matter ({}, {:.2f} s)", test, executions(all),
                                 how_it_was_run(all), all.seconds));
  else if (is_judged && by != test_manager::exploratory)
    line("SAMPLED",
         fmt::format("{}: {}, no failure; other orders may have one ({})", test, executions(all), how_it_was_run(all)));
  else if (is_judged)
    line("PARTIAL", fmt::format("{}: {}{}, no failure so far; stopped by {}, so not every order was run ({}, {:.2f} s)",
                                test, executions(all), all.estimate ? ", " + share_of(*all.estimate) : std::string(),
                                printable(all.stopped_by), how_it_was_run(all), all.seconds));
  if (!all.outcomes.empty()) line("NOTED", outcomes_of(all) + " (executions)");
  for (const auto& f : all.warnings) line("WARNING", cut_line(printable(f.message), {}));
  for (const auto& note : all.notes)
    if (!note.starts_with("engine auto") && !note.starts_with("nothing was judged"))  // that stands elsewhere
      line("NOTE", with_flags_of_tests(printable(note)));
  if (by == test_manager::exploratory)
    for (const auto& [option, value, because] : all.advice)
      line("TRY", fmt::format("{}={}: {}", flag_of(option), value, printable(because)));
  return text;
}

}  // namespace harrier
