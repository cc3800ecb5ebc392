// Runs of protocols as traces: saved, replayed, and found by the engines that explore programs.
#include "protocol_runs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/core/invariant.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/property/word.hpp>
#include <harrier/protocol/program.hpp>
#include <harrier/protocol/proposition.hpp>
#include <harrier/replay/ends.hpp>
#include <harrier/replay/replay.hpp>
#include <harrier/report/text.hpp>
#include <harrier/report/write_file.hpp>

#include "../shell/console.hpp"
#include "../shell/interrupt.hpp"
#include "../shell/shell.hpp"
#include "../web_command.hpp"

namespace harrier {
namespace {

constexpr auto program_name = "harrier protocol";
constexpr actor_slot the_protocol = 1;  // the driver is 0

/// What a trace says beside its steps.
struct saved_run {
  protocol_choice choice;
  std::string formula;  ///< empty: nothing is violated, the run ends in a deadlock
  std::string ends = "ignore";
  std::string end = "stop";  ///< cycle, stutter, stop or any
  std::size_t prefix = 0;    ///< steps before the cycle
};

json_value parameters_of(const saved_run& run) {
  const auto& c = run.choice;
  const auto absolute = [](const std::string& file) {
    return file.empty() ? file : std::filesystem::absolute(file).lexically_normal().string();
  };
  return {{"spec", absolute(c.file)},
          {"session", c.session},
          {"mode", c.mode},
          {"on", c.on},
          {"namespace", c.in_namespace},
          {"types", c.types},
          {"includes", c.includes},
          {"types_file", absolute(c.types_file)},
          {"max_states", c.max_states},
          {"capacity", c.capacity},
          {"formula", run.formula},
          {"ends", run.ends},
          {"end", run.end},
          {"prefix", run.prefix}};
}

saved_run run_from(const trace_file& trace) {
  const auto text = [&](const char* name) {
    const auto found = trace.parameters.find(name);
    if (found == trace.parameters.end()) throw error(fmt::format("the parameter '{}' is missing", name));
    return found->second;
  };
  const auto parsed = [&](const char* name, auto example) {
    try {
      return json_value::parse(text(name)).get<decltype(example)>();
    } catch (const json_value::exception&) {
      throw error(fmt::format("the parameter '{}' is of the wrong type", name));
    }
  };
  const std::vector<std::string> words;
  saved_run run;
  run.choice = {text("spec"),
                parsed("session", words),
                text("mode"),
                text("on"),
                text("namespace"),
                parsed("types", words),
                parsed("includes", words),
                text("types_file"),
                parsed("max_states", std::size_t{}),
                parsed("capacity", std::size_t{})};
  run.formula = text("formula");
  run.ends = text("ends");
  run.end = text("end");
  run.prefix = parsed("prefix", std::size_t{});
  const auto one_of = [](const std::string& word, std::initializer_list<const char*> known) {
    return std::find(known.begin(), known.end(), word) != known.end();
  };
  const bool cycles = run.end == "cycle";
  if (run.choice.session.empty() || !one_of(run.choice.mode, {"strict", "liberal", "liberal-checked"}) ||
      !one_of(run.choice.on, {"module", "definition"}) || !one_of(run.ends, {"ignore", "stutter", "finite"}) ||
      !one_of(run.end, {"cycle", "stutter", "stop", "any"}) || run.prefix > trace.finding.trace.size() ||
      cycles != (run.prefix < trace.finding.trace.size()))
    throw error("its parameters do not fit together");
  return run;
}

trace_file trace_of(const saved_run& run, const finding& found, std::string_view engine) {
  trace_file trace;
  trace.program = program_name;
  trace.engine = engine;
  trace.ordering = "fifo";
  trace.finding = found;
  const auto parameters = parameters_of(run);
  for (const auto& [name, value] : parameters.items())
    trace.parameters[name] = value.is_string() ? value.get<std::string>() : to_text(value);
  return trace;
}

void write_trace(const std::string& file, const saved_run& run, const finding& found, std::string_view engine,
                 const std::string& binary) {
  write_file(file, to_text(trace_of(run, found, engine), parameters_of(run)));
  say_aside(fmt::format("Trace saved: {}\n", command_line({binary, "replay", file})));
}

std::string what_is_possible(const system& s) {
  std::string list;
  for (auto m = s.first_deliverable(); m != no_message; m = s.next_deliverable(m))
    list += (list.empty() ? "" : ", ") + s.message_text(m);
  return list.empty() ? "nothing" : list;
}

/// Where the run is, for comparison within one system.
fingerprint place(const system& s) {
  const auto& a = s.actor_at(the_protocol);
  return a.type->hash(a.state);
}

/// One run, as a space of its own: to judge it alone.
class one_run final : public protocol::transition_system {
public:
  one_run(const std::vector<protocol::action>& actions, const protocol::alphabet& names, const saved_run& run)
      : names_(names), back_to_(run.end == "cycle" ? std::optional(run.prefix) : std::nullopt) {
    for (const auto& a : actions) actions_.push_back(names_.number(a));
  }

