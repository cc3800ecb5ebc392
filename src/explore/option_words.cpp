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
#include "independences.hpp"

namespace harrier {
namespace {

constexpr auto any_number = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t greatest_depth = 1U << 30;
constexpr std::uint64_t greatest_memory = std::uint64_t{1} << 40;  // MiB
constexpr std::uint64_t greatest_fault_budget = 1000;
constexpr std::uint64_t most_jobs = 1024;

using words = std::vector<std::string>;

template <class T>
struct value_in {
  using type = T;
};
template <class T>
struct value_in<std::optional<T>> {
  using type = T;
};

/// One with a few words to choose from, each with what it stands for.
template <class T>
option_in_words choice(std::string name, std::string about, T options::*where,
                       std::vector<std::pair<std::string, typename value_in<T>::type>> values) {
  words known;
  for (const auto& v : values) known.push_back(v.first);
  return {std::move(name), fmt::format("{}", fmt::join(known, "|")), std::move(about),
          [known, values, where](options& how, const std::string& text) {
            for (const auto& [word, value] : values) {
              if (word != text) continue;
              how.*where = value;
              return;
            }
            throw unexpected_value{fmt::format("one of {}", fmt::join(known, ", ")), suggestion(text, known)};
          }};
}

option_in_words name_of(std::string name, std::string about, std::string options::*where, words known) {
  std::vector<std::pair<std::string, std::string>> values;
  for (auto& word : known) values.emplace_back(word, word);
  return choice(std::move(name), std::move(about), where, std::move(values));
}

option_in_words independence_in_words() {
  std::vector<std::pair<std::string, independence>> values;
  std::string about = "When the order of two messages to one actor need not be tried: ";
  for (const auto& way : independences()) {
    const bool is_last = &way == &independences().back();
    about += fmt::format("{}{}{} ({})", values.empty() ? "" : ", ", is_last ? "or " : "", way.name, way.meaning);
    values.emplace_back(way.name, way.way);
  }
  return choice("independence", about, &options::independence, std::move(values));
}

/// @param put  puts the number where it belongs
template <class Put>
option_in_words number_for(std::string name, std::string about, std::uint64_t least, std::uint64_t greatest, Put put) {
  return {std::move(name), "N", std::move(about), [=](options& how, const std::string& text) {
            const auto value = number_in<std::uint64_t>(text);
            if (!value || *value < least || *value > greatest)
              throw unexpected_value{greatest == any_number && least == 0
                                         ? "a whole number"
                                         : fmt::format("a whole number from {} to {}", least, greatest)};
            put(how, *value);
          }};
}
template <class T>
option_in_words number(std::string name, std::string about, T options::*where, std::uint64_t least,
                       std::uint64_t greatest) {
  return number_for(std::move(name), std::move(about), least, greatest,
                    [where](options& how, std::uint64_t value) { how.*where = value; });
}

option_in_words seconds(std::string name, std::string about, double options::*where) {
  constexpr double greatest = 1e9;
  return {std::move(name), "SECONDS", std::move(about), [where](options& how, const std::string& text) {
            const auto value = seconds_in(text);
            if (!value || !(*value > 0) || !(*value <= greatest))
              throw unexpected_value{"a number of seconds above 0, or of minutes or hours (30, 30s, 5m, 2h),"};
            how.*where = *value;
          }};
}

/// @param takes  empty: it is on when it is there
template <class T>
option_in_words yes_or_no(std::string name, std::string takes, std::string about, T options::*where,
                          std::string about_no = {}) {
  const std::string expected = takes.empty() ? "1 or 0" : "one of on, off";
  return {.name = std::move(name),
          .takes = std::move(takes),
          .about = std::move(about),
          .read =
              [where, expected](options& how, const std::string& text) {
                if (text == "on" || text == "yes" || text == "true" || text == "1" || text.empty())
                  how.*where = true;
                else if (text == "off" || text == "no" || text == "false" || text == "0")
                  how.*where = false;
                else
                  throw unexpected_value{expected};
              },
          .about_no = std::move(about_no),
          .is_yes_or_no = true};
}

option_in_words file(std::string name, std::string about, std::string options::*where) {
  return {std::move(name), "FILE", std::move(about),
          [where](options& how, const std::string& text) { how.*where = text; }};
}

option_in_words each(std::string name, std::string takes, std::string about, std::vector<std::string> options::*where) {
  return {.name = std::move(name),
          .takes = std::move(takes),
          .about = std::move(about),
          .read =
              [where](options& how, const std::string& text) {
                if (text.empty()) throw unexpected_value{"a word"};
                (how.*where).push_back(text);
              },
          .is_repeatable = true};
}

std::vector<std::pair<std::string, delivery_choice>> models() {
  std::vector<std::pair<std::string, delivery_choice>> all;
  for (const auto model : delivery_models()) all.emplace_back(to_string(model), model);
  return all;
}

using o = options;

void add_search(std::vector<option_in_words>& all) {
  all.push_back(name_of("engine", "How to search (default auto)", &o::engine, engine_names()));
  all.push_back(yes_or_no("sleep-sets", "",
                          "Skip what an earlier branch has covered, for engines that can (default for stateful)",
                          &o::sleep_sets, "Do not use sleep sets"));
  all.push_back(yes_or_no("observers", "on|off",
                          "Whether deliveries that change nothing and send nothing commute (engine optimal; by default "
                          "on where harrier can tell, unless a property names what is received, or a few trial "
                          "executions have no such deliveries)",
                          &o::observers));
  all.push_back(independence_in_words());
  all.push_back(choice("memoise",
                       "Whether to reuse what a handler did before instead of calling it again: for expensive handlers "
                       "(auto, default), always (on) or never (off); counts and findings stay the same",
                       &o::memoise, {{"auto", memoising::automatic}, {"on", memoising::on}, {"off", memoising::off}}));
  all.push_back(name_of("ordering", "Which actor goes first, for engines that have a choice (default fifo)",
                        &o::ordering, ordering_names()));
  all.push_back(choice("delivery", "Which messages may overtake which (default unordered; with CAF, causal)",
                       &o::delivery, models()));
  for (const auto& kind : fault_kinds())
    if (!kind.about.empty())
      all.push_back(number_for(std::string(kind.name), fmt::format("{} (default {})", kind.about, kind.unless_said), 0,
                               greatest_fault_budget, [budget = kind.budget](options& how, std::uint64_t value) {
                                 how.faults.*budget = value;
                               }));
  auto heal = yes_or_no("heal", "",
                        "After the last fault all must come to rest: each execution is run on, fairly and without "
                        "faults, and nobody may wait in the end",
                        &o::keep_going);
  heal.read = [](options& how, const std::string& text) {
    options read;
    yes_or_no("heal", "", "", &o::keep_going).read(read, text);
    how.faults.heal = read.keep_going ? 1000 : 0;
  };
  all.push_back(std::move(heal));
  all.push_back({.name = "timers",
                 .takes = "any|earliest-first",
                 .about = "When timers fire: at any moment (any, default; of a CAF program earliest-first is), or only "
                          "when nothing else can be delivered, the one that is due first (earliest-first)",
                 .read = [](options& how, const std::string& text) {
                   if (text != "any" && text != "earliest-first") throw unexpected_value{"any or earliest-first"};
                   how.faults.earliest_first = text == "any" ? 0 : 1;
                 }});
  all.push_back(number("seed", "For engines that draw at random (default 0): the same seed gives the same executions",
                       &o::seed, 0, any_number));
  all.push_back(number("bug-depth",
                       "For engine pct: how many deliveries must come in a certain order (default: 1 to 5 in turn)",
                       &o::bug_depth, 1, greatest_bug_depth));
  all.push_back(number("delays", "For engine delay: stop when everything with up to N deviations has been run",
                       &o::delays, 0, any_number));
  all.push_back(yes_or_no("keep-going", "", "Look for all findings, instead of stopping at the first", &o::keep_going));
}

void add_states(std::vector<option_in_words>& all) {
  all.push_back(choice("search",
                       "Depth first (dfs, default), or nearest states first (bfs), which gives the shortest schedules",
                       &o::search, {{"dfs", search_order::depth_first}, {"bfs", search_order::breadth_first}}));
  all.push_back(
      choice("state-comparison",
             "When two states are the same: never (none), by the names of actors (exact, default), up to a "
             "permutation of interchangeable actors (canonical), or as exact, but with messages in the order sent, "
             "for comparison with a published table (as-measured)",
             &o::state_comparison,
             {{"none", state_comparison::none},
              {"exact", state_comparison::exact},
              {"canonical", state_comparison::canonical},
              {"as-measured", state_comparison::as_measured}}));
  all.push_back(choice("steps", "Compare states after each delivery (little, default), or only at choices (big)",
                       &o::steps, {{"little", step_size::little}, {"big", step_size::big}}));
  all.push_back(choice("visited", "Remember 96 bits of each state (compacted, default), or all of it (exact)",
                       &o::visited, {{"compacted", visited_states::compacted}, {"exact", visited_states::exact}}));
  all.push_back(
      each("interchangeable", "CLASS", "A class whose actors are interchangeable; repeatable", &o::interchangeable));
}

void add_judgement(std::vector<option_in_words>& all) {
  all.push_back(choice("environment",
                       "Whether actors that are idle in the end are fine (total, default) or deadlocked (empty)",
                       &o::environment, {{"total", environment::total}, {"empty", environment::empty}}));
  all.push_back(choice("undelivered", "What to make of messages left over for actors that are gone (default warn)",
                       &o::undelivered,
                       {{"ignore", undelivered::ignore}, {"warn", undelivered::warn}, {"error", undelivered::error}}));
  all.push_back(choice(
      "check-determinism",
      "Run deliveries twice, and some in other orders, to check that handlers repeat themselves (default sample)",
      &o::check_determinism, {{"all", repetition::all}, {"sample", repetition::sample}, {"off", repetition::off}}));
  all.push_back(yes_or_no("check-undo", "",
                          "Check that undo is exact at each delivery that is run twice, however many actors there are",
                          &o::check_undo));
}

void add_limits(std::vector<option_in_words>& all) {
  all.push_back(number("max-executions", "Stop after N executions", &o::max_executions, 1, any_number));
  all.push_back(
      number("max-depth", "Cut executions after N deliveries (default 1000000)", &o::max_depth, 1, greatest_depth));
  all.push_back(seconds("time-limit", "Stop after that time", &o::time_limit));
  all.push_back(seconds("budget",
                        "Look for bugs for that long (30, 30s, 5m): several engines that sample, then a systematic one",
                        &o::budget));
  all.push_back(number("max-memory", "Stop at N MiB of memory", &o::max_memory, 1, greatest_memory));
}

void add_sharing(std::vector<option_in_words>& all) {
  all.push_back(number("jobs", "Search with N threads (default 1); 0: one for each core", &o::jobs, 0, most_jobs));
  all.push_back(file("checkpoint", "Save the progress of the search, now and then and when it ends", &o::checkpoint));
  all.push_back(seconds("checkpoint-every", "How often to save it (default 30)", &o::checkpoint_interval));
  all.push_back(file("resume", "Continue from a checkpoint, and save the next one there, too", &o::resume));
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
