#pragma once

#include <harrier/native/compiler.hpp>

#include <string>
#include <tuple>
#include <utility>

#include <harrier/core/script.hpp>
#include <harrier/native/specification.hpp>

namespace harrier {

/// For specified() or a test's specify(): an execution is not followed further once an actor of a class has taken
/// something after which `reached` holds of it:
///
///     harrier::follow_until("it is on", [](harrier::view<lamp> l) { return l->is_on; })
///
/// As follow_until() of an event: that actor takes nothing more then, what it sent at last does not arrive, and what
/// others do regardless of that is explored as ever.
/// @param name  as it is told: `each execution was followed until NAME`
template <class Predicate>
  requires detail::has_parameters<Predicate> specification follow_until(std::string name, Predicate reached) {
    using parameters = typename detail::parameters_of_predicate<Predicate>::type;
    constexpr bool is_of_one = detail::asked<Predicate>::is_of_one_actor;
    static_assert(is_of_one,
                  "harrier: executions are followed until one actor is somewhere: [](harrier::view<server> s) { ... }");
    if constexpr (is_of_one && detail::check_specification<Predicate>()) {
      using watched = typename detail::view_traits<std::tuple_element_t<0, parameters>>::actor;
      return follow_until(std::move(name), followed_until{.is_there = [reached](const system& s, actor_slot a) {
                            const states now(s);
                            return now.at<watched>(a) != nullptr &&
                                   s.actor_at(a).state_of_life != harrier::actor::mode::gone &&
                                   reached(view<watched>(now, a));
                          }});
    } else {
      return {};
    }
  }

}  // namespace harrier
