#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <harrier/protocol/action.hpp>
#include <harrier/protocol/diagnostic.hpp>

namespace harrier::protocol {

/// States are numbered densely from 0, the initial one.
using state_id = std::uint32_t;

struct transition {
  action_id action;
  state_id target;
  friend auto operator<=>(const transition&, const transition&) = default;
};

/// A transition system that is discovered while it is explored.
class transition_system {
public:
  virtual ~transition_system() = default;

  /// The steps of state 0 or of a target handed out before; each once. They
  /// live until the next call.
  [[nodiscard]] virtual std::span<const transition> steps(state_id state) = 0;
  [[nodiscard]] virtual const alphabet& names() const = 0;
};

/// The steps of many states, one state after the other in one array.
///
/// @par Complexity  Memory: 8 bytes a transition and 4 a state.
class step_table {
public:
  /// The steps of the next state.
  /// @throws error  there are more than 2^32 - 1 transitions. Nothing has changed.
  void append(std::span<const transition> steps);

  /// How many states have their steps here.
  [[nodiscard]] std::size_t size() const noexcept { return first_.size() - 1; }
  [[nodiscard]] std::size_t transitions() const noexcept { return all_.size(); }
  /// None of a state that is not here. Valid until the next `append`.
  [[nodiscard]] std::span<const transition> operator[](state_id state) const noexcept {
    if (state >= size()) return {};
    return std::span(all_).subspan(first_[state], first_[state + 1] - first_[state]);
  }
  /// How many transitions the states before have: where those of `state` begin.
  [[nodiscard]] std::size_t first(state_id state) const noexcept { return first_[state]; }
  /// All, state after state; targets and actions may be changed.
  [[nodiscard]] std::span<transition> all() noexcept { return all_; }
  [[nodiscard]] std::span<const transition> all() const noexcept { return all_; }

private:
  std::vector<transition> all_;
  std::vector<std::uint32_t> first_{0};  // by state, and one more
};

/// A whole transition system in memory.
struct state_graph {
  step_table steps;
  std::size_t found = 1;  ///< states that are known; those for which `steps` has nothing were not expanded

  [[nodiscard]] std::size_t states() const noexcept { return found; }
  [[nodiscard]] std::size_t expanded() const noexcept { return steps.size(); }
  [[nodiscard]] std::size_t transitions() const noexcept { return steps.transitions(); }
  /// Whether no limit cut the exploration.
  [[nodiscard]] bool complete() const noexcept { return expanded() == found; }
  /// Appends the steps of the next state; it and the targets are found.
  void expand(std::span<const transition> out);
};

/// A graph as a system. Both must outlive this object.
class graph_system final : public transition_system {
public:
  /// @param graph  complete: a state that was not expanded would seem to have no steps.
  graph_system(const state_graph& graph, const alphabet& names) : graph_(graph), names_(names) {}

  [[nodiscard]] std::span<const transition> steps(state_id state) override { return graph_.steps[state]; }
  [[nodiscard]] const alphabet& names() const override { return names_; }

private:
  const state_graph& graph_;
  const alphabet& names_;
};

/// Explores breadth first until all states are expanded or more than
/// `max_states` are found (0: no limit). Numbers are those of `source`, which
/// must hand out targets densely in the order in which they are found.
///
/// @param enough  asked before each state is expanded: whether to stop; empty: never.
[[nodiscard]] state_graph explore(transition_system& source, std::size_t max_states = 0,
                                  const std::function<bool()>& enough = {});

struct graph_counts {
  std::size_t states = 0;
  std::size_t transitions = 0;
  std::size_t nondeterministic = 0;  ///< states with one action to several targets
  std::size_t dead = 0;              ///< states without a step

  friend bool operator==(const graph_counts&, const graph_counts&) = default;
};

[[nodiscard]] graph_counts count(const state_graph& graph);

/// The coarsest partition in which equal states can do the same, step for step
/// (strong bisimulation; that a run may end somewhere is not a step and makes
/// no difference). By state, blocks numbered from 0 in order of their first state.
///
/// @par Complexity  About O(m log n) for m transitions, n states.
/// @par Source  Signature refinement after Blom and Orzan, "A distributed
///      algorithm for strong bisimulation reduction of state spaces", 2003;
///      only states with a changed successor are looked at again, and the
///      largest part of a block keeps its name.
[[nodiscard]] std::vector<std::uint32_t> bisimulation(const state_graph& graph);

/// The quotient by `bisimulation`.
[[nodiscard]] state_graph minimise(const state_graph& graph);

/// The set of states reachable by each word of actions, as a deterministic
/// graph: the language is that of `graph`, no branch is lost. A `graph` that is
/// deterministic, and numbered as `explore` does, keeps its numbers.
///
/// @param members  gets, by state of the result, the states it stands for.
[[nodiscard]] state_graph determinise(const state_graph& graph, std::vector<std::vector<state_id>>& members,
                                      std::size_t max_states = 0);

/// The actions of a shortest way from state 0 to `state`, which is reachable.
[[nodiscard]] std::vector<action_id> shortest_path(const state_graph& graph, state_id state);

/// Graphs with more states are drawn in a hurry, with straight lines: with care,
/// Graphviz takes more than a second for so many, and more than the square of
/// their number.
inline constexpr std::size_t max_drawn_with_care = 300;

/// Graphviz; `note(state)` is written below the number of a state.
///
/// @param first_number  what is written for state 0.
[[nodiscard]] std::string to_dot(const state_graph& graph, const alphabet& names, const std::string& title,
                                 const std::function<std::string(state_id)>& note = {}, std::size_t first_number = 0);

/// A picture of `dot`, made by Graphviz's program of that name.
///
/// @throws error  it is not installed, or fails.
[[nodiscard]] std::string to_svg(const std::string& dot);

}  // namespace harrier::protocol
