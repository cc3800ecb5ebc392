#pragma once

#include <harrier/core/program.hpp>
#include <harrier/core/system.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// A system of `tested` for a search as `how` says: its delivery model, depth
/// limit and checks. Nobody looks on yet.
/// @param is_noted  its deliveries are noted where `how` says.
inline system_handle start_as_asked(const program& tested, const options& how, bool is_noted) {
  auto s = tested.start(how.delivery);
  s->limit_depth(how.max_depth);
  s->watch().check_determinism(how.check_determinism);
  s->watch().check_undo(how.check_undo);
  if (is_noted && how.noted != nullptr) {
    how.noted->search_is_over = false;
    s->watch().note_deliveries(*how.noted, how.noted_path);
  }
  return s;
}

}  // namespace harrier
