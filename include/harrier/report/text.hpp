#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include <harrier/core/exploration.hpp>
#include <harrier/core/finding.hpp>

namespace harrier {

/// What was found and the deliveries that lead to it, as a newcomer reads them:
/// numbered from 1, with what each sends, creates and chooses, and its
/// receiver's state whenever that is news. Ends with a newline.
///
/// @param most_steps  of a longer trace only the beginning and the end are
///                    shown, with the number left out; 0: all of it.
std::string to_text(const finding& found, std::size_t most_steps = 200);

/// The steps of a trace one by one, as to_text(finding) shows them.
class step_printer {
public:
  /// Step `number` (from 1) over several lines. The state is left out if it is
  /// the one shown last for that actor.
  std::string print(std::size_t number, const trace_step& step);

  /// Takes note of a step that is not shown.
  void skip(const trace_step& step);

private:
  bool is_news(const trace_step& step);

  std::unordered_map<std::string, std::string> known_;  // an actor's state as shown last
};

/// The heading of a finding: `assertion: two reads agree (server.cpp:12), in client_1`.
std::string heading_of(const finding& found);

/// What was covered, how far the search came and what that proves, in a few
/// lines. Ends with a newline.
std::string summary_of(const exploration& result);

/// Everything that people read of an exploration: warnings, findings, summary.
std::string to_text(const exploration& result);

/// 1247400 as `1,247,400`.
std::string with_commas(std::uint64_t number);

/// `1 delivery`, `5 deliveries`: a number with its noun.
std::string count_of(std::uint64_t number, const std::string& singular, const std::string& plural);

}  // namespace harrier
