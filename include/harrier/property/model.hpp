#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace harrier {

/// States, labels and roles of a model are small dense numbers, each kind from 0.
using model_state = std::uint32_t;
using model_label = std::uint32_t;
using model_role = std::uint32_t;

/// One step of a model: the action that is its letter, and where it leads.
struct model_step {
  model_label label;
  model_state target;
  friend bool operator==(const model_step&, const model_step&) = default;
};

/// A transition system that is discovered while it is explored.
///
/// A run is a path from `initial()`; its word is the sequence of the labels.
/// Every function is called from one thread, and must answer the same every
/// time it is asked the same; `successors` is called once a state, `holds`
/// once for a (label, proposition), by one `state_space`.
class model {
public:
  model() = default;
  model(const model&) = delete;
  model& operator=(const model&) = delete;
  virtual ~model() = default;

  [[nodiscard]] virtual model_state initial() = 0;

  /// The steps possible in `state`, one of those handed out before. No steps:
  /// a run ends there. Equal labels with several targets are allowed. The span
  /// need only live until the next call.
  [[nodiscard]] virtual std::span<const model_step> successors(model_state state) = 0;

  /// Whether a step with `label` satisfies `proposition`, the text of an atom
  /// of a formula, without quotation marks.
  [[nodiscard]] virtual bool holds(model_label label, std::string_view proposition) = 0;

  /// The roles that act when `label` is taken: most often one; two in a
  /// synchronous step. Only asked under fairness.
  [[nodiscard]] virtual std::vector<model_role> acting(model_label label);

  /// The roles that could act in `state`. Unless overridden, those that act in
  /// one of its steps. Only needed by a model that leaves steps out.
  [[nodiscard]] virtual std::optional<std::vector<model_role>> enabled(model_state state);
};

/// The part of a model that was explored, kept for any number of checks.
///
/// States are explored breadth first, only as far as asked; they are numbered
/// here in the order in which they are found, so the initial state is 0 and
/// a state is expanded iff its number is below `expanded()`.
///
/// @par Complexity  Memory: 8 bytes a transition and 4 a state; 12 a state if
///      the model's own numbers are not those of this object.
class state_space {
public:
  /// @param source  must outlive this object.
  explicit state_space(model& source);

  /// Makes room for so many states and transitions, so that it need not be made while they are found: that takes twice
  /// the memory for a moment. There may be more, or fewer.
  void reserve(std::size_t states, std::size_t transitions);

  /// Expands states, breadth first, until `count` are expanded or none is left.
  void explore(std::size_t count);

  [[nodiscard]] std::size_t found() const noexcept { return found_; }
  [[nodiscard]] std::size_t expanded() const noexcept { return first_step_.size() - 1; }
  [[nodiscard]] bool complete() const noexcept { return expanded() == found(); }
  [[nodiscard]] std::size_t transitions() const noexcept { return steps_.size(); }

  /// The steps of an expanded state; targets are numbers of this object.
  [[nodiscard]] std::span<const model_step> steps(model_state state) const noexcept {
    return std::span(steps_).subspan(first_step_[state], first_step_[state + 1] - first_step_[state]);
  }
  /// The model's own number of a state found so far.
  [[nodiscard]] model_state model_id(model_state state) const noexcept { return is_same_ ? state : model_ids_[state]; }
  [[nodiscard]] model& source() const noexcept { return *source_; }

private:
  model_state number(model_state model_id);

  model* source_;
  std::size_t found_ = 0;
  bool is_same_ = true;                 // the model's ids are the numbers; then these two are empty
  std::vector<model_state> model_ids_;  // by number
  std::vector<model_state> numbers_;    // by the model's id
  std::vector<model_step> steps_;
  std::vector<std::uint32_t> first_step_;  // by number; one more than expanded
};

}  // namespace harrier