  std::span<const protocol::transition> steps(protocol::state_id state) override {
    current_.clear();
    const std::size_t next = state + std::size_t{1};
    if (next < actions_.size() || (next == actions_.size() && !back_to_))
      current_.push_back({actions_[state], static_cast<protocol::state_id>(next)});
    else if (next == actions_.size())
      current_.push_back({actions_[state], static_cast<protocol::state_id>(*back_to_)});
    return current_;
  }
  const protocol::alphabet& names() const override { return names_; }

private:
  protocol::alphabet names_;
  std::vector<protocol::action_id> actions_;
  std::optional<std::size_t> back_to_;
  std::vector<protocol::transition> current_;
};

/// Goes along the trace, and says what happens.
class follower final : public replay_listener {
public:
  follower(const trace_file& trace, const saved_run& run, const opened_protocol& opened, bool one_by_one)
      : trace_(trace),
        run_(run),
        system_(opened.made.start()),
        start_of_cycle_(place(*system_)),
        one_by_one_(one_by_one),
        wait_(one_by_one && isatty(STDIN_FILENO)) {}

  int go() {
    replay(*system_, {.finding = trace_.finding, .found_by = recorded_trace::by::messages}, *this);
    if (run_.end == "cycle" && !(place(*system_) == start_of_cycle_))
      return not_again("the cycle does not return to the state in which it began");
    if ((run_.end == "stop" || run_.end == "stutter") && system_->first_deliverable() != no_message)
      return not_again("the run continues: " + what_is_possible(*system_));
    return run_.formula.empty() ? judge_deadlock() : judge_formula();
  }

private:
  void about_to(const system& now, std::size_t number, const scheduled& next) override {
    note_cycle(now, number);
    actions_.push_back(protocol::action_of(now, next.message));
  }

  bool made(const system&, std::size_t number, trace_step, bool) override {
    const auto& steps = trace_.finding.trace;
    show(fmt::format("{:>4}. {}\n", number + 1, printable(steps[number].message)));
    if (wait_ && number + 1 < steps.size()) {
      std::string line;
      if (!std::getline(std::cin, line)) std::cin.clear();
    }
    return true;
  }

  bool differs(const system& now, std::size_t number, const trace_difference& how) override {
    note_cycle(now, number);
    if (!one_by_one_) console().say(shown_);
    console().say(
        fmt::format("\nThe protocol does not do what the trace says, at step {} of {}.\nExpected:\n{:>4}. {}\n"
                    "Possible: {}\n",
                    number + 1, trace_.finding.trace.size(), number + 1, printable(how.expected.message),
                    printable(what_is_possible(now))));
    throw error("the protocol has changed since the trace was saved; check it again");
  }

  void note_cycle(const system& now, std::size_t number) {
    if (number != run_.prefix || run_.end != "cycle") return;
    start_of_cycle_ = place(now);
    show("  again and again:\n");
  }

  void show(const std::string& text) {
    if (one_by_one_) console().say(text);
    shown_ += text;
  }

