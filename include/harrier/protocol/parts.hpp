#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/protocol/checked.hpp>
#include <harrier/protocol/lts.hpp>

namespace harrier::protocol {

/// How the parts of a session are put together.
struct arrangement {
  enum class form : std::uint8_t { one, sequence, parallel };
  form is = form::one;
  std::size_t part = 0;         ///< of `one`
  std::vector<arrangement> of;  ///< at least two, else none
};

/// A session as parts that follow each other or are beside each other, each
/// explored by itself: what those beside each other do together, which is the
/// product of their states, is not looked at.
///
/// No two branches of a `par` are connected in two ways by roles they have in
/// common. What follows in a sequence begins for each role where the role is done
/// with what is before, and each role knows when it is.
///
/// Enough for what is asked of roles one by one, as a projection is; the states
/// of the session are numbered nowhere.
struct session_parts {
  /// At least one: the whole session, if there is nothing to take apart. If it
  /// is complete, the states of their terms are forgotten.
  std::vector<explored_session> parts;
  arrangement order;  ///< of all parts, each once, in their order
  /// By part: what it could be instead, if it is made of branches of a `par` that could be channels; else empty.
  std::vector<std::string> instead = {};
  /// Roles, types and actions of all, numbered as those of the whole session
  /// are, if no part is made of several branches and no role is in several parts.
  alphabet names;

  /// Whether no limit cut the exploration; else some parts may be missing.
  bool complete = true;

  /// Of all parts together.
  [[nodiscard]] std::size_t states() const;
  [[nodiscard]] std::size_t transitions() const;
};

/// Takes apart what is a `par`, a `par-every`, or a `cat` that has one of these in
/// it, at the top or as a part of such a part, or comes to be one by
/// calls, `let`, `if` and loops that go on with one. Branches that are on a cycle of
/// branches and roles, as two that have two roles in common, stay together; so does
/// in a sequence a part with all that follows it if it may have no end, if some role
/// does not know when it is done with it, or could take a message of what follows
/// for one of the part's.
///
/// @param max_states  of all parts together (0: no limit).
/// @param enough      see `explore`.
/// @throws definition_error
///
/// @par Complexity  That of the parts; those that turn out to have to stay together are explored once more as one.
///      Of what others follow, what each role knows is found out, too.
[[nodiscard]] session_parts explore_parts(const std::shared_ptr<const specification>& definitions,
                                          std::string_view session, const std::vector<value>& arguments,
                                          std::size_t max_states = 0, const std::function<bool()>& enough = {});

/// The same warnings as those of the whole session, if it is complete: steps of
/// different parts can be taken in any order.
[[nodiscard]] std::vector<diagnostic> review(const session_parts& session);

/// The projection of the whole session: each role's machine is that of its
/// part, or the product of those of its parts that are beside each other, or goes on with
/// that of the next one where it has done all of the one before; and the whole is refused iff a part
/// is. A run shown with a refusal is one of the whole session in which the other
/// parts do nothing, but what must be done before.
///
/// @param session  complete.
/// @throws error  as for the whole session, or such a product has more than a million states.
[[nodiscard]] checked_projection project_checked(const session_parts& session, const projection_watch& watch = {});

}  // namespace harrier::protocol
