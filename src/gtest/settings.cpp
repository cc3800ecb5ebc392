#include "settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string_view>

#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/ordering/ordering.hpp>

#include "../core/base/numbers.hpp"
#include "../core/base/suggest.hpp"
#include "properties.hpp"

namespace harrier {
namespace {

using words = std::vector<std::string>;

/// One option: how it is called, what it takes, and where that goes. `read`
/// throws what is expected instead, as a text.
struct option {
  std::string name;
  std::string takes;
  std::string about;
  std::function<void(settings&, const std::string&)> read;
};

struct expected {
  std::string what;
};

template <class T>
option choice(std::string name, std::string about, std::optional<T> test_options::*where,
              std::vector<std::pair<std::string, T>> values) {
  words known;
  for (const auto& v : values) known.push_back(v.first);
  return {std::move(name), fmt::format("{}", fmt::join(known, "|")), std::move(about),
          [known, values, where](settings& s, const std::string& text) {
            for (const auto& [word, value] : values) {
              if (word != text) continue;
              s.tests.*where = value;
              return;
            }
            throw expected{fmt::format("one of {}{}", fmt::join(known, ", "), suggestion(text, known))};
          }};
}

option name_of(std::string name, std::string about, std::optional<std::string> test_options::*where, words known) {
  std::vector<std::pair<std::string, std::string>> values;
  for (auto& word : known) values.emplace_back(word, word);
  return choice(std::move(name), std::move(about), where, std::move(values));
}

option number(std::string name, std::string about, std::optional<std::uint64_t> test_options::*where) {
  return {std::move(name), "N", std::move(about), [where](settings& s, const std::string& text) {
            const auto value = number_in<std::uint64_t>(text);
            if (!value) throw expected{"a whole number"};
            s.tests.*where = *value;
          }};
}

option seconds(std::string name, std::string about, std::optional<double> test_options::*where) {
  return {std::move(name), "SECONDS", std::move(about), [where](settings& s, const std::string& text) {
            const auto value = seconds_in(text);
            if (!value || !(*value > 0) || !(*value <= 1e9))
              throw expected{"a number of seconds above 0, or minutes or hours (30, 30s, 5m, 2h)"};
            s.tests.*where = *value;
          }};
}

option yes_or_no(std::string name, std::string about, std::optional<bool> test_options::*where) {
  return {std::move(name), "", std::move(about), [where](settings& s, const std::string& text) {
            if (text == "1" || text == "true" || text == "yes" || text == "on" || text.empty())
              s.tests.*where = true;
            else if (text == "0" || text == "false" || text == "no" || text == "off")
              s.tests.*where = false;
            else
              throw expected{"1 or 0"};
          }};
}

option text(std::string name, std::string takes, std::string about, std::optional<std::string> test_options::*where) {
  return {std::move(name), std::move(takes), std::move(about), [where](settings& s, const std::string& text) {
            if (text.empty()) throw expected{"a path"};
            s.tests.*where = text;
          }};
}

/// One that can be given several times.
option each(std::string name, std::string takes, std::string about, std::vector<std::string> test_options::*where) {
  return {std::move(name), std::move(takes), std::move(about), [where](settings& s, const std::string& text) {
            if (text.empty()) throw expected{"a word"};
            (s.tests.*where).push_back(text);
          }};
}

option property() {
  return {"property", "FORMULA|FILE", "a temporal formula that each execution must satisfy; repeatable",
          [](settings& s, const std::string& text) {
            try {
              static_cast<void>(property_judges({text}, "finite"));
            } catch (const error& why) {
              throw expected{fmt::format("a temporal formula ({})", why.what())};
            }
            s.tests.properties.push_back(text);
          }};
}

option file(std::string name, std::string takes, std::string about, std::string settings::*where) {
  return {std::move(name), std::move(takes), std::move(about), [where](settings& s, const std::string& text) {
            if (text.empty()) throw expected{"a path"};
            s.*where = text;
          }};
}

const std::vector<option>& options_known() {
  using o = test_options;
  static const std::vector<option> all = [] {
    std::vector<std::pair<std::string, delivery>> models;
    for (const auto m : delivery_models()) models.emplace_back(to_string(m), m);
    return std::vector<option>{
        choice<test_manager>("manager", "one execution, some at random, or all that can matter", &o::manager,
                             {{"deterministic", test_manager::deterministic},
                              {"random", test_manager::random},
                              {"exploratory", test_manager::exploratory}}),
        name_of("engine", "how manager exploratory searches", &o::engine, engine_names()),
        choice<delivery>("delivery", "in which orders messages may be delivered", &o::delivery, std::move(models)),
        number("lose", "how many messages of each channel, from one actor to another, may be lost", &o::lose),
        number("duplicate", "how many messages of each channel may arrive twice", &o::duplicate),
        number("partition", "how often each channel may be cut, and lose all until it is whole again", &o::partition),
        number("crash", "how often each actor may crash, and restart if it says how", &o::crash),
        number("faults", "how many faults there may be in one execution, of all kinds (0: no such limit)", &o::faults),
        number("timeouts", "how many timers of each actor may fire in one execution", &o::timeouts),
        name_of("ordering", "which actor goes first, for engines that have a choice", &o::ordering, ordering_names()),
        choice<memoising>("memoise", "whether handlers are not called again for what they did before", &o::memoise,
                          {{"auto", memoising::automatic}, {"on", memoising::on}, {"off", memoising::off}}),
        yes_or_no("sleep_sets", "for engines that can do without", &o::sleep_sets),
        choice<environment>("environment", "what an actor that is left idle means", &o::environment,
                            {{"total", environment::total}, {"empty", environment::empty}}),
        choice<undelivered>(
            "undelivered", "how to treat undelivered messages to actors that are gone", &o::undelivered,
            {{"ignore", undelivered::ignore}, {"warn", undelivered::warn}, {"error", undelivered::error}}),
        yes_or_no("keep_going", "report each different failure, not only the first", &o::keep_going),
        number("max_executions", "stop after this many executions", &o::max_executions),
        number("max_depth", "cut executions after so many deliveries", &o::max_depth),
        number("max_memory", "stop at so many MiB", &o::max_memory),
        seconds("time_limit", "stop after so long, for each test", &o::time_limit),
        seconds("budget", "look for bugs for so long, by several engines, for each test", &o::budget),
        number("bug_depth", "of engine pct: how many deliveries must come in a certain order", &o::bug_depth),
        number("delays", "of engine delay: run what deviates so often, and no more", &o::delays),
        seconds("handler_limit", "how long one handler may run", &o::handler_limit),
        number("seed", "of what is drawn", &o::seed),
        yes_or_no("require_covered", "what never happened in any execution fails the test", &o::require_covered),
        yes_or_no("heal", "after the last fault all must come to rest", &o::heal),
        yes_or_no("require_complete", "a test that a limit stopped fails", &o::require_complete),
        yes_or_no("in_process", "search in this process, for debuggers and profilers", &o::in_process),
        yes_or_no("observers", "whether deliveries that change nothing and send nothing commute", &o::observers),
        choice<independence>("independence", "when the order of two messages to one actor is not tried",
                             &o::independence,
                             {{"receiver", independence::receiver},
                              {"fields", independence::fields},
                              {"semantic", independence::semantic}}),
        choice<repetition>("check_determinism", "run deliveries twice to see that handlers repeat themselves",
                           &o::check_determinism,
                           {{"all", repetition::all}, {"sample", repetition::sample}, {"off", repetition::off}}),
        yes_or_no("check_undo", "prove that going back is exact at each delivery run twice", &o::check_undo),
        number("jobs", "search with so many threads; 0: one for each core", &o::jobs),
        text("checkpoint", "FOLDER", "where searches are written down, one file for each test", &o::checkpoint),
        seconds("checkpoint_every", "how often", &o::checkpoint_every),
        text("resume", "FOLDER", "go on from what is written down there, and write to it", &o::resume),
        choice<search_order>("search", "of engine stateful: depth first, or nearest states first", &o::search,
                             {{"dfs", search_order::depth_first}, {"bfs", search_order::breadth_first}}),
        choice<state_comparison>("state_comparison", "of engine stateful: which states are the same",
                                 &o::state_comparison,
                                 {{"none", state_comparison::none},
                                  {"exact", state_comparison::exact},
                                  {"canonical", state_comparison::canonical},
                                  {"as-measured", state_comparison::as_measured}}),
        choice<step_size>("steps", "of engine stateful: compare states after each delivery, or only at choices",
                          &o::steps, {{"little", step_size::little}, {"big", step_size::big}}),
        choice<visited_states>("visited", "of engine stateful: remember 96 bits of a state, or all of it", &o::visited,
                               {{"compacted", visited_states::compacted}, {"exact", visited_states::exact}}),
        each("interchangeable", "CLASS", "a class whose actors are interchangeable; repeatable", &o::interchangeable),
        property(),
        name_of("ends", "how formulas read the end of an execution", &o::ends, {"finite", "stutter"}),
        choice<shown_states>("states", "of an actor's state, show what a delivery changed or all of it", &o::states,
                             {{"changed", shown_states::changed}, {"full", shown_states::full}}),
        file("replay", "FILE", "run the deliveries of this trace again, and nothing else", &settings::replay),
        file("traces", "FOLDER", "where traces of failures go", &settings::traces),
    };
  }();
  return all;
}

const option* known(const std::string& name) {
  const auto& all = options_known();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& o) { return o.name == name; });
  return found == all.end() ? nullptr : &*found;
}

