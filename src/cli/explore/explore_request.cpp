#include "explore_request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/engine/pct.hpp>
#include <harrier/explore/explore.hpp>

#include "../../core/base/numbers.hpp"
#include "../../core/base/suggest.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t greatest_depth = 1U << 30;
constexpr std::uint64_t greatest_fault_budget = 1000;

using words = std::vector<std::string>;

/// What an option gives when it is on the command line.
using receive_text = std::function<void(const std::string&)>;

CLI::Option* add(CLI::App& line, const std::string& name, const std::string& shown, const std::string& about,
                 receive_text receive) {
  return line.add_option_function<std::string>(name, std::move(receive), about)->type_name(shown);
}

void add_number(CLI::App& line, const std::string& name, const std::string& about, std::uint64_t& target,
                std::uint64_t least, std::uint64_t greatest) {
  add(line, name, "N", about, [=, &target](const std::string& text) {
    const auto value = number_in<std::uint64_t>(text);
    if (!value || *value < least || *value > greatest)
      throw error(fmt::format("{} {}: a whole number from {} to {} is expected", name, text, least, greatest));
    target = *value;
  });
}

void add_seconds(CLI::App& line, const std::string& name, const std::string& about, double& target) {
  add(line, name, "SECONDS", about, [=, &target](const std::string& text) {
    const auto value = seconds_in(text);
    if (!value || !(*value > 0) || !(*value <= 1e9))
      throw error(fmt::format("{} {}: a number of seconds above 0 is expected, or minutes or hours: 30, 30s, 5m, 2h",
                              name, text));
    target = *value;
  });
}

template <class T>
struct value_in {
  using type = T;
};
template <class T>
struct value_in<std::optional<T>> {
  using type = T;
};

