#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/report/explanation.hpp>
#include <harrier/report/export.hpp>
#include <harrier/report/text.hpp>
#include <harrier/report/trace_file.hpp>

#include "../../core/base/trusted_place.hpp"
#include "../../isolation/child.hpp"
#include "../extensions.hpp"
#include "../shell/console.hpp"
#include "../shell/own_executable.hpp"
#include "../shell/seen_from_here.hpp"
#include "../shell/shell.hpp"
#include "explore_request.hpp"
#include "failing_step.hpp"
#include "replay.hpp"

namespace harrier {
namespace {

constexpr auto replay_footer = R"(Examples:
  harrier replay bug.json                       run the trace again, print it
  harrier replay bug.json --step                stop after each delivery (Enter continues, b and Enter go back)
  harrier replay bug.json --gdb                 in gdb, stopping where the last delivery's handler begins
  gdb --args harrier replay --in-process bug.json
                                                in a debugger: break at any handler, then `run`
  harrier replay bug.json --format mermaid      draw it, without running it; also for a program that is not here

Exit status: 0 the schedule was followed to its end without the finding (4 if the executable file of a CAF program
is the same: it depends on something else); 1 the finding occurred again (4 if it is nondeterminism or a wrong
declaration); 2 the program no longer follows the schedule, or the trace cannot be used; 3 interrupted; 4 also if the
program cannot be tested; 5 the text could not be written (instead of 0 and 3). With --format 0: it was written.)";

struct replay_request {
  std::string file;
  bool step = false;
  bool in_process = false;
  bool in_gdb = false;
  isolation_options apart;
  asked_look look;
  std::string binary;                     ///< as the user called it
  std::string report;                     ///< a page of the trace; empty: none
  const export_format* format = nullptr;  ///< null: the trace is replayed
};

/// Shows a replay as it is told, and knows how it ended.
class replay_display {
public:
  replay_display(const trace_file& trace, const replay_request& request)
      : trace_(trace),
        one_by_one_(request.step || request.in_process),
        wait_(request.step && isatty(STDIN_FILENO)),
        style_(request.look.on(out_)),
        printer_(style_) {}

  void hear(const json_value& told) {
    if (told.contains("same")) {
      auto step = trace_.finding.trace[number_];
      step.handler = told.at("handler").get<std::string>();
      show(step);
    }
    if (told.contains("step")) show(trace_step_from(told.at("step")));
    if (told.contains("lethal")) announce_lethal();
    if (told.contains("differs")) show_difference(told.at("differs"));
    if (told.contains("ended")) show_end(told.at("ended"));
  }

  /// The child process died, or was killed, because of what `why` says.
  void child_failed(finding_kind how, const std::string& why) {
    const auto& steps = trace_.finding.trace;
    if (how == trace_.finding.kind && steps.empty()) return show_reproduced(std::nullopt);
    if (lethal_ && how == trace_.finding.kind) return show_reproduced(steps.back());
    if (steps.empty()) throw error("the program has changed since the trace was saved: now its handler " + why);
    show_difference(
        {{"expected", to_json(steps[std::min(number_, steps.size() - 1)])}, {"actual", "the handler " + why}});
  }

  void say_interrupted() const { out_.say("Stopped by an interrupt, before the end of the trace.\n"); }

  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] const std::vector<trace_step>& made() const { return replayed_.trace; }

private:
  void show(const trace_step& step) {
    ++number_;
    replayed_.trace.push_back(step);
    if (!one_by_one_) return;
    const auto text = printer_.print(seen_from_here(step));
    out_.say(text);
    if (!wait_ || !is_shown(step)) return;
    shown_.push_back(text);
    if (number_ < trace_.finding.trace.size()) wait_for_enter();
  }

  /// Until the next delivery is wanted. `b` shows the one before again, from where Enter goes on.
  void wait_for_enter() {
    auto at = shown_.size() - 1;
    for (std::string line; at < shown_.size();) {
      if (!std::getline(std::cin, line)) return std::cin.clear();
      if (line != "b")
        ++at;
      else if (at > 0)
        --at;
      if (at < shown_.size()) out_.say(shown_[at]);
    }
  }

  void announce_lethal() {
    lethal_ = true;
    const auto& last = trace_.finding.trace.back();
    if (one_by_one_)
      out_.say(fmt::format("{:>4}. {}.{} is next\n", printer_.number() + 1, printable(last.receiver),
                           printable(last.message)));
  }

  void show_steps_so_far() {
    if (one_by_one_) return;
    for (const auto& step : replayed_.trace) out_.say(printer_.print(seen_from_here(step)));
  }

  /// `step` as the next delivery, its state whole.
  [[nodiscard]] std::string next_delivery(trace_step step) const {
    step.machinery = false;  // here it matters
    step_printer printer(style_);
    printer.count_from(printer_.number());
    return printer.print(step);
  }

