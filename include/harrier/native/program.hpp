#pragma once

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include <harrier/core/program.hpp>
#include <harrier/core/system.hpp>
#include <harrier/native/bodies.hpp>
#include <harrier/native/kinds.hpp>
#include <harrier/native/world.hpp>

namespace harrier::detail {

/// A driver that is a function or lambda: an actor whose one message runs it.
template <class Function>
struct function_driver {
  Function run;
  auto test(self& me) { return run(me); }
};
template <class Function>
constexpr bool is_opaque_driver<function_driver<Function>> = true;

template <class Driver>
concept driver_struct = requires {
  &Driver::test;
};
template <class Driver>
concept has_set_up = requires {
  &Driver::set_up;
};
template <class Driver>
concept has_start_up = requires {
  &Driver::start_up;
};

/// The world that a driver starts: its `set_up` (if it has one) and all that
/// follows from it, its `start_up` (if it has one) and the messages it sends, not
/// what those send, then its `test`.
template <class Driver>
class world_of final : public world {
  static_assert(driver_struct<Driver>, "harrier: a driver is a function or a struct with a handler test(self&)");

public:
  world_of(Driver driver, delivery model) : world(model), driver_(std::move(driver)) {}

private:
  void begin() override {
    add_actor(class_of<Driver>, ::new (memory().allocate(sizeof(Driver), alignof(Driver))) Driver(driver_));
    if constexpr (has_set_up<Driver>) {
      post_from_outside(0, type_of<Driver, &Driver::set_up>, nullptr);
      run_setup();
    }
    if constexpr (has_start_up<Driver>) {
      post_from_outside(0, type_of<Driver, &Driver::start_up>, nullptr);
      start_up_driver();
    }
    post_from_outside(0, type_of<Driver, &Driver::test>, nullptr);
    test_driver();
  }

  Driver driver_;
};

}  // namespace harrier::detail

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
