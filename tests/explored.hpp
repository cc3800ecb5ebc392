#pragma once

#include <string>

#include <harrier/explore/explore.hpp>

namespace harrier {

/// Everything is explored and every delivery is run twice, with the proof that
/// going back is exact.
exploration explore_all(const auto& program, const std::string& engine = "exhaustive") {
  options how;
  how.search.engine = engine;
  how.judging.keep_going = true;
  how.judging.check_determinism = repetition::all;
  how.judging.check_undo = true;
  return explore(program, how);
}

}  // namespace harrier
