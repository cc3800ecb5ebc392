#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <typeinfo>
#include <vector>

#include <harrier/core/program.hpp>
#include <harrier/core/states.hpp>

namespace harrier {

/// What is to hold of several actors at once, whatever happens in between. How one is made of a predicate over views
/// of actors is in native/specification.hpp: always(), sometimes(), eventually(), leads_to().
struct specification {
  enum class kind : std::uint8_t {
    always,      ///< in each configuration, the initial one among them
    sometimes,   ///< in some configuration of some execution: a point (exploration::points)
    eventually,  ///< at the end of each execution
    leads_to,    ///< once `found` holds of some actors, `then` holds of them at that time, or later
  };
  /// For each choice of actors of which it is so, their slots.
  using tuples = std::vector<std::vector<actor_slot>>;

  kind says = kind::always;
  std::string name = {};
  /// The classes of the actors that are looked at (actor_type::state_class); of others the functions must not depend.
  std::vector<const std::type_info*> looks_at = {};
  /// Whether what is looked at is one actor at a time. Then each class of executions shows all that there is, and
  /// nothing more is dependent because of it.
  bool is_of_one_actor = false;
  /// Of sometimes and leads_to where it holds, of always and eventually where it does not hold.
  std::function<tuples(const states&)> found = nullptr;
  /// Of leads_to: where what it leads to holds.
  std::function<tuples(const states&)> then = nullptr;
};

/// `tested`, of which all that is to hold. Steps that may change what one of them looks at are then dependent, unless
/// that is one actor at a time: so each order of these is explored, and a reduction misses none of the configurations
/// that they see. What is broken is a finding of kind assertion: of the step that breaks it, or at the end. Only for
/// systems whose actors are C++ objects.
/// @throws untestable_program  when it is started, for others
program specified(program tested, std::vector<specification> all);

}  // namespace harrier