words names() {
  words all;
  for (const auto& o : options_known()) all.push_back(o.name);
  return all;
}

void read(settings& into, const option& o, const std::string& as_written, const std::string& value) {
  try {
    o.read(into, value);
  } catch (const expected& e) {
    throw error(fmt::format("{}: {} is expected", as_written, e.what));
  }
}

std::string in_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return text;
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return small;
}

template <class T>
void take_if_unset(std::optional<T>& mine, const std::optional<T>& other) {
  if (!mine) mine = other;
}
void add(words& mine, const words& others) { mine.insert(mine.end(), others.begin(), others.end()); }

/// Refuses a word that was meant to begin with `--harrier_`.
void refuse_misspelt(const std::string& word) {
  const auto begin = word.find_first_not_of('-');
  if (begin == 0 || begin == std::string::npos) return;
  const auto end = std::min(word.find_first_of("_-.=", begin), word.size());
  const auto start = in_small_letters(std::string_view(word).substr(begin, end - begin));
  constexpr std::size_t shortest = 5;
  const bool is_near = start.starts_with("harrier") || !suggestion(start, {"harrier"}).empty();
  if (start.size() < shortest || !is_near) return;
  const auto sign = std::min(word.find('='), word.size());
  const auto name = end < sign ? in_small_letters(std::string_view(word).substr(end + 1, sign - end - 1)) : "";
  const auto meant = known(name) != nullptr ? fmt::format("; did you mean '{}'?", name) : suggestion(name, names());
  if (meant.empty() && !start.starts_with("har")) return;  // somebody else's
  throw error(fmt::format("unknown flag {}: flags are written --harrier_NAME=VALUE{}", word, meant));
}

}  // namespace