  int judge_formula() {
    one_run alone(actions_, protocol::names_of(*system_), run_);
    protocol::property_options how;
    how.ends = ends_of(run_.ends);
    const std::string formulas[] = {run_.formula};
    if (protocol::check_space(alone, formulas, how).properties[0].holds == false) return again();
    if (run_.end == "any" && violated_whatever_follows()) return again();
    return not_again("the formula holds of this run");
  }

  [[nodiscard]] bool violated_whatever_follows() const {
    const auto& names = protocol::names_of(*system_);
    const auto formula = parse_formula(run_.formula);
    if (!formula.value) return false;
    std::vector<letter> letters;
    for (const auto& a : actions_) {
      auto& now = letters.emplace_back();
      std::vector<protocol::diagnostic> reported_before;
      for (const auto& atom : formula.value->atoms())
        now.push_back(protocol::parse_proposition(atom, names, reported_before).holds(a, names));
    }
    return monitor_on_word(*formula.value, letters, word_end::truncated) == false;
  }

  int judge_deadlock() { return look_at_end(*system_, {}).stuck.empty() ? not_again("the run may end here") : again(); }

  int again() {
    auto text = one_by_one_ ? std::string("\n") : std::string();
    text += "Found again " + heading_of(trace_.finding) + "\n";
    if (!one_by_one_) text += shown_;
    console().say(text + ending());
    return found_something;
  }

  std::string ending() const {
    if (run_.end == "stutter") return "    nothing more, forever\n";
    if (run_.end == "stop") return "    the end\n";
    return run_.end == "any" ? "    whatever follows\n" : "";
  }

  int not_again(const std::string& why) {
    if (!one_by_one_) console().say(shown_);
    if (trace_.finding.occurrences == 0) {  // a page saved it, where nothing was found
      console().say("\nThe trace was followed to its end. Nothing was found when it was saved, either.\n");
      return explored_completely;
    }
    console().say(
        fmt::format("\nThe trace was followed to its end, and the finding did not occur again: {}.\nIt was {}\n",
                    printable(why), heading_of(trace_.finding)));
    return explored_completely;
  }

