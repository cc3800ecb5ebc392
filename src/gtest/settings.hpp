#pragma once

#include <map>
#include <string>
#include <vector>

#include <harrier/gtest/test_options.hpp>

#include "../explore/option_words.hpp"

namespace harrier {

/// What a person says to all tests of a program, on its command line or in its
/// environment.
struct settings {
  /// An option of the search, and its value.
  struct asked_option {
    const option_in_words* option;
    std::string value;
  };

  /// What is of tests alone; see `search` for the rest.
  test_options tests;
  /// In the order in which they count: what comes later overrides what comes first.
  std::vector<asked_option> search;
  /// A trace to be run again; empty: none.
  std::string replay;
  /// The folder of trace files; empty: the current one.
  std::string traces;

  /// @param words  a command line; what does not begin with `--harrier_`, or with what was meant to be that, is left
  ///               alone.
  /// @throws error  naming a flag that is unknown, or has no such value.
  static settings of_flags(const std::vector<std::string>& words);
  /// The same for HARRIER_ENGINE and the like. @throws error
  static settings of_environment();

  /// What is asked of the search. @param with_time  limits of time included
  void put_into(options& how, bool with_time) const;
  /// Whether a limit of time is asked for.
  [[nodiscard]] bool has_time() const;
};

/// The flags, and what is not in them from the environment; read once.
/// @throws error
const settings& asked_for_all();

/// What is of tests alone: for each option what the test says, or else what was asked for all.
test_options combined(const test_options& test, const test_options& all);

/// @throws error  naming an attribute of a test that is a negative number of seconds.
void refuse_negative_seconds(const test_options& test);

/// A table of the flags, for people.
std::string list_of_flags();

}  // namespace harrier
