#pragma once

#include <harrier/core/system.hpp>

namespace harrier {

/// Takes `s` to the end of a path that was taken before: nobody is told of its
/// steps again, and they are not counted again. Calls `taken()` after each.
template <class Taken>
void take_again(system& s, const schedule& path, Taken taken) {
  auto* const watching = s.watch().observe(nullptr);
  for (const auto& next : path) {
    s.run({next});
    taken();
  }
  s.watch().observe(watching);
  s.watch().made_before(path.size());
}

}  // namespace harrier