/// An option with a few words to choose from, each with what it stands for.
template <class T>
void add_choice(CLI::App& line, const std::string& name, const std::string& about, T& target,
                std::vector<std::pair<std::string, typename value_in<T>::type>> choices) {
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

void add_name(CLI::App& line, const std::string& name, const std::string& about, std::string& target, words known) {
  std::vector<std::pair<std::string, std::string>> choices;
  for (auto& word : known) choices.emplace_back(word, word);
  if (!known.empty()) target = known.front();
  add_choice(line, name, about, target, std::move(choices));
}

void bind_search(CLI::App& line, options& how) {
  add_name(line, "--engine", "How to search (the first is the default)", how.engine, engine_names());
  line.add_flag_callback(
      "--sleep-sets", [&how] { how.sleep_sets = true; },
      "Skip what an earlier branch covered, for engines that can (default for stateful)");
  line.add_flag_callback(
      "--no-sleep-sets", [&how] { how.sleep_sets = false; }, "Do not use sleep sets");
  add_choice(line, "--observers",
             "Whether deliveries that change nothing and send nothing commute (engine optimal; default: on where "
             "that can be told, no property names what is received, and a few executions that are run first have such "
             "deliveries)",
             how.observers, {{"on", true}, {"off", false}});
  add_choice(
      line, "--independence",
      "When the order of two messages to one actor is not tried: receiver (never, but for observers; the "
      "default), fields (if neither writes what the other touches; engine optimal), or semantic (if they have "
      "the same effect in both, in the state the actor is in; engine source)",
      how.independence,
      {{"receiver", independence::receiver}, {"fields", independence::fields}, {"semantic", independence::semantic}});
  add_choice(line, "--memoise",
             "Whether handlers are not called again for what they did before: where they are dear (auto, default), "
             "always (on) or never (off); it changes no count and no finding",
             how.memoise, {{"auto", memoising::automatic}, {"on", memoising::on}, {"off", memoising::off}});
  add_name(line, "--ordering", "Which actor goes first, for engines that have a choice", how.ordering,
           ordering_names());
  std::vector<std::pair<std::string, delivery_choice>> models;
  for (const auto model : delivery_models()) models.emplace_back(to_string(model), model);
  add_choice(line, "--delivery", "Which messages may overtake which (default unordered; with CAF, causal)",
             how.delivery, models);
  for (const auto& kind : fault_kinds())
    if (!kind.about.empty())
      add_number(line, fmt::format("--{}", kind.name),
                 fmt::format("How many {} (default {})", kind.about, kind.unless_said), how.faults.*kind.budget, 0,
                 greatest_fault_budget);
  add_choice(
      line, "--timers",
      "When timers fire: at any moment (any, default), or when nothing else can be delivered, the one that is due "
      "first before all others (earliest-first)",
      how.faults.earliest_first, {{"any", 0}, {"earliest-first", 1}});
  line.add_flag_callback(
      "--heal", [&how] { how.faults.heal = 1000; },
      "After the last fault all must come to rest: each execution is run on, fairly and without faults, and nobody may "
      "wait in the end");
  add_number(line, "--seed", "Of engines that draw (default 0): same seed, same executions", how.seed, 0,
             std::numeric_limits<std::uint64_t>::max());
  add_number(line, "--bug-depth", "Of engine pct: N deliveries in a certain order (default 1 to 5 in turn)",
             how.bug_depth, 1, greatest_bug_depth);
  add(line, "--delays", "N", "Of engine delay: end when all with N deviations was run",
      [&how](const std::string& text) {
        how.delays = number_in<std::uint64_t>(text);
        if (!how.delays) throw error(fmt::format("--delays {}: a whole number is expected", text));
      });
  line.add_flag("--keep-going", how.keep_going, "All findings; without it the search stops at the first");
}

void bind_state_search(CLI::App& line, options& how) {
  add_choice(line, "--search", "Depth first (default), or nearest states first: shortest schedules", how.search,
             {{"dfs", search_order::depth_first}, {"bfs", search_order::breadth_first}});
  add_choice(line, "--state-comparison",
             "Same states by name (exact, default), up to permutation of interchangeable actors, or never",
             how.state_comparison,
             {{"none", state_comparison::none},
              {"exact", state_comparison::exact},
              {"canonical", state_comparison::canonical},
              {"as-measured", state_comparison::as_measured}});
  add_choice(line, "--steps", "Compare states after each delivery (little, default), or only at choices", how.steps,
             {{"little", step_size::little}, {"big", step_size::big}});
  add_choice(line, "--visited", "Remember 96 bits of a state (compacted, default), or all of it", how.visited,
             {{"compacted", visited_states::compacted}, {"exact", visited_states::exact}});
  line.add_option("--interchangeable", how.interchangeable, "A class whose actors are interchangeable; repeatable")
      ->type_name("CLASS");
}

void bind_judgement(CLI::App& line, options& how) {
  add_choice(line, "--environment", "Whether idle actors may wait forever (total, default) or not (empty)",
             how.environment, {{"total", environment::total}, {"empty", environment::empty}});
  add_choice(line, "--undelivered", "Messages left over for actors that are gone (default warn)", how.undelivered,
             {{"ignore", undelivered::ignore}, {"warn", undelivered::warn}, {"error", undelivered::error}});
  using repetition = repetition;
  add_choice(line, "--check-determinism",
             "Run deliveries twice, and some in other orders, to see that handlers repeat themselves (default sample)",
             how.check_determinism,
             {{"all", repetition::all}, {"sample", repetition::sample}, {"off", repetition::off}});
  line.add_flag("--check-undo", how.check_undo,
                "Check that undo is exact at each delivery run twice, with any number of actors");
}

void bind_limits(CLI::App& line, options& how) {
  const auto any = std::numeric_limits<std::uint64_t>::max();
  add_number(line, "--max-executions", "Stop after N executions", how.max_executions, 1, any);
  add_number(line, "--max-depth", "Cut executions after N deliveries (default 1000000)", how.max_depth, 1,
             greatest_depth);
  add_seconds(line, "--time-limit", "Stop after that time", how.time_limit);
  add_seconds(line, "--budget",
              "Hunt bugs for that time (30, 30s, 5m): several engines that sample, then a systematic one", how.budget);
  add_number(line, "--max-memory", "Stop at N MiB of memory", how.max_memory, 1, std::uint64_t{1} << 40);
}

void bind_output(CLI::App& line, explore_request& request) {
  line.add_option("--json", request.json, "Write the result as JSON; - is standard output")->type_name("FILE|-");
  line.add_option("--save-trace", request.save_trace, "Save the first finding for `replay`")->type_name("FILE");
  line.add_flag("--estimate", request.how.only_estimate,
                "Only say how much there is to explore, after two seconds of samples and search");
  line.add_option("--plot-progress", request.plot, "Draw executions and their estimate over time (needs gnuplot)")
      ->type_name("FILE.svg");
  add_choice(line, "--progress", "A line of progress on a terminal (default auto)", request.show_progress,
             {{"auto", true}, {"never", false}});
  bind_look(line, request.look);
}

void bind_sharing(CLI::App& line, options& how) {
  add_number(line, "--jobs", "Search with N threads (default 1); 0: one for each core", how.jobs, 0, 1024);
  line.add_option("--checkpoint", how.checkpoint, "Write down how far it came, now and then and when it ends")
      ->type_name("FILE");
  add_seconds(line, "--checkpoint-every", "How often (default 30)", how.checkpoint_interval);
  line.add_option("--resume", how.resume, "Go on from a checkpoint, and write the next one there, too")
      ->type_name("FILE");
}

/// Answered, but not shown by --help before there is more to say.
void bind_what_is_missing(CLI::App& line) {
  add(line, "--report", "FILE.html", "Not yet", [](const std::string&) {
    throw error("--report is not in this build yet; --json FILE and --save-trace FILE are");
  })->group("");
}

}  // namespace

void refuse_what_has_no_effect(const CLI::App& line, const explore_request& request) {
  const auto refuse = [&](const char* option, bool has_effect, const char* why) {
    if (!has_effect && line.count(option) > 0) throw error(fmt::format("{} {}", option, why));
  };
  const auto& how = request.how;
  refuse("--checkpoint-every", !how.checkpoint.empty() || !how.resume.empty(),
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

void bind_isolation(CLI::App& line, bool& in_process, isolation_options& apart) {
  line.add_flag("--in-process", in_process, "Run the program in this process, for debuggers: a crash is not caught");
  add_seconds(line, "--handler-limit", "A handler that takes longer never ends (default 10)", apart.handler_limit);
}

void bind_options(CLI::App& line, explore_request& request, const catalogue& programs) {
  // The first, because CLI11 hands out values in this order: all others override what the program asks for.
  add(line, "PROGRAM", "", "A program that `list` shows", [&](const std::string& name) {
    request.program = name;
    request.how = options_of(programs, name);
  })->required();
  line.add_option("key=value", request.parameters, "Its parameters; the defaults for those not given")->type_name("");
  bind_search(line, request.how);
  line.add_flag("--require-covered", request.require_covered,
                "What never happened in any execution (a fault that was allowed, a timer, a restart, a point that the "
                "program names) is a failure, status 1");
  bind_state_search(line, request.how);
  bind_judgement(line, request.how);
  request.judged_by.bind(line);
  bind_limits(line, request.how);
  bind_sharing(line, request.how);
  bind_output(line, request);
  bind_isolation(line, request.in_process, request.apart);
  bind_run(line, request.run);
  bind_what_is_missing(line);
}

}  // namespace harrier
