#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include <harrier/core/exploration.hpp>
#include <harrier/core/finding.hpp>

namespace harrier {

/// What a trace shows of an actor's state where that has changed.
enum class shown_states {
  changed,  ///< the fields that are not as this actor had them shown last: `{.. value=5}`
  full,     ///< all of it
};

/// How texts for people are written. All of them are printable (printable.hpp)
/// but for their line feeds and, if there are any, their colours.
struct text_style {
  shown_states states = shown_states::changed;
  /// With the escape sequences of a terminal for red, green and yellow.
  bool colour = false;
  /// Of a longer trace only the beginning and the end are shown, with the number
  /// left out; 0: all of it.
  std::size_t most_steps = 200;
  /// Of a longer line (a huge state, say) only the beginning is shown, with the number of bytes left out, unless all
  /// of a state was asked for; 0: all of it.
  std::size_t longest_line = 2000;
  /// What stands before the name of an option that is advised: `--` on the command line.
  std::string_view before_option = {};
  /// Whether it is said how long a search took, which differs from run to run.
  bool times = true;
};

/// What was found and the deliveries that lead to it, as a newcomer reads them:
/// numbered from 1, with what each sends, creates and chooses, and its
/// receiver's state whenever that is news. Ends with a newline.
///
/// @param lead  stands before the heading: `Found `.
std::string to_text(const finding& found, const text_style& style = {}, std::string_view lead = {});

/// `about 31 % of an estimated 40,000 executions`: for a search that is not at its end.
std::string share_of(const size_estimate& estimate);
/// How much there is to explore, if that was asked for: orders, what the engine
/// would run of them and how long, and whether that is a matter of minutes, hours,
/// days, or hopeless.
std::string outlook(const exploration& result);
/// `9 s`, `3 min`, `2 h`, `5 days`, `300 years`, `10^12 years`
std::string rough_time(double seconds);

/// A line, or what is to be part of one, without what `style` leaves out.
std::string cut_line(std::string line, const text_style& style);

/// Whether people are shown this step: not if it only moves messages, and
/// nothing was found in it.
bool is_shown(const trace_step& step);

/// How many steps of the trace are shown; what a schedule has beyond its trace
/// (of a program that does not follow it) is counted too.
std::size_t shown_length(const finding& found);

/// The steps of a trace one by one, as to_text(finding) shows them. It numbers
/// those that are shown from 1.
class step_printer {
public:
  explicit step_printer(const text_style& style = {}) : style_(style) {}

  /// The next step over several lines; nothing if it is not shown. The first
  /// state shown of an actor is shown whole, and no state twice in a row.
  std::string print(const trace_step& step);

  /// Takes note of a step that is left out. The actor's next state is shown whole.
  void skip(const trace_step& step);

  /// The number of the step printed or left out last.
  [[nodiscard]] std::size_t number() const { return number_; }
  /// The next step has the number after that one.
  void count_from(std::size_t number) { number_ = number; }

private:
  std::string line_about_state(const trace_step& step);

  text_style style_;
  std::size_t number_ = 0;
  std::unordered_map<std::string, std::string> known_;  // an actor's state as shown last
};

/// The heading of a finding: `assertion: two reads agree (server.cpp:12), in client_1`.
std::string heading_of(const finding& found, const text_style& style = {}, std::string_view lead = {});

/// What was covered, how far the search came and what that proves, in a few
/// lines. Ends with a newline.
///
/// @param way_on  what can be done about the verdict, in the words of whoever
///                shows it; in brackets behind it.
std::string summary_of(const exploration& result, const text_style& style = {}, std::string_view way_on = {});

/// Everything that people read of an exploration: warnings, findings, summary.
std::string to_text(const exploration& result, const text_style& style = {}, std::string_view way_on = {});

/// `of each channel at most 1 message lost`; empty: all messages arrived.
std::string what_may_befall(const faults& may_happen);

/// 1247400 as `1,247,400`.
std::string with_commas(std::uint64_t number);

/// `1 delivery`, `5 deliveries`: a number with its noun.
std::string count_of(std::uint64_t number, const std::string& singular, const std::string& plural);

}  // namespace harrier