  void show_difference(const json_value& difference) {
    show_steps_so_far();
    auto text = fmt::format("\nThe program does not do what the trace says, at delivery {} of {}.\nExpected:\n{}",
                            printer_.number() + 1, shown_length(trace_.finding),
                            next_delivery(trace_step_from(difference.at("expected"))));
    const auto& actual = difference.at("actual");
    text += "Actual:\n";
    text += actual.is_string() ? "       " + printable(actual.get<std::string>()) + "\n"
                               : next_delivery(trace_step_from(actual));
    out_.say(text);
    throw error("the program has changed since the trace was saved; explore it again");
  }

  void show_end(const json_value& end) {
    const bool nondeterminism = trace_.finding.kind == finding_kind::nondeterminism;
    if (end.at("again").get<bool>()) {
      if (nondeterminism && end.at("note") != trace_.finding.message)
        replayed_.details.push_back("this time: " + end.at("note").get<std::string>());
      show_reproduced(std::nullopt);
      return;
    }
    show_steps_so_far();
    if (trace_.finding.occurrences == 0) {  // harrier web saved it, where nothing was found
      out_.say("\nThe schedule was followed to its end. Nothing was found when it was saved, either.\n");
      status_ = explored_completely;
      return;
    }
    out_.say(
        fmt::format("\nThe schedule was followed to its end, and the finding did not occur again: {}.\n"
                    "It was {}\n",
                    printable(end.at("note").get<std::string>()), heading_of(seen_from_here(trace_.finding))));
    status_ = explored_completely;
    if (trace_.executable.empty() || trace_.executable != own_executable()) return;
    out_.say(
        "The executable file has not changed since, so the finding depends on more than the order of the messages:\n"
        "variables that main does not reset, say, the environment, or files.\n");
    status_ = untestable;
  }

  void show_reproduced(const std::optional<trace_step>& last) {
    if (last) show(*last);
    auto found = trace_.finding;
    found.trace = replayed_.trace;
    found.occurrences = 0;
    found.schedule.clear();
    if (found.kind == finding_kind::nondeterminism) found.details = replayed_.details;
    found = seen_from_here(std::move(found));
    constexpr auto lead = "Found again ";
    out_.say(one_by_one_ ? "\n" + heading_of(found, style_, lead) + "\n" : to_text(found, style_, lead));
    for (const auto& line : found.details)
      if (one_by_one_) out_.say("  - " + printable(line) + "\n");
    if (const auto why = to_text(trace_.why, style_); !why.empty()) out_.say("\n" + why);
    status_ = is_of_the_search(found.kind) ? untestable : found_something;
  }

  const trace_file& trace_;
  bool one_by_one_;
  bool wait_;
  console out_;
  text_style style_;
  step_printer printer_;
  finding replayed_;
  std::vector<std::string> shown_;  // where Enter is waited for
  std::size_t number_ = 0;
  bool lethal_ = false;
  int status_ = stopped_by_a_limit;
};

/// The replay in a child process. It is told to the end before it is shown:
/// waiting for Enter must not look like a handler that does not end.
void replay_isolated(const chosen_program& tested, const trace_file& trace, monitor* judge,
                     const replay_request& request, replay_display& display) {
  const watch noted(trace.finding.trace.size());
  std::vector<json_value> told;
  const auto end = run_in_child(noted, request.apart.handler_limit,
                                {.run =
                                     [&](const told_in_json& tell) {
                                       replay_in_json(noted.watched(tested.made, true), trace, judge, tested.how, tell);
                                     },
                                 .hear = [&](const json_value& line) { told.push_back(line); }});
  if (end.way == child_end::how::interrupted) return display.say_interrupted();
  const bool died = end.way == child_end::how::died;
  const auto why = died ? "ended the process: " + reason_of(end, noted)
                        : fmt::format("did not end within {} s", request.apart.handler_limit);
  const bool failed = died || end.way == child_end::how::did_not_end;
  if (failed && noted.before_first_message())
    throw untestable_program("it fails before its first message: the driver " + why);
  for (const auto& line : told) display.hear(line);
  if (failed) display.child_failed(died ? finding_kind::crash : finding_kind::nontermination, why);
}

/// What `call` gives; an error of its says that `what` cannot be replayed.
template <class Call>
auto while_reading(const std::string& what, Call call) {
  try {
    return call();
  } catch (const error& e) {
    throw error(fmt::format("cannot replay {}: {}", what, e.what()));
  }
}

/// It was recorded in a delivery. Others may be there before the first one.
bool is_of_a_step(const finding& f) {
  return is_of_the_search(f.kind) || (f.kind == finding_kind::assertion && !f.actor.empty());
}

judgement judgement_of(const trace_file& trace, const extensions& more) {
  judgement asked(more);
  if (!trace.judgement.is_null()) asked.read(trace.judgement);
  return asked;
}

