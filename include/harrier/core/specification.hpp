#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

#include <harrier/core/program.hpp>
#include <harrier/core/states.hpp>

namespace harrier {

/// How many operations an actor has recorded that it invoked, and how many that returned.
struct recorded_events {
  std::size_t invoked = 0;
  std::size_t returned = 0;
  bool operator==(const recorded_events&) const = default;
};

/// So many `by` has recorded in all after delivery number `after` (from 1, as traces count; 0: before the first).
struct recording {
  std::size_t after;
  actor_slot by;
  recorded_events in_all;
};

/// What is said of a history.
struct history_verdict {
  /// What it breaks, if it is known to break anything.
  std::optional<record> broken = std::nullopt;
  /// Of one that takes too long to judge, what of the program is therefore not covered, in words; empty: it is judged.
  std::string undecided = {};
};

/// What is to hold of several actors at once, whatever happens in between. How one is made of a predicate over views
/// of actors is in native/specification.hpp: always(), sometimes(), eventually(), leads_to(); and of recorded
/// operations in native/history.hpp: linearizable(), sequentially_consistent().
struct specification {
  enum class kind : std::uint8_t {
    always,      ///< in each configuration, the initial one among them
    sometimes,   ///< in some configuration of some execution: a point (exploration::points)
    eventually,  ///< at the end of each execution
    leads_to,    ///< once `found` holds of some actors, `then` holds of them at that time, or later
    in_time,     ///< `judge` finds nothing wrong with what is recorded, in the order in which it is, at any time
    at_end,      ///< `judge` finds nothing wrong with what is recorded at the end of each execution, in whatever order
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
  /// Of a history: what that actor, one of a class that is looked at, has recorded. It only grows.
  std::function<recorded_events(const states&, actor_slot)> events = nullptr;
  /// Of a history: what is wrong with the events that are named, oldest first, and no others. (Of at_end one entry for
  /// each actor, as it is at the end.)
  std::function<history_verdict(const states&, const std::vector<recording>&)> judge = nullptr;
};

/// `tested`, of which all that is to hold. Steps that may change what one of them looks at are then dependent, unless
/// that is one actor at a time: so each order of these is explored, and a reduction misses none of the configurations
/// that they see. What is broken is a finding of kind assertion: of the step that breaks it, or at the end. Only for
/// systems whose actors are C++ objects. Where a history takes too long to judge, the search is not complete: what it
/// does not cover is in exploration::stopped_by.
/// @throws untestable_program  when it is started, for others
program specified(program tested, std::vector<specification> all);

}  // namespace harrier
