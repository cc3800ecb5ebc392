#pragma once

#include <string>
#include <vector>

namespace harrier {

/// What `harrier analyse` was asked for.
struct asked_analysis {
  std::string file;
  std::vector<std::string> flags;
  std::string write;  ///< the header; empty: none, `-`: standard output
  std::string json;   ///< likewise
  /// A command of the shell that builds and explores with the header; empty: nothing is measured.
  std::string measure;
};

/// What a command line does with sources if it was built with the floor analyse.
struct analyse_floor {
  /// @return the exit status.
  int (*run)(const asked_analysis& asked);
};

/// That of this build; null: it has none. with_analyse.cpp or without_analyse.cpp.
const analyse_floor* built_in_analyser();

}  // namespace harrier
