#include "option_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/engine/pct.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/ordering/ordering.hpp>

#include "../core/base/numbers.hpp"
#include "../core/base/suggest.hpp"
#include "checkpoint.hpp"
#include "independences.hpp"

namespace harrier {
namespace {

constexpr auto any_number = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t greatest_depth = 1U << 30;
constexpr std::uint64_t greatest_memory = std::uint64_t{1} << 40;  // MiB
constexpr std::uint64_t greatest_fault_budget = 1000;
constexpr std::uint64_t most_jobs = 1024;

using words = std::vector<std::string>;

/// Where a group of options is among all.
template <class Group>
constexpr Group options::*place_of = nullptr;
template <>
constexpr search_options options::*place_of<search_options> = &options::search;
template <>
constexpr state_options options::*place_of<state_options> = &options::states;
template <>
constexpr judging_options options::*place_of<judging_options> = &options::judging;
template <>
constexpr limit_options options::*place_of<limit_options> = &options::limits;
template <>
constexpr keeping_options options::*place_of<keeping_options> = &options::kept;

/// The option that is `field` of its group.
template <class Options, class Group, class T>
auto& at(Options& how, T Group::*field) {
  return how.*place_of<Group>.*field;
}

constexpr auto not_said = "what suits the engine";

template <class T>
struct value_in {
  using type = T;
};
template <class T>
struct value_in<std::optional<T>> {
  using type = T;
};

/// One with a few words to choose from, each with what it stands for.
template <class Group, class T>
option_in_words choice(std::string name, std::string about, T Group::*field,
                       std::vector<std::pair<std::string, typename value_in<T>::type>> values) {
  words known;
  for (const auto& v : values) known.push_back(v.first);
  return {std::move(name), fmt::format("{}", fmt::join(known, "|")), std::move(about),
          [known, values, field](options& how, const std::string& text) {
            for (const auto& [word, value] : values) {
              if (word != text) continue;
              at(how, field) = value;
              return;
            }
            throw unexpected_value{fmt::format("one of {}", fmt::join(known, ", ")), suggestion(text, known)};
          },
          [values, field](const options& how) {
            for (const auto& [word, value] : values)
              if (at(how, field) == value) return word;
            return std::string(not_said);
          }};
}

/// One of what has a name of its own: each of `known` is one.
template <class Group, class T>
option_in_words name_of(std::string name, std::string about, T Group::*field, const words& known) {
  std::vector<std::pair<std::string, T>> values;
  for (const auto& word : known) values.emplace_back(word, word);
  return choice(std::move(name), std::move(about), field, std::move(values));
}

option_in_words independence_in_words() {
  std::vector<std::pair<std::string, independence>> values;
  std::string about = "When the order of two messages to one actor need not be tried: ";
  for (const auto& way : independences()) {
    const bool is_last = &way == &independences().back();
    about += fmt::format("{}{}{} ({})", values.empty() ? "" : ", ", is_last ? "or " : "", way.name, way.meaning);
    values.emplace_back(way.name, way.way);
  }
  return choice("independence", about, &search_options::independence, std::move(values));
}

/// @param field  gives the number's place among options
template <class Field>
option_in_words number_for(std::string name, std::string about, std::uint64_t least, std::uint64_t greatest,
                           Field field) {
  return {std::move(name), "N", std::move(about),
          [=](options& how, const std::string& text) {
            const auto value = number_in<std::uint64_t>(text);
            if (!value || *value < least || *value > greatest)
              throw unexpected_value{greatest == any_number && least == 0
                                         ? "a whole number"
                                         : fmt::format("a whole number from {} to {}", least, greatest)};
            field(how) = *value;
          },
          [=](const options& how) {
            const std::optional<std::uint64_t> value = field(how);
            return value ? fmt::format("{}", *value) : not_said;
          }};
}
template <class Group, class T>
option_in_words number(std::string name, std::string about, T Group::*field, std::uint64_t least,
                       std::uint64_t greatest) {
  return number_for(
      std::move(name), std::move(about), least, greatest, [field](auto& how) -> auto& { return at(how, field); });
}

template <class Group>
option_in_words seconds(std::string name, std::string about, double Group::*field) {
  constexpr double greatest = 1e9;
  return {std::move(name), "SECONDS", std::move(about),
          [field](options& how, const std::string& text) {
            const auto value = seconds_in(text);
            if (!value || !(*value > 0) || !(*value <= greatest))
              throw unexpected_value{"a number of seconds above 0, or of minutes or hours (30, 30s, 5m, 2h),"};
            at(how, field) = *value;
          },
          [field](const options& how) { return fmt::format("{}", at(how, field)); }};
}

/// @param takes  empty: it is on when it is there
/// @param put    puts the answer where it belongs
/// @param get    what it is
template <class Put, class Get>
option_in_words yes_or_no_for(std::string name, std::string takes, std::string about, Put put, Get get,
                              std::string about_no = {}) {
  const std::string expected = takes.empty() ? "1 or 0" : "one of on, off";
  return {.name = std::move(name),
          .takes = std::move(takes),
          .about = std::move(about),
          .read =
              [put, expected](options& how, const std::string& text) {
                if (text == "on" || text == "yes" || text == "true" || text == "1" || text.empty())
                  put(how, true);
                else if (text == "off" || text == "no" || text == "false" || text == "0")
                  put(how, false);
                else
                  throw unexpected_value{expected};
              },
          .written =
              [get](const options& how) {
                const std::optional<bool> value = get(how);
                return std::string(!value ? not_said : *value ? "on" : "off");
              },
          .about_no = std::move(about_no),
          .is_yes_or_no = true};
}
template <class Group, class T>
option_in_words yes_or_no(std::string name, std::string takes, std::string about, T Group::*field,
                          std::string about_no = {}) {
  return yes_or_no_for(
      std::move(name), std::move(takes), std::move(about),
      [field](options& how, bool value) { at(how, field) = value; },
      [field](const options& how) { return at(how, field); }, std::move(about_no));
}

option_in_words file(std::string name, std::string about, std::string keeping_options::*field) {
  return {std::move(name), "FILE", std::move(about),
          [field](options& how, const std::string& text) { at(how, field) = text; },
          [field](const options& how) { return at(how, field); }};
}

template <class Group>
option_in_words each(std::string name, std::string takes, std::string about, std::vector<std::string> Group::*field) {
  return {.name = std::move(name),
          .takes = std::move(takes),
          .about = std::move(about),
          .read =
              [field](options& how, const std::string& text) {
                if (text.empty()) throw unexpected_value{"a word"};
                at(how, field).push_back(text);
              },
          .written = [field](const options& how) { return fmt::format("{}", fmt::join(at(how, field), ", ")); },
          .is_repeatable = true};
}

/// One by which a search is another search, which cannot go on from a checkpoint of this one; `subject`: see
/// option_in_words::subject.
option_in_words of_the_subject(std::string subject, option_in_words o) {
  o.subject = std::move(subject);
  return o;
}

option_in_words minimising_in_words() {
  const auto until = seconds("minimise",
                             "How long to look for a shorter and plainer schedule of what was found (default 2); off: "
                             "show the one that was met",
                             &judging_options::minimise);
  auto o = until;
  o.takes = "SECONDS|off";
  o.read = [read = until.read](options& how, const std::string& text) {
    if (text == "off") {
      how.judging.minimise = 0;
      return;
    }
    try {
      read(how, text);
    } catch (unexpected_value& wrong) {
      wrong.expected = "off, or " + wrong.expected;
      throw;
    }
  };
  o.written = [](const options& how) {
    return how.judging.minimise > 0 ? fmt::format("{}", how.judging.minimise) : std::string("off");
  };
  return o;
}

std::vector<std::pair<std::string, delivery_choice>> models() {
  std::vector<std::pair<std::string, delivery_choice>> all;
  for (const auto model : delivery_models()) all.emplace_back(to_string(model), model);
  return all;
}

void add_search(std::vector<option_in_words>& all) {
  all.push_back(of_the_subject(std::string(engine_of_subject), name_of("engine", "How to search (default auto)",
                                                                       &search_options::engine, engine_names())));
  all.push_back(
      of_the_subject("the use of sleep sets",
                     yes_or_no("sleep-sets", "",
                               "Skip what an earlier branch has covered, for engines that can (default for stateful)",
                               &search_options::sleep_sets, "Do not use sleep sets")));
  all.push_back(yes_or_no("observers", "on|off",
                          "Whether deliveries that change nothing and send nothing commute (engine optimal; by default "
                          "on where harrier can tell, unless a property names what is received, or a few trial "
                          "executions have no such deliveries)",
                          &search_options::observers));
  all.push_back(independence_in_words());
  all.push_back(choice("memoise",
                       "Whether to reuse what a handler did before instead of calling it again: for expensive handlers "
                       "(auto, default), always (on) or never (off); counts and findings stay the same",
                       &search_options::memoise,
                       {{"auto", memoising::automatic}, {"on", memoising::on}, {"off", memoising::off}}));
  all.push_back(of_the_subject(
      "the ordering", name_of("ordering", "Which actor goes first, for engines that have a choice (default fifo)",
                              &search_options::ordering, ordering_names())));
  all.push_back(
      of_the_subject("the delivery model",
                     choice("delivery", "Which messages may overtake which (default unordered; with CAF, causal)",
                            &search_options::delivery, models())));
  for (const auto& kind : fault_kinds())
    if (!kind.about.empty())
      all.push_back(number_for(
          std::string(kind.name), fmt::format("{} (default {})", kind.about, kind.unless_said), 0,
          greatest_fault_budget, [budget = kind.budget](auto& how) -> auto& { return how.search.faults.*budget; }));
  all.push_back(yes_or_no_for(
      "heal", "",
      "After the last fault all must come to rest: each execution is run on, fairly and "
      "without faults, and nobody may wait in the end",
      [](options& how, bool heals) { how.search.faults.heal = heals ? deliveries_to_heal : 0; },
      [](const options& how) { return how.search.faults.heal != 0; }));
  all.push_back({.name = "timers",
                 .takes = "any|earliest-first",
                 .about = "When timers fire: at any moment (any, default; of a CAF program earliest-first is), or only "
                          "when nothing else can be delivered, the one that is due first (earliest-first)",
                 .read =
                     [](options& how, const std::string& text) {
                       if (text != "any" && text != "earliest-first") throw unexpected_value{"any or earliest-first"};
                       how.search.faults.earliest_first = text == "any" ? 0 : 1;
                     },
                 .written = [](const options& how) -> std::string {
                   return how.search.faults.earliest_first == 0 ? "any" : "earliest-first";
                 }});
  all.push_back(of_the_subject(
      "the seed", number("seed", "For engines that draw at random (default 0): the same seed gives the same executions",
                         &search_options::seed, 0, any_number)));
  all.push_back(of_the_subject(
      "the bug depth",
      number("bug-depth", "For engine pct: how many deliveries must come in a certain order (default: 1 to 5 in turn)",
             &search_options::bug_depth, 1, greatest_bug_depth)));
  all.push_back(number("delays", "For engine delay: stop when everything with up to N deviations has been run",
                       &search_options::delays, 0, any_number));
  all.push_back(yes_or_no("keep-going", "", "Look for all findings, instead of stopping at the first",
                          &judging_options::keep_going));
}

void add_states(std::vector<option_in_words>& all) {
  all.push_back(of_the_subject(
      "the order of states",
      choice("search", "Depth first (dfs, default), or nearest states first (bfs), which gives the shortest schedules",
             &state_options::order, {{"dfs", search_order::depth_first}, {"bfs", search_order::breadth_first}})));
  all.push_back(
      choice("state-comparison",
             "When two states are the same: never (none), by the names of actors (exact, default), up to a "
             "permutation of interchangeable actors (canonical), or as exact, but with messages in the order sent, "
             "for comparison with a published table (as-measured)",
             &state_options::comparison,
             {{"none", state_comparison::none},
              {"exact", state_comparison::exact},
              {"canonical", state_comparison::canonical},
              {"as-measured", state_comparison::as_measured}}));
  all.push_back(
      of_the_subject("the size of steps",
                     choice("steps", "Compare states after each delivery (little, default), or only at choices (big)",
                            &state_options::steps, {{"little", step_size::little}, {"big", step_size::big}})));
  all.push_back(of_the_subject(
      "what is remembered of states",
      choice("visited", "Remember 96 bits of each state (compacted, default), or all of it (exact)",
             &state_options::visited, {{"compacted", visited_states::compacted}, {"exact", visited_states::exact}})));
  all.push_back(of_the_subject("the list of interchangeable classes",
                               each("interchangeable", "CLASS", "A class whose actors are interchangeable; repeatable",
                                    &state_options::interchangeable)));
}

void add_judgement(std::vector<option_in_words>& all) {
  all.push_back(choice("environment",
                       "Whether actors that are idle in the end are fine (total, default) or deadlocked (empty)",
                       &judging_options::environment, {{"total", environment::total}, {"empty", environment::empty}}));
  all.push_back(of_the_subject(
      "what is made of undelivered messages",
      choice("undelivered", "What to make of messages left over for actors that are gone (default warn)",
             &judging_options::undelivered,
             {{"ignore", undelivered::ignore}, {"warn", undelivered::warn}, {"error", undelivered::error}})));
  all.push_back(choice(
      "check-determinism",
      "Run deliveries twice, and some in other orders, to check that handlers repeat themselves (default sample)",
      &judging_options::check_determinism,
      {{"all", repetition::all}, {"sample", repetition::sample}, {"off", repetition::off}}));
  all.push_back(minimising_in_words());
  all.push_back(yes_or_no("check-undo", "",
                          "Check that undo is exact at each delivery that is run twice, however many actors there are",
                          &judging_options::check_undo));
}

void add_limits(std::vector<option_in_words>& all) {
  all.push_back(number("max-executions", "Stop after N executions", &limit_options::max_executions, 1, any_number));
  all.push_back(
      of_the_subject("the depth limit", number("max-depth", "Cut executions after N deliveries (default 1000000)",
                                               &limit_options::max_depth, 1, greatest_depth)));
  all.push_back(seconds("time-limit", "Stop after that time", &limit_options::time_limit));
  all.push_back(seconds("budget",
                        "Look for bugs for that long (30, 30s, 5m): several engines that sample, then a systematic one",
                        &limit_options::budget));
  all.push_back(number("max-memory", "Stop at N MiB of memory", &limit_options::max_memory, 1, greatest_memory));
}

void add_sharing(std::vector<option_in_words>& all) {
  all.push_back(
      number("jobs", "Search with N threads (default 1); 0: one for each core", &search_options::jobs, 0, most_jobs));
  all.push_back(file("checkpoint", "Save the progress of the search, now and then and when it ends",
                     &keeping_options::checkpoint));
  all.push_back(
      seconds("checkpoint-every", "How often to save it (default 30)", &keeping_options::checkpoint_interval));
  all.push_back(
      file("resume", "Continue from a checkpoint, and save the next one there, too", &keeping_options::resume));
}

}  // namespace

const std::vector<option_in_words>& options_in_words() {
  static const auto all = [] {
    std::vector<option_in_words> list;
    add_search(list);
    add_states(list);
    add_judgement(list);
    add_limits(list);
    add_sharing(list);
    return list;
  }();
  return all;
}

void read_option(const option_in_words& option, const std::string& written, const std::string& value, options& how) {
  try {
    option.read(how, value);
  } catch (const unexpected_value& wrong) {
    throw error(fmt::format("{}: {} is expected{}", written, wrong.expected, wrong.hint));
  }
}

}  // namespace harrier
