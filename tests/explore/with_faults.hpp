#pragma once

#include <string>
#include <vector>

#include <harrier/explore/explore.hpp>

namespace harrier {

/// Those that are complete, under every model.
inline const std::vector<std::string> searches{"exhaustive", "optimal",   "source", "dcute",
                                               "persistent", "transdpor", "trust",  "stateful"};

/// All findings, where that may happen.
inline options with(faults may_happen, const std::string& engine = "optimal") {
  options how;
  how.search.engine = engine;
  how.judging.keep_going = true;
  how.search.faults = may_happen;
  return how;
}

/// The words that some execution left, sorted.
inline std::vector<std::string> outcomes_of(const exploration& all) {
  std::vector<std::string> words;
  for (const auto& [word, times] : all.outcomes) words.push_back(word);
  return words;
}

}  // namespace harrier
