#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include <harrier/protocol/checked.hpp>
#include <harrier/protocol/lts.hpp>

namespace harrier::protocol {

/// A session as the branches of a `par` of which no two are connected in two ways
/// by roles they have in common, each explored by itself: what they do together,
/// which is the product of their states, is not looked at.
///
/// Enough for what is asked of roles one by one, as a projection is; the states
/// of the session are numbered nowhere.
struct session_parts {
  /// At least one: the whole session, if there is nothing to take apart. If it
  /// is complete, the states of their terms are forgotten.
  std::vector<explored_session> parts;
  /// Roles, types and actions of all, numbered as those of the whole session
  /// are, if no part is made of several branches and no role is in several parts.
  alphabet names;

  /// Whether no limit cut the exploration; else some parts may be missing.
  bool complete = true;

  /// Of all parts together.
  [[nodiscard]] std::size_t states() const;
  [[nodiscard]] std::size_t transitions() const;
};

/// Takes apart what is a `par` or `par-every` at the top, or comes to be one by
/// calls, `let`, `if` and loops that go on with one. Branches that are on a cycle of
/// branches and roles, as two that have two roles in common, stay together.
///
/// @param max_states  of all parts together (0: no limit).
/// @param enough      see `explore`.
/// @throws definition_error
///
/// @par Complexity  That of the parts; branches are explored once more where they turn out to share a role.
[[nodiscard]] session_parts explore_parts(const std::shared_ptr<const specification>& definitions,
                                          std::string_view session, const std::vector<value>& arguments,
                                          std::size_t max_states = 0, const std::function<bool()>& enough = {});

/// The same warnings as those of the whole session, if it is complete: steps of
/// different parts can be taken in any order.
[[nodiscard]] std::vector<diagnostic> review(const session_parts& session);

/// The projection of the whole session: each role's machine is that of its
/// part, or the product of those of its parts, and the whole is refused iff a part
/// is. A run shown with a refusal is one of the whole session in which the other
/// parts do nothing.
///
/// @param session  complete.
/// @throws error  as for the whole session, or such a product has more than a million states.
[[nodiscard]] checked_projection project_checked(const session_parts& session, const projection_watch& watch = {});

}  // namespace harrier::protocol
