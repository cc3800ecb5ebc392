#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <harrier/property/check.hpp>
#include <harrier/property/model.hpp>

#include "alphabet.hpp"
#include "mark_set.hpp"
#include "pair_table.hpp"
#include "tgba.hpp"

namespace harrier::internal {

/// The runs of a part of a state space that an automaton accepts, discovered on demand.
///
/// A state, here a *pair*, is a state of the system and one of the automaton.
/// States of the system from `limit` on are not looked into.
class product {
public:
  using pair = std::uint32_t;
  struct edge {
    pair target;
    std::uint32_t step;  ///< index in `state_space::steps` of the source's state, or `stutter`
    mark_set marks;
  };
  static constexpr auto stutter = std::numeric_limits<std::uint32_t>::max();

  /// @param propositions  of the automaton's letters, as indices of `labels`.
  /// All references must outlive this object; `space` must not grow meanwhile.
  product(const state_space& space, std::size_t limit, alphabet& labels, std::vector<std::size_t> propositions,
          tgba& automaton, run_ends ends, bool fair);

  [[nodiscard]] pair initial() const noexcept { return 0; }
  /// The number of pairs found so far.
  [[nodiscard]] std::size_t size() const noexcept { return pairs_.size(); }
  [[nodiscard]] model_state state_of(pair p) const noexcept { return pairs_[p].first; }
  /// All marks that an accepted infinite run must see again and again.
  [[nodiscard]] const mark_set& marks() const noexcept { return all_marks_; }
  /// Whether a pair was expanded whose state lies outside of the part.
  [[nodiscard]] bool has_left_part() const noexcept { return has_left_part_; }

  /// Appends the edges of `from`.
  void expand(pair from, std::vector<edge>& out);
  /// Whether a run that stops in `p` counts and is accepted.
  [[nodiscard]] bool accepts_stop(pair p) const;
  /// Whether every run that comes to `p` counts, however it goes on, and is accepted.
  [[nodiscard]] bool accepts_all(pair p) const;

private:
  [[nodiscard]] bool is_in_part(model_state s) const noexcept { return s < limit_; }
  void expand_step(const pair_table::pair& from, std::uint32_t step, tgba::letter by, const mark_set& fairness,
                   model_state target, std::vector<edge>& out);
  tgba::letter letter_of(model_label label);
  void number_roles();
  const mark_set& idle_marks(model_state s);
  mark_set marks_of(const std::vector<model_role>& roles) const;

  const state_space& space_;
  std::size_t limit_;
  alphabet& labels_;
  std::vector<std::size_t> propositions_;
  tgba& automaton_;
  run_ends ends_;
  bool fair_;
  pair_table pairs_;
  bool has_left_part_ = false;
  mark_set all_marks_;
  std::vector<std::optional<tgba::letter>> letters_;  // by label
  tgba::letter empty_letter_;
  // Under fairness: a mark for each role, after those of the automaton.
  mark_set role_marks_;
  std::vector<std::optional<mark_set>> acting_marks_;  // by label
  std::vector<std::optional<mark_set>> idle_marks_;    // by state
};

}  // namespace harrier::internal
