#pragma once

#include <map>
#include <string>
#include <vector>

#include <harrier/gtest/test_options.hpp>

namespace harrier {

/// What a person says to all tests of a program, on its command line or in its
/// environment.
struct settings {
  test_options tests;
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
};

/// The flags, and what is not in them from the environment; read once.
/// @throws error
const settings& asked_for_all();

/// For each option what the test says, or else what was asked for all.
test_options combined(const test_options& test, const test_options& all);

/// A table of the flags, for people.
std::string list_of_flags();

}  // namespace harrier