settings settings::of_flags(const words& line) {
  constexpr std::string_view prefix = "--harrier_";
  settings s;
  for (const auto& word : line) {
    if (!word.starts_with(prefix)) {
      if (&word != &line.front()) refuse_misspelt(word);
      continue;
    }
    const auto sign = word.find('=');
    const auto name = word.substr(prefix.size(), sign == std::string::npos ? sign : sign - prefix.size());
    const auto* const o = known(name);
    if (o == nullptr)
      throw error(fmt::format("unknown flag --harrier_{}{}; there are --harrier_ {}", name, suggestion(name, names()),
                              fmt::join(names(), ", ")));
    if (sign == std::string::npos && !o->takes.empty())
      throw error(fmt::format("{}: a value is expected: --harrier_{}={}", word, name, o->takes));
    read(s, *o, word, sign == std::string::npos ? "" : word.substr(sign + 1));
  }
  return s;
}

settings settings::of_environment() {
  settings s;
  for (auto** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    constexpr std::string_view prefix = "HARRIER_";
    if (!text.starts_with(prefix)) continue;
    const auto name = in_small_letters(text.substr(prefix.size(), text.find('=') - prefix.size()));
    if (known(name) != nullptr) continue;
    // Others may have variables that begin so.
    if (const auto meant = suggestion(name, names()); !meant.empty())
      throw error(fmt::format("unknown environment variable {}{}", text.substr(0, text.find('=')), meant));
  }
  for (const auto& o : options_known()) {
    const auto name = "HARRIER_" + in_capitals(o.name);
    if (const auto* const value = std::getenv(name.c_str()); value != nullptr)
      read(s, o, fmt::format("environment variable {}={}", name, value), value);
  }
  return s;
}