  const trace_file& trace_;
  const saved_run& run_;
  system_handle system_;
  fingerprint start_of_cycle_;
  std::vector<protocol::action> actions_;
  std::string shown_;
  bool one_by_one_;
  bool wait_;
};

/// Keeps the steps.
class writer final : public replay_listener {
public:
  explicit writer(finding& f) : finding_(f) {}
  bool made(const system&, std::size_t, trace_step step, bool) override {
    finding_.trace.push_back(std::move(step));
    return true;
  }

private:
  finding& finding_;
};

// --- explore

struct explore_choice {
  protocol_choice protocol;
  options how;
  std::string trace;
  std::string binary;  // as the user called it
  bool on_page = false;
  page_service where = {};
};

std::string in_words(const finding& f) {
  auto text = fmt::format("{}: nothing is possible, and a role waits forever\n", to_string(f.kind));
  for (std::size_t i = 0; i < f.trace.size(); ++i)
    text += fmt::format("{:>4}. {}\n", i + 1, printable(f.trace[i].message));
  return text + "    the end\n";
}

/// Goes through it by hand.
int run_on_page(const explore_choice& request) {
  const auto opened = open_protocol(request.protocol);
  saved_run run;
  run.choice = request.protocol;
  const auto text = [&](const finding& found) {
    run.prefix = found.trace.size();
    return to_text(trace_of(run, found, "by hand"), parameters_of(run));
  };
  const auto& words = request.protocol.session;
  json_value parameters = {{"file", request.protocol.file}, {"on", request.protocol.on}};
  return serve_page(built_in_explorer(),
                    {.name = words.empty() ? program_name : words.front(),
                     .parameters = parameters,
                     .made = opened.made,
                     .how = request.how,
                     .is_protocol = true,
                     .trace_text = text},
                    request.where);
}

int run_explore(const explore_choice& request) {
  if (request.on_page) return run_on_page(request);
  if (!request.trace.empty()) check_writable(request.trace);
  validate(request.how);
  const auto opened = open_protocol(request.protocol);
  const interrupt_notice stop;
  auto how = request.how;
  how.limits.should_stop = [] { return interrupt_notice::came(); };
  const auto result = explore(opened.made, how);
  console out;
  const auto reading =
      request.protocol.on == "module" ? "generated module, mode " + request.protocol.mode : "definition";
  out.say(fmt::format("explored the {}, engine {}: {}, {}{}\n", reading, request.how.search.engine.name(),
                      count_of(result.executions, "run to its end", "runs to their end"),
                      count_of(result.transitions, "step", "steps"),
                      result.exhausted ? "" : "; not all of it: " + result.stopped_by));
  for (const auto& f : result.findings) out.say(in_words(f));
  if (result.findings.empty()) return result.exhausted ? explored_completely : stopped_by_a_limit;
  outputs written;
  if (!request.trace.empty()) {
    auto found = result.findings[0];
    found.message = "nothing is possible, and a role waits forever";
    found.details.clear();
    saved_run run;
    run.choice = request.protocol;
    run.prefix = found.trace.size();
    written.attempt([&] { write_trace(request.trace, run, found, request.how.search.engine.name(), request.binary); });
  }
  return written.conclude(found_something);
}

}  // namespace

void save_protocol_run(const std::string& file, const protocol_choice& choice, const std::string& formula,
                       const std::string& ends, const protocol::described_lasso& run, const std::string& binary) {
  const auto opened = open_protocol(choice);
  const auto s = opened.made.start();
  finding found;
  found.kind = finding_kind::ltl;
  found.message = formula;
  finding called;
  for (const auto* part : {&run.prefix, &run.cycle})
    for (const auto& action : *part) called.trace.emplace_back().message = action;
  writer steps(found);
  const auto end = replay(*s, {.finding = called, .found_by = recorded_trace::by::messages}, steps);
  HARRIER_INVARIANT(end.way == replay_end::how::followed, "a violating run was replayed before it was reported");
  found.schedule = s->current_schedule();
  saved_run saved{choice, formula, ends, name_of(run.end), run.prefix.size()};
  write_trace(file, saved, found, "check", binary);
}

bool is_protocol_trace(const trace_file& trace) { return trace.program == program_name; }

int replay_protocol(const trace_file& trace, bool step_by_step) {
  const auto run = run_from(trace);
  return follower(trace, run, open_protocol(run.choice), step_by_step).go();
}

command add_protocol_explore(CLI::App& protocol) {
  auto* line = protocol.add_subcommand("explore", "Run it to every end, to find roles that wait forever");
  const auto request = std::make_shared<explore_choice>();
  request->how.search.engine = "exhaustive";
  bind_choice(*line, request->protocol);
  line->add_option("--on", request->protocol.on,
                   "Run the generated code, compiled (module), or the definition, without compiling")
      ->check(CLI::IsMember({"module", "definition"}))
      ->capture_default_str();
  line->add_option_function<std::string>(
          "--engine", [request](const std::string& name) { request->how.search.engine = name; },
          "Any engine of `explore`; reductions save nothing here")
      ->check(CLI::IsMember(engine_names()))
      ->default_str(std::string(request->how.search.engine.name()));
  line->add_option("--max-depth", request->how.limits.max_depth, "Cut each run after N steps")->capture_default_str();
  line->add_option("--max-executions", request->how.limits.max_executions, "Stop after N runs; 0: no limit");
  line->add_option("--time-limit", request->how.limits.time_limit, "Stop after that many seconds; 0: no limit");
  line->add_option("--seed", request->how.search.seed, "For engines that draw at random");
  line->add_flag("--keep-going", request->how.judging.keep_going,
                 "Look for all findings, instead of stopping at the first");
  line->add_option("--save-trace", request->trace, "Save the first finding for `replay`")->option_text("FILE");
  line->add_flag("--web", request->on_page, "Serve a page to go through it by hand, as harrier web does")
      ->excludes("--save-trace");
  bind_page(*line, request->where);
  return {line, [request, line, binary = protocol.get_parent()->get_name()] {
            request->binary = binary;
            request->where.binary = binary;
            require_queues(*line, request->protocol.mode);
            return or_advise([&] { return run_explore(*request); });
          }};
}

}  // namespace harrier
