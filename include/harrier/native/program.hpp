#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include <harrier/core/program.hpp>
#include <harrier/native/world.hpp>

namespace harrier {

/// The program that `driver` starts. A driver is
/// - a function or lambda that takes `self&` (a coroutine if it makes calls), or
/// - a struct with a handler `test(self&)`, and perhaps `set_up(self&)`: the
///   set-up and all that follows from it is run in the order sent and is not
///   explored; what `test` sends is.
/// The driver is an actor too, number 0. It is copied for each fresh system.
template <class Driver>
program make_program(Driver driver) {
  if constexpr (detail::driver_struct<Driver>) {
    return {
        [driver = std::move(driver)](delivery model) { return start_system<detail::world_of<Driver>>(driver, model); }};
  } else {
    static_assert(std::is_invocable_v<Driver&, self&>,
                  "harrier: a driver is a function that takes harrier::self&, or a struct with a handler test(self&)");
    using started = detail::function_driver<Driver>;
    return {[start = started{std::move(driver)}](delivery model) {
      return start_system<detail::world_of<started>>(start, model);
    }};
  }
}

}  // namespace harrier
