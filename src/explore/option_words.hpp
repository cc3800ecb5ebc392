#pragma once

#include <functional>
#include <string>
#include <vector>

#include <harrier/explore/options.hpp>

namespace harrier {

/// An option of a search as people write it, on whichever line: `--max-depth 9`, `--harrier_max_depth=9`,
/// `HARRIER_MAX_DEPTH=9`.
struct option_in_words {
  std::string name;   ///< with dashes: `max-depth`
  std::string takes;  ///< the form of its value: `N`, `dfs|bfs`; empty: it needs none
  std::string about;  ///< what --help says of it
  /// Puts the value into `how`. @throws unexpected_value
  std::function<void(options& how, const std::string& value)> read;
  /// The other way round: its value, as a checkpoint has it.
  std::function<std::string(const options& how)> written;
  /// What --help says of `--no-NAME`; empty: there is none.
  std::string about_no = {};
  bool is_yes_or_no = false;   ///< `yes`, `on`, `1` and nothing stand for one, `no`, `off` and `0` for the other
  bool is_repeatable = false;  ///< each value is added to those before
  /// What it is of a search that a checkpoint is of, `the seed`; empty: that search goes on whatever is said here, or
  /// checkpoint_subject.cpp says it, with what follows from other options.
  std::string subject = {};
};

/// What is wrong with a value.
struct unexpected_value {
  std::string expected;   ///< `a whole number from 1 to 9`
  std::string hint = {};  ///< `; did you mean 'dfs'?`
};

/// All of them, in the order in which --help shows them. Command lines and tests read their options from this list.
const std::vector<option_in_words>& options_in_words();

/// @throws error  saying what is expected instead, of an option that was `written` so
void read_option(const option_in_words& option, const std::string& written, const std::string& value, options& how);

}  // namespace harrier
