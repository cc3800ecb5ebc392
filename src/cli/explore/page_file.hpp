#pragma once

#include <string>

#include <harrier/core/exploration.hpp>
#include <harrier/report/trace_file.hpp>
#include <harrier/web/page.hpp>

#include "../../isolation/source_lines.hpp"
#include "../cli11.hpp"
#include "../shell/outputs.hpp"

namespace harrier {

/// What a command line does with `--report` if it was built with the floor web.
struct page_floor {
  report_story (*story_of)(const exploration& result);
  std::string (*text_of)(const report_story& story);
};

/// That of this build; null: it has none. with_web.cpp or without_web.cpp.
const page_floor* built_in_page_floor();

/// `--report`, of `explore` and of `replay`.
void bind_report(CLI::App& line, std::string& file);

/// @throws error  a page is asked for, and this build has none, or `file` cannot be written. Before anything is
/// searched.
void check_report(const std::string& file, const page_floor* pages);

/// The page of a trace that is not run, for `--format html`.
/// @throws error  this build has no page.
std::string page_of_trace(const trace_file& trace, const std::string& binary, const std::string& trace_file_name,
                          const page_floor* pages);

/// A page of what an exploration found.
class page_of_findings {
public:
  /// @param binary  as the user called it
  explicit page_of_findings(std::string binary) : binary_(std::move(binary)) {}

  /// @param saved  the file that has the trace; empty: none has
  void add(const trace_file& trace, const std::string& saved);
  void add_warning(const trace_file& trace);

  /// @throws error  as write_file does
  void write(const std::string& file, const page_floor& pages, const exploration& result, const json_value& parameters);

private:
  std::string binary_;
  std::vector<told_finding> told_;
  source_lines lines_;
};

/// Writes the page of a trace that was replayed; only says so if the finding did not occur again.
/// @return whether that worked: see outputs::conclude
outputs report_of_replay(const trace_file& trace, bool is_found_again, const std::string& binary,
                         const std::string& trace_file_name, const std::string& file, const page_floor& pages);

}  // namespace harrier
