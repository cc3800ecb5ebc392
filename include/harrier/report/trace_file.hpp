#pragma once

#include <map>
#include <string>
#include <string_view>

#include <harrier/core/explanation.hpp>
#include <harrier/core/exploration.hpp>
#include <harrier/core/faults.hpp>
#include <harrier/core/finding.hpp>
#include <harrier/report/json.hpp>

namespace harrier {

/// What a trace file holds: a finding with its trace, and all that is needed to
/// run it again.
struct trace_file {
  std::string program;
  /// The program's parameters as they are written on the command line.
  std::map<std::string, std::string> parameters;
  std::string engine;
  std::string ordering;
  bool sleep_sets = false;
  std::uint64_t seed = 0;
  std::string delivery = "unordered";
  /// What could befall messages on their way.
  harrier::faults faults = {};
  /// How ends of executions were judged: `total` or `empty`.
  std::string environment = "total";
  /// What else they were judged by; null: nothing.
  json_value judgement = nullptr;
  /// What was seen of the program (seen_of_program::facts) when it was searched.
  std::uint32_t facts = 0;
  /// Which executable file had the program, where another could hardly be it; empty: it is not known.
  std::string executable = {};
  /// Why it comes about, if that was looked for.
  explanation why = {};
  /// The finding; the messages of its schedule are known by the ids of its
  /// trace, so a schedule that was read has only the codes of the draws.
  harrier::finding finding;
};

/// The trace of one of the findings of `all`, with what the exploration tells of how it was searched. Whose program it
/// is, and by what ends were judged, is for the caller to say.
trace_file trace_of(const finding& found, const exploration& all);

/// The only version of the format so far. A reader refuses any other.
inline constexpr int trace_file_version = 1;

/// The file's text, the same for the same trace. `parameters`, if not null,
/// replaces the texts of trace.parameters (to write numbers as numbers).
std::string to_text(const trace_file& trace, const json_value& parameters = nullptr);

/// Reads what to_text gave. @throws error that says what is wrong with it (no
/// JSON, another kind of file, another version, a missing field).
trace_file trace_file_from(std::string_view text);

/// A step as it comes back from a file: bytes that are no UTF-8 have become U+FFFD.
trace_step as_read(const trace_step& step);

/// Reads the file `path`. @throws error that names it.
trace_file read_trace_file(const std::string& path);

}  // namespace harrier
