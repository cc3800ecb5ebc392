#pragma once

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include <harrier/core/program.hpp>
#include <harrier/core/system.hpp>
#include <harrier/native/bodies.hpp>
#include <harrier/native/checks.hpp>
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

/// The world that a driver starts: its `set_up` (if it has one) and all that
/// follows from it, its `start_up` (if it has one) and the messages it sends, not
/// what those send, then its `test`.
template <class Driver>
class world_of final : public world {
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

template <class Driver>
final_check final_check_of(const Driver& driver) {
  if constexpr (has_finally<Driver>)
    return [driver](final_states& end) { driver.finally(end); };
  else
    return nullptr;
}

}  // namespace harrier::detail

namespace harrier {

/// The program that `driver` starts. A driver is
/// - a function or lambda that takes `self&` (a coroutine if it makes calls), or
/// - a struct with a handler `test(self&)`, and perhaps `set_up(self&)`: the
///   set-up and all that follows from it is run in the order sent and is not
///   explored; what `test` sends is.
/// The driver is an actor too, number 0. It is copied for each fresh system. If
/// it has a `finally(final_states&) const`, that is program::finally.
template <class Driver>
program make_program(Driver driver) {
  constexpr bool is_struct = detail::driver_struct<Driver>;
  constexpr bool is_function = std::is_invocable_v<Driver&, self&>;
  static_assert(is_struct || is_function || detail::names_set_up<Driver> || detail::names_start_up<Driver>,
                "harrier: a driver is a function that takes harrier::self&, or a struct with a handler test(self&)");
  if constexpr (!detail::check_driver_hooks<Driver>() || !(is_struct || is_function)) {
    return {};
  } else if constexpr (is_struct) {
    if constexpr (detail::check_driver_state<Driver>())
      return {[driver](delivery model) { return start_system<detail::world_of<Driver>>(driver, model); },
              detail::final_check_of(driver)};
    else
      return {};
  } else {
    using started = detail::function_driver<Driver>;
    auto finally = detail::final_check_of(driver);
    return {[start = started{std::move(driver)}](delivery model) {
              return start_system<detail::world_of<started>>(start, model);
            },
            std::move(finally)};
  }
}

}  // namespace harrier