const settings& asked_for_all() {
  static const settings all = [] {
    auto flags = settings::of_flags(testing::internal::GetArgvs());
    const auto environment = settings::of_environment();
    flags.tests = combined(flags.tests, environment.tests);
    if (flags.replay.empty()) flags.replay = environment.replay;
    if (flags.traces.empty()) flags.traces = environment.traces;
    return flags;
  }();
  return all;
}

test_options combined(const test_options& test, const test_options& all) {
  auto both = test;
  take_if_unset(both.manager, all.manager);
  take_if_unset(both.engine, all.engine);
  take_if_unset(both.ordering, all.ordering);
  take_if_unset(both.sleep_sets, all.sleep_sets);
  take_if_unset(both.memoise, all.memoise);
  take_if_unset(both.lose, all.lose);
  take_if_unset(both.duplicate, all.duplicate);
  take_if_unset(both.partition, all.partition);
  take_if_unset(both.crash, all.crash);
  take_if_unset(both.faults, all.faults);
  take_if_unset(both.timeouts, all.timeouts);
  take_if_unset(both.delivery, all.delivery);
  take_if_unset(both.environment, all.environment);
  take_if_unset(both.undelivered, all.undelivered);
  take_if_unset(both.keep_going, all.keep_going);
  take_if_unset(both.max_executions, all.max_executions);
  take_if_unset(both.max_depth, all.max_depth);
  take_if_unset(both.max_memory, all.max_memory);
  if (!test.time_limit && !test.budget) take_if_unset(both.time_limit, all.time_limit);
  if (!test.time_limit && !test.budget) take_if_unset(both.budget, all.budget);
  take_if_unset(both.bug_depth, all.bug_depth);
  take_if_unset(both.delays, all.delays);
  take_if_unset(both.handler_limit, all.handler_limit);
  take_if_unset(both.seed, all.seed);
  take_if_unset(both.require_complete, all.require_complete);
  take_if_unset(both.require_covered, all.require_covered);
  take_if_unset(both.heal, all.heal);
  take_if_unset(both.in_process, all.in_process);
  take_if_unset(both.observers, all.observers);
  take_if_unset(both.independence, all.independence);
  take_if_unset(both.check_determinism, all.check_determinism);
  take_if_unset(both.check_undo, all.check_undo);
  take_if_unset(both.jobs, all.jobs);
  take_if_unset(both.checkpoint, all.checkpoint);
  take_if_unset(both.checkpoint_every, all.checkpoint_every);
  take_if_unset(both.resume, all.resume);
  take_if_unset(both.search, all.search);
  take_if_unset(both.state_comparison, all.state_comparison);
  take_if_unset(both.steps, all.steps);
  take_if_unset(both.visited, all.visited);
  add(both.interchangeable, all.interchangeable);
  add(both.properties, all.properties);
  take_if_unset(both.ends, all.ends);
  take_if_unset(both.states, all.states);
  return both;
}

std::string list_of_flags() {
  std::string text;
  for (const auto& o : options_known()) {
    const auto flag = "--harrier_" + o.name + (o.takes.empty() ? "" : "=" + o.takes);
    text += fmt::format("  {}\n      {}\n", flag, o.about);
  }
  return text;
}

}  // namespace harrier
