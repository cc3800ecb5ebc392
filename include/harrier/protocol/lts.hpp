#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/protocol/ast.hpp>
#include <harrier/protocol/graph.hpp>
#include <harrier/protocol/value.hpp>

namespace harrier::protocol {

/// A definition cannot be unfolded, or an expression in it has no value.
class definition_error : public harrier::error {
public:
  explicit definition_error(diagnostic what);
  diagnostic what_is_wrong;
};

/// Terms may be unfolded this deep before the next action.
inline constexpr std::size_t max_unfolding = 1000;

/// Some of a session's terms: how to get to each from the whole, as the number of a branch of each `cat` or `par` that
/// is met on the way when calls, loops and choices by condition are unfolded.
struct session_piece {
  using place = std::vector<std::size_t>;
  std::vector<place> places = {{}};  ///< at least one; the empty one is the whole
  bool is_sequence = true;           ///< whether they follow each other, or are beside each other
};

/// How a session is put together from terms that follow each other or are beside each other.
struct session_shape {
  enum class form : std::uint8_t {
    one,       ///< is looked at as it is
    sequence,  ///< a `cat` that has a `par` in it somewhere
    parallel,  ///< a `par`, with the branches of those that are its branches
  };
  form is = form::one;
  std::vector<session_piece::place> places = {{}};  ///< several only of what follows each other in a sequence
  std::vector<session_shape> parts;                 ///< none of `one`, else at least two
};

/// The transition system of a session, on the fly.
///
/// A state is a term, what remains to be done; two states are the same iff the
/// terms are equal after substitution. Nothing is simplified: `skip` and
/// arguments not yet evaluated stay in the term, so states may differ that
/// behave alike (see `minimise`). A call or a loop that comes back to itself
/// without an action offers no step there.
class lts final : public transition_system {
public:
  /// @throws definition_error  there is no session of that name with so many parameters.
  lts(std::shared_ptr<const specification> definitions, std::string_view session, std::vector<value> arguments);
  /// The same, of a piece of it alone, with places of its `shape()`.
  lts(std::shared_ptr<const specification> definitions, std::string_view session, std::vector<value> arguments,
      const session_piece& piece);
  ~lts() override;

  /// @throws definition_error  see the class; the object stays usable.
  [[nodiscard]] std::span<const transition> steps(state_id state) override;
  [[nodiscard]] const alphabet& names() const override;

  /// Whether a run may end in `state`; it may still have steps.
  [[nodiscard]] bool terminated(state_id state);
  /// The term.
  [[nodiscard]] std::string describe(state_id state) const;
  /// Where the action of each of `steps(state)` is written, in the same order.
  [[nodiscard]] const std::vector<source_position>& places(state_id state);
  [[nodiscard]] std::size_t found() const noexcept;
  /// What the session is, or comes to be by calls, `let`, `if`, `par-every`, `cat-every` and loops, before it chooses.
  /// What comes back to itself in this way, or goes more than 1000 deep, is `one`.
  [[nodiscard]] session_shape shape();
  /// Whether a place of `shape()` is a `channel`, and between which roles.
  [[nodiscard]] std::optional<std::pair<role_id, role_id>> channel_at(const session_piece::place& place);
  /// What is at a place of `shape()` as a channel between the roles of its first message, as it could be written; empty
  /// if there is no message to be seen in it.
  [[nodiscard]] std::string as_channel(const session_piece::place& place, std::size_t capacity);
  /// The roles of the first actions of what is at a place of `shape()`.
  [[nodiscard]] std::vector<role_id> first_roles(const session_piece::place& place);
  /// Where the first of the channels is written that were met so far.
  [[nodiscard]] std::optional<source_position> first_channel() const noexcept;
  /// From which role to which each of them goes.
  [[nodiscard]] const std::set<std::pair<role_id, role_id>>& channels() const noexcept;
  /// Frees all that is only needed to find steps: from now on only `names`,
  /// `found`, `first_channel`, `channels`, `warnings` and `definitions` may be called.
  void forget_states();

  /// About what was unfolded so far: `alt-every` over nothing, calls that come
  /// back to themselves. Each place once.
  [[nodiscard]] const std::vector<diagnostic>& warnings() const noexcept;
  [[nodiscard]] const specification& definitions() const noexcept;

private:
  class unfolding;
  std::unique_ptr<unfolding> unfolding_;
};

/// A whole session, explored.
///
/// @par Complexity  Memory: 12 bytes a transition and 4 a state; and that of
///      `terms`, about 50 bytes a state, until they are forgotten.
struct explored_session {
  std::unique_ptr<lts> terms;
  state_graph graph;
  std::vector<source_position> written;  ///< where actions are written, each place once
  std::vector<std::uint32_t> place_of;   ///< by number of the transition: which place
  std::vector<bool> terminated;          ///< by expanded state

  /// Where the action of `graph.steps[state][index]` is written.
  [[nodiscard]] source_position place(state_id state, std::size_t index) const {
    return written[place_of[graph.steps.first(state) + index]];
  }
  [[nodiscard]] std::size_t terminated_states() const;
};

/// @param max_states, enough  see `explore`.
[[nodiscard]] explored_session explore_session(std::shared_ptr<const specification> definitions,
                                               std::string_view session, std::vector<value> arguments,
                                               std::size_t max_states = 0, const std::function<bool()>& enough = {});

/// The same for terms that are at hand.
[[nodiscard]] explored_session explore_session(std::unique_ptr<lts> terms, std::size_t max_states = 0,
                                               const std::function<bool()>& enough = {});

/// Warnings about the session as a whole: nondeterminism and choices that are
/// not one role's, each with a shortest way there, one for each place in the
/// text; and those of `lts::warnings`.
[[nodiscard]] std::vector<diagnostic> review(const explored_session& session);

}  // namespace harrier::protocol
