#include "explore_request.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

#include "../../core/base/numbers.hpp"
#include "../../core/base/suggest.hpp"
#include "../../explore/option_words.hpp"
#include "page_file.hpp"

namespace harrier {
namespace {

using words = std::vector<std::string>;

/// What an option gives when it is on the command line.
using receive_text = std::function<void(const std::string&)>;

CLI::Option* add(CLI::App& line, const std::string& name, const std::string& shown, const std::string& about,
                 receive_text receive) {
  return line.add_option_function<std::string>(name, std::move(receive), about)->type_name(shown);
}

void add_seconds(CLI::App& line, const std::string& name, const std::string& about, double& target) {
  add(line, name, "SECONDS", about, [=, &target](const std::string& text) {
    const auto value = seconds_in(text);
    if (!value || !(*value > 0) || !(*value <= 1e9))
      throw error(fmt::format(
          "{} {}: a number of seconds above 0, or of minutes or hours (30, 30s, 5m, 2h), is expected", name, text));
    target = *value;
  });
}

/// An option with a few words to choose from, each with what it stands for.
template <class T>
void add_choice(CLI::App& line, const std::string& name, const std::string& about, T& target,
                std::vector<std::pair<std::string, T>> choices) {
  words known;
  for (const auto& choice : choices) known.push_back(choice.first);
  const auto shown = fmt::format("{}", fmt::join(known, "|"));
  add(line, name, shown, about, [name, known, choices, &target](const std::string& text) {
    for (const auto& [word, value] : choices) {
      if (word != text) continue;
      target = value;
      return;
    }
    throw error(
        fmt::format("{} {}: one of {} is expected{}", name, text, fmt::join(known, ", "), suggestion(text, known)));
  });
}

void bind_output(CLI::App& line, explore_request& request) {
  line.add_option("--json", request.json, "Write the result as JSON; - is standard output")->type_name("FILE|-");
  line.add_option("--save-trace", request.save_trace, "Save the first finding for `replay`")->type_name("FILE");
  bind_report(line, request.report);
  line.add_option("--junit", request.junit, "Write a JUnit report: a failing test case for each finding")
      ->type_name("FILE");
  add_choice(line, "--format",
             "How findings are printed: for people (text, default), as errors of a compiler (gcc), or as SARIF 2.1.0; "
             "with the last two, the summary goes to standard error",
             request.format,
             {{"text", findings_format::text}, {"gcc", findings_format::gcc}, {"sarif", findings_format::sarif}});
  line.add_flag("--estimate", request.how.search.only_estimate,
                "Only say how much there is to explore, after two seconds of samples and search");
  line.add_option("--plot-progress", request.plot, "Draw executions and their estimate over time (needs gnuplot)")
      ->type_name("FILE.svg");
  add_choice(line, "--progress", "A line of progress on a terminal (default auto)", request.show_progress,
             {{"auto", true}, {"never", false}});
  bind_look(line, request.look);
}

}  // namespace

void bind_search(CLI::App& line, options& how, const std::function<bool(const std::string& name)>& is_one) {
  for (const auto& o : options_in_words()) {
    if (!is_one(o.name)) continue;
    const auto name = "--" + o.name;
    if (o.is_repeatable) {
      line.add_option_function<words>(
              name,
              [&, name](const words& all) {
                for (const auto& value : all) read_option(o, fmt::format("{} {}", name, value), value, how);
              },
              o.about)
          ->type_name(o.takes);
    } else if (o.takes.empty()) {
      line.add_flag_callback(
          name, [&] { o.read(how, "on"); }, o.about);
    } else {
      add(line, name, o.takes, o.about,
          [&, name](const std::string& value) { read_option(o, fmt::format("{} {}", name, value), value, how); });
    }
    if (!o.about_no.empty())
      line.add_flag_callback(
          "--no-" + o.name, [&] { o.read(how, "off"); }, o.about_no);
  }
}

void refuse_what_has_no_effect(const CLI::App& line, const explore_request& request) {
  const auto refuse = [&](const char* option, bool has_effect, const char* why) {
    if (!has_effect && line.count(option) > 0) throw error(fmt::format("{} {}", option, why));
  };
  const auto& how = request.how;
  for (const auto* option : {"--pin", "--until", "--through"})
    refuse(option, request.run.at.url.empty(), "does not go with --broker URL: workers there know no script");
  refuse("--checkpoint-every", !how.kept.checkpoint.empty() || !how.kept.resume.empty(),
         "says how often a checkpoint is written: --checkpoint FILE or --resume FILE is missing");
  refuse("--handler-limit", !request.in_process, "is for a child process: leave out --in-process");
  for (const auto* option :
       {"--broker-creds", "--broker-ca", "--broker-cert", "--broker-key", "--run", "--worker-timeout", "--item-log"})
    refuse(option, !request.run.at.url.empty(), "is for a search that a broker shares out: --broker URL is missing");
}

void bind_look(CLI::App& line, asked_look& look) {
  add_choice(line, "--states", "Of an actor's state, show what a delivery changed (changed, default) or all of it",
             look.states, {{"changed", shown_states::changed}, {"full", shown_states::full}});
  add_choice(line, "--color", "Colours: on a terminal (auto, default; not if NO_COLOR is set), always or never",
             look.colour, {{"auto", colours::automatic}, {"always", colours::always}, {"never", colours::never}});
}

void bind_export(CLI::App& line, const export_format*& format) {
  std::vector<std::pair<std::string, const export_format*>> all;
  for (const auto& known : export_formats()) all.emplace_back(known.name, &known);
  all.emplace_back(page_as_format.name, &page_as_format);
  add_choice(line, "--format", "Write the trace for another program to draw, without running it", format, all);
}

void bind_isolation(CLI::App& line, bool& in_process, isolation_options& apart) {
  line.add_flag("--in-process", in_process, "Run the program in this process, for debuggers: a crash is not caught");
  bind_handler_limit(line, apart);
}

void bind_handler_limit(CLI::App& line, isolation_options& apart) {
  add_seconds(line, "--handler-limit", "A handler that runs longer is reported as never ending (default 10)",
              apart.handler_limit);
}

void bind_program(CLI::App& line, std::string& program, std::vector<std::string>& parameters, options& how,
                  const catalogue& programs) {
  // The first, because CLI11 hands out values in this order: all others override what the program asks for.
  add(line, "PROGRAM", "", "A program that `list` shows", [&](const std::string& name) {
    program = name;
    how = options_of(programs, name);
  })->required();
  line.add_option("key=value", parameters, "Its parameters; the defaults for those not given")->type_name("");
}

void bind_options(CLI::App& line, explore_request& request, const catalogue& programs) {
  bind_program(line, request.program, request.parameters, request.how, programs);
  bind_search(line, request.how, [](const std::string&) { return true; });
  line.add_option("--pin", request.pins,
                  "Only executions in which ACTOR.MESSAGE#N comes after another such event ('counter_0.add#2 after "
                  "client_1.stop'); everything else is explored; repeatable")
      ->type_name("EVENT after EVENT");
  line.add_option("--until", request.until,
                  "Do not follow an execution further once that event has happened, or once a temporal formula of what "
                  "one actor does ('F \"counter_0 RECV add\"') is certain to hold; repeatable")
      ->type_name("EVENT|FORMULA");
  line.add_option("--through", request.through,
                  "Judge only executions that come through that event, or through a point that the program names "
                  "(self.cover); repeatable")
      ->type_name("EVENT|POINT");
  line.add_flag(
      "--require-covered", request.require_covered,
      "Fail (status 1) if something that could happen never did, in any execution: a fault that was allowed, a "
      "timer, a restart, a point that the program names");
  request.judged_by.bind(line);
  bind_output(line, request);
  bind_isolation(line, request.in_process, request.apart);
  bind_run(line, request.run);
}

}  // namespace harrier