/// Where to go with a trace whose program is in another executable file. Suite.Name is an ETEST.
std::string where_it_is_replayed(const trace_file& trace, const std::string& file) {
  if (trace.program.find('.') == std::string::npos)
    return "the executable file that saved the trace replays it, and `--format mermaid` draws it here";
  return fmt::format("it is a test's: its executable file replays it, with {}, and `--format mermaid` draws it here",
                     command_line({"--gtest_filter=" + trace.program, "--harrier_replay=" + file}));
}

void require_program(const catalogue& programs, const trace_file& trace, const std::string& file) {
  if (std::any_of(programs.begin(), programs.end(), [&](const auto& p) { return p.name == trace.program; })) return;
  throw error(fmt::format("cannot replay {}: there is no program '{}' here; {}", file, trace.program,
                          where_it_is_replayed(trace, file)));
}

/// @param made  the steps as they were made
int replay(const trace_file& trace, const replay_request& request, const catalogue& programs, const extensions& more,
           std::vector<trace_step>& made) {
  for (const auto& kind : more.traces)
    if (kind.is_one(trace))
      return while_reading(request.file, [&] {
        // It says what is started, or compiled and loaded: it is a script.
        require_trusted(request.file, "the trace", "copy it to a folder that only you can write to, and look into it");
        return kind.replay(trace, {request.file, request.step, request.in_process, request.report});
      });
  if (trace.finding.trace.empty() && is_of_a_step(trace.finding))
    throw error(fmt::format("cannot replay {}: it has no steps", request.file));
  require_program(programs, trace, request.file);
  const auto program = while_reading(request.file, [&] {
    static_cast<void>(delivery_of(trace.delivery));
    return choose_program(programs, trace.program, trace.parameters);
  });
  const judges by(while_reading(request.file + ": judgement", [&] { return judgement_of(trace, more); }));
  replay_display display(trace, request);
  if (request.in_process)
    replay_in_json(
        program.made, trace, by.all(), program.how, [&](const json_value& told) { display.hear(told); },
        /*in_debugger=*/true);
  else
    replay_isolated(program, trace, by.all(), request, display);
  made = display.made();
  return display.status();
}

int run(const replay_request& request, const catalogue& programs, const extensions& more) {
  check_report(request.report, more.makes_pages);
  auto trace = read_trace_file(request.file);
  if (request.format != nullptr) {
    // The trace has all that is drawn. Whatever program it is of need not be there, nor be run.
    console().say_exactly(request.format == &page_as_format
                              ? page_of_trace(trace, request.binary, request.file, more.makes_pages)
                              : request.format->write(diagram_of(trace)));
    return explored_completely;
  }
  std::vector<trace_step> made;
  const auto status = replay(trace, request, programs, more, made);
  if (request.report.empty()) return status;
  auto& steps = trace.finding.trace;
  for (std::size_t i = 0; i < std::min(made.size(), steps.size()); ++i) steps[i].handler = made[i].handler;
  const bool is_found_again = status == found_something || status == untestable;
  return report_of_replay(trace, is_found_again, request.binary, request.file, request.report, *more.makes_pages)
      .conclude(status);
}

}  // namespace

command add_replay(CLI::App& app, const catalogue& programs, const extensions& more) {
  auto* line = app.add_subcommand("replay", "Runs a saved trace again, to the same finding");
  line->footer(as_called(replay_footer, app.get_name()));
  const auto request = std::make_shared<replay_request>();
  line->add_option("TRACE", request->file, "A file that --save-trace wrote")->required()->type_name("");
  line->add_flag("--step", request->step, "Show one delivery after the other, waiting for Enter on a terminal");
  line->add_flag("--gdb", request->in_gdb, "Run it in gdb, which stops in the last delivery of the trace");
  bind_report(*line, request->report);
  bind_export(*line, request->format);
  bind_look(*line, request->look);
  bind_isolation(*line, request->in_process, request->apart);
  request->binary = app.get_name();
  return {line, [request, line, &programs, &more] {
            if (request->in_process && line->count("--handler-limit") > 0)
              throw error("--handler-limit is for a child process: leave out --in-process");
            if (request->in_gdb)
              for (const auto* option : {"--in-process", "--handler-limit", "--report", "--format"})
                if (line->count(option) > 0) throw error(std::string("--gdb starts gdb: leave out ") + option);
            for (const auto* option : {"--step", "--in-process", "--handler-limit", "--states", "--color", "--report"})
              if (request->format != nullptr && line->count(option) > 0)
                throw error(std::string("--format writes the trace without running it: leave out ") + option);
            if (request->in_gdb) {
              static_cast<void>(read_trace_file(request->file));
              replay_in_gdb(request->file);
            }
            return run(*request, programs, more);
          }};
}

}  // namespace harrier
