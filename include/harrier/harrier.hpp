#pragma once

/// All that a program under test and its tests need.

#include <harrier/explore/explore.hpp>
#include <harrier/native/program.hpp>
#include <harrier/native/self.hpp>

namespace harrier {

/// Explores the program that `driver` starts (see make_program).
template <class Driver>
  requires(!std::is_same_v<Driver, program>)
[[nodiscard]] exploration explore(Driver driver, const options& how = {}) {
  return explore(make_program(std::move(driver)), how);
}

}  // namespace harrier
