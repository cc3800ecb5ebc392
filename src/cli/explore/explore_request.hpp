#pragma once

#include <functional>
#include <string>
#include <vector>

#include <harrier/explore/options.hpp>
#include <harrier/isolation/isolated_search.hpp>
#include <harrier/report/export.hpp>
#include <harrier/report/text.hpp>

#include "../cli11.hpp"
#include "../shell/console.hpp"
#include "broker_options.hpp"
#include "chosen_program.hpp"
#include "judges.hpp"

namespace harrier {

/// How a report looks.
struct asked_look {
  shown_states states = shown_states::changed;
  colours colour = colours::automatic;

  [[nodiscard]] text_style on(const console& out) const {
    text_style style;
    style.states = states;
    style.before_option = "--";
    style.colour = out.is_coloured(colour);
    return style;
  }
};

/// How findings are written to standard output.
enum class findings_format {
  text,   ///< for people, with all that there is to say
  gcc,    ///< as a compiler's errors
  sarif,  ///< SARIF 2.1.0
};

/// What `harrier explore` was asked for.
struct explore_request {
  explicit explore_request(const extensions& more) : judged_by(more) {}

  std::string binary;  ///< as the user called it
  std::string program;
  std::vector<std::string> parameters;
  options how;
  std::vector<std::string> pins;           ///< lines of a script
  std::vector<std::string> until;          ///< events, or formulas
  formula_reader* read_formula = nullptr;  ///< null: this build has no formulas
  std::vector<std::string> through;        ///< events, or points of the program
  judgement judged_by;
  bool in_process = false;
  bool require_covered = false;  ///< what never happened is a failure
  isolation_options apart;
  std::string json;        ///< a file, or `-`; empty: none
  std::string save_trace;  ///< a file; empty: none
  std::string report;      ///< a page of all findings; empty: none
  std::string junit;       ///< a file; empty: none
  findings_format format = findings_format::text;
  std::string plot;  ///< an SVG of the progress; empty: none
  bool show_progress = true;
  asked_look look;
  asked_run run;
};

/// PROGRAM and key=value, and `how` as the program asked for has it: before all other options of `line`.
void bind_program(CLI::App& line, std::string& program, std::vector<std::string>& parameters, options& how,
                  const catalogue& programs);

/// The options of a search, as they are called everywhere, those for which `is_one` holds.
void bind_search(CLI::App& line, options& how, const std::function<bool(const std::string& name)>& is_one);

/// Binds the options of `explore` to `request`, which must outlive the parse as
/// `programs` must; what is not given is as the program asked for has it.
/// Parsing throws error for a value that is none, or that this build lacks.
void bind_options(CLI::App& line, explore_request& request, const catalogue& programs);

/// @throws error  an option was given that changes nothing without another one, or beside it.
void refuse_what_has_no_effect(const CLI::App& line, const explore_request& request);

/// `--states` and `--color`, which `replay` has too.
void bind_look(CLI::App& line, asked_look& look);

/// `--format` of `replay`; null if it is not given.
/// The page of `--report`, which is no text of the floor report: it has no function.
inline constexpr export_format page_as_format{"html", nullptr};

void bind_export(CLI::App& line, const export_format*& format);

/// `--in-process` and `--handler-limit`, which `replay` has too.
void bind_isolation(CLI::App& line, bool& in_process, isolation_options& apart);
void bind_handler_limit(CLI::App& line, isolation_options& apart);

}  // namespace harrier
