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

#include "../core/base/numbers.hpp"
#include "../core/base/suggest.hpp"
#include "properties.hpp"

namespace harrier {
namespace {

using words = std::vector<std::string>;

/// One option: how it is called, what it takes, and where that goes.
struct option {
  std::string name;
  std::string takes;
  std::string about;
  /// @throws unexpected_value
  std::function<void(settings&, const std::string&)> read;
  bool needs_value = true;
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
            throw unexpected_value{fmt::format("one of {}", fmt::join(known, ", ")), suggestion(text, known)};
          }};
}

option seconds(std::string name, std::string about, std::optional<double> test_options::*where) {
  return {std::move(name), "SECONDS", std::move(about), [where](settings& s, const std::string& text) {
            const auto value = seconds_in(text);
            if (!value || !(*value > 0) || !(*value <= 1e9))
              throw unexpected_value{"a number of seconds above 0, or of minutes or hours (30, 30s, 5m, 2h),"};
            s.tests.*where = *value;
          }};
}

option yes_or_no(std::string name, std::string about, std::optional<bool> test_options::*where) {
  return {std::move(name), "", std::move(about),
          [where](settings& s, const std::string& text) {
            if (text == "1" || text == "true" || text == "yes" || text == "on" || text.empty())
              s.tests.*where = true;
            else if (text == "0" || text == "false" || text == "no" || text == "off")
              s.tests.*where = false;
            else
              throw unexpected_value{"1 or 0"};
          },
          false};
}

option text(std::string name, std::string takes, std::string about, std::optional<std::string> test_options::*where) {
  return {std::move(name), std::move(takes), std::move(about), [where](settings& s, const std::string& text) {
            if (text.empty()) throw unexpected_value{"a path"};
            s.tests.*where = text;
          }};
}

option property() {
  return {"property", "FORMULA|FILE", "a temporal formula that each execution must satisfy; repeatable",
          [](settings& s, const std::string& text) {
            try {
              static_cast<void>(property_judges({text}, "finite"));
            } catch (const error& why) {
              throw unexpected_value{fmt::format("a temporal formula ({})", why.what())};
            }
            s.tests.properties.push_back(text);
          }};
}

option file(std::string name, std::string takes, std::string about, std::string settings::*where) {
  return {std::move(name), std::move(takes), std::move(about), [where](settings& s, const std::string& text) {
            if (text.empty()) throw unexpected_value{"a path"};
            s.*where = text;
          }};
}

