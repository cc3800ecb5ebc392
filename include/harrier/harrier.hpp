#pragma once

/// All that a program under test and its tests need.

#include <harrier/native/compiler.hpp>

// First, so that what does not compile for a reason given there is one step away from the file that includes this.
#include <harrier/native/usable.hpp>

#include <harrier/native/checks.hpp>

#include <harrier/explore/explore.hpp>
#include <harrier/native/declaration.hpp>
#include <harrier/native/persistent.hpp>
#include <harrier/native/program.hpp>
#include <harrier/native/self.hpp>
#include <harrier/native/specification.hpp>
#include <harrier/native/tracked.hpp>

namespace harrier {

/// Explores the program that `driver` starts (see make_program).
template <class Driver>
  requires(!std::is_same_v<Driver, program>)
[[nodiscard]] exploration explore(Driver driver, const options& how = {}) {
  return explore(make_program(std::move(driver)), how);
}

}  // namespace harrier
