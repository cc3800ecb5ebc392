#pragma once

#include <string>
#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/report/json.hpp>
#include <harrier/report/trace_file.hpp>

namespace harrier {

/// An order of deliveries beside the one that leads to a finding.
struct other_order {
  /// What it is, in a few words: `the nearest order that passes`. Empty: an order that passes.
  std::string about;
  /// Empty: none is known.
  std::vector<trace_step> steps;
  /// As told_finding::sources.
  std::vector<std::string> sources = {};
};

/// A finding as a report page tells it.
struct told_finding {
  /// Its trace, which a reader can save from the page and replay.
  trace_file trace;
  /// The text of its file, where there is one already. Empty: it is written anew, with the story's parameters.
  std::string text = {};
  /// What the finding's source file is called from where the page is written. Empty: as in the trace.
  std::string source = {};
  /// The command that replays it, and the name of the trace's file in it.
  std::string replay = {};
  std::string file = {};
  /// Whether that file is there. If not, the page says that it must be saved first.
  bool is_saved = false;
  /// It counts as no error.
  bool is_warning = false;
  /// Where the handler stands that took the message of each step, `bank.cpp:42`, in the order of the trace; empty where
  /// that is not known.
  std::vector<std::string> sources = {};
  /// Shown beside the trace if it has steps.
  other_order other = {};
};

/// How what was searched or replayed came out.
enum class report_verdict {
  passed,  ///< all was explored, and nothing found
  found,   ///< something was found
  open,    ///< nothing was found, but not all was explored
};

/// What a report page tells.
struct report_story {
  std::string program;
  /// The program's parameters: an object, or null for none.
  json_value parameters = nullptr;
  report_verdict verdict = report_verdict::open;
  /// A line each; the first is the verdict in words.
  std::vector<std::string> summary = {};
  std::vector<std::string> notes = {};
  std::vector<told_finding> findings = {};
};

/// What the exploration came to, without its findings and without times, which differ from run to run.
report_story story_of(const exploration& result);

/// The page: HTML that needs no other file and no network. The same for the same story. Texts of the program are data
/// in it, never markup; bytes that are no UTF-8 become U+FFFD.
std::string report_page(const report_story& story);

/// The page of `harrier web`, which asks the server that it came from for everything else. `about` is what it is to
/// know at once.
std::string explorer_page(const json_value& about);

}  // namespace harrier