std::string with_underscores(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// One of the search, which is called so everywhere.
option of_search(const option_in_words& o) {
  return {with_underscores(o.name), o.takes, o.about,
          [&o](settings& s, const std::string& text) {
            options unused;
            o.read(unused, text);
            s.search.push_back({&o, text});
          },
          !o.is_yes_or_no};
}

const std::vector<option>& options_known() {
  using o = test_options;
  static const std::vector<option> all = [] {
    std::vector<option> list = {
        choice<test_manager>("manager", "One execution, some at random, or all that can matter (default exploratory)",
                             &o::manager,
                             {{"deterministic", test_manager::deterministic},
                              {"random", test_manager::random},
                              {"exploratory", test_manager::exploratory}}),
        seconds("handler_limit", "How long one handler may run (default 10)", &o::handler_limit),
        yes_or_no("require_covered", "Fail if something that could happen never did, in any execution",
                  &o::require_covered),
        yes_or_no("require_complete", "A test that a limit stopped fails", &o::require_complete),
        yes_or_no("in_process", "Search in this process, for debuggers and profilers", &o::in_process),
        text("checkpoint", "FOLDER", "Where the progress of searches is saved, in one file for each test",
             &o::checkpoint),
        text("resume", "FOLDER", "Continue from what was saved there, and save to it", &o::resume),
        property(),
        choice<std::string>("ends", "How formulas read the end of an execution (default finite)", &o::ends,
                            {{"finite", "finite"}, {"stutter", "stutter"}}),
        choice<shown_states>("states", "Of an actor's state, show what a delivery changed (default) or all of it",
                             &o::states, {{"changed", shown_states::changed}, {"full", shown_states::full}}),
        file("replay", "FILE", "Run the deliveries of this trace again, and nothing else", &settings::replay),
        file("traces", "FOLDER", "Where traces of failures go", &settings::traces),
    };
    // What a file is to one search is a folder to many tests.
    const auto is_there = [&](const std::string& name) {
      return std::any_of(list.begin(), list.end(), [&](const option& known) { return known.name == name; });
    };
    for (const auto& each : options_in_words())
      if (!is_there(with_underscores(each.name))) list.push_back(of_search(each));
    return list;
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
  } catch (const unexpected_value& wrong) {
    throw error(fmt::format("{}: {} is expected{}", as_written, wrong.expected, wrong.hint));
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

/// A time limit is no budget: who is nearer to a test says either of them.
bool limits_time(const option_in_words& o) { return o.name == "time-limit" || o.name == "budget"; }

template <class T>
void take_if_unset(std::optional<T>& mine, const std::optional<T>& other) {
  if (!mine) mine = other;
}
void add(words& mine, const words& others) { mine.insert(mine.end(), others.begin(), others.end()); }

/// `; did you mean '--harrier_engine'?`, or nothing: what is known, as `form` writes it, nearest to `name`.
template <class Form>
std::string suggested(const std::string& name, Form form) {
  const auto is_right = known(name) != nullptr;
  const auto meant = is_right ? fmt::format("; did you mean '{}'?", name) : suggestion(name, names());
  const auto begin = meant.find('\'') + 1;
  if (begin == 0) return {};
  const auto end = meant.rfind('\'');
  return meant.substr(0, begin) + form(meant.substr(begin, end - begin)) + meant.substr(end);
}
std::string as_flag(const std::string& name) { return "--harrier_" + name; }
std::string as_variable(const std::string& name) { return "HARRIER_" + in_capitals(name); }

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
  const auto meant = suggested(name, as_flag);
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
    if (o == nullptr) {
      const auto meant = suggested(name, as_flag);
      throw error(
          fmt::format("unknown flag {}{}", as_flag(name), meant.empty() ? "; --harrier_help lists all" : meant));
    }
    if (sign == std::string::npos && o->needs_value)
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
    if (const auto meant = suggested(name, as_variable); !meant.empty())
      throw error(fmt::format("unknown environment variable {}{}", text.substr(0, text.find('=')), meant));
  }
  for (const auto& o : options_known()) {
    const auto name = as_variable(o.name);
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
    auto search = environment.search;
    if (flags.has_time()) std::erase_if(search, [](const auto& asked) { return limits_time(*asked.option); });
    search.insert(search.end(), flags.search.begin(), flags.search.end());
    flags.search = std::move(search);
    if (flags.replay.empty()) flags.replay = environment.replay;
    if (flags.traces.empty()) flags.traces = environment.traces;
    return flags;
  }();
  return all;
}

void refuse_negative_seconds(const test_options& test) {
  const auto refuse = [](const char* name, const std::optional<double>& seconds) {
    if (seconds && !(*seconds >= 0))
      throw error(fmt::format(".{} = {}: a number of seconds is expected, 0 or more", name, *seconds));
  };
  refuse("time_limit", test.time_limit);
  refuse("budget", test.budget);
  refuse("handler_limit", test.handler_limit);
  refuse("minimise", test.minimise);
  refuse("checkpoint_every", test.checkpoint_every);
}

test_options combined(const test_options& test, const test_options& all) {
  auto both = test;
  take_if_unset(both.manager, all.manager);
  take_if_unset(both.handler_limit, all.handler_limit);
  take_if_unset(both.require_complete, all.require_complete);
  take_if_unset(both.require_covered, all.require_covered);
  take_if_unset(both.in_process, all.in_process);
  take_if_unset(both.checkpoint, all.checkpoint);
  take_if_unset(both.resume, all.resume);
  add(both.properties, all.properties);
  take_if_unset(both.ends, all.ends);
  take_if_unset(both.states, all.states);
  return both;
}

void settings::put_into(options& how, bool with_time) const {
  for (const auto& [option, value] : search)
    if (with_time || !limits_time(*option)) option->read(how, value);
}

bool settings::has_time() const {
  return std::any_of(search.begin(), search.end(), [](const auto& asked) { return limits_time(*asked.option); });
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
