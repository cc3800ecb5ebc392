#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "mark_set.hpp"
#include "normal_form.hpp"

namespace harrier::internal {

/// An automaton has more alternatives, or takes more work to build, than was allowed.
struct automaton_too_large : std::runtime_error {
  automaton_too_large() : std::runtime_error("the automaton of a formula is too large") {}
};

/// A transition-based generalised Büchi automaton, built as far as it is asked.
///
/// It accepts an infinite word iff some run over it has, for every mark,
/// infinitely many edges that carry the mark. It accepts a finite word of at
/// least one letter iff some run over it ends in a state that may end.
class tgba {
public:
  using state = std::uint32_t;
  using letter = std::uint32_t;
  struct edge {
    state target;
    mark_set marks;
  };

  /// @param store  of `root`; must outlive this object and not change.
  tgba(const term_store& store, term_store::id root);

  [[nodiscard]] state initial() const noexcept { return 0; }
  [[nodiscard]] std::size_t marks() const noexcept { return untils_; }

  /// Numbers a letter, given as the truth of each proposition.
  letter letter_of(const std::vector<bool>& truth);

  /// The edges of a state that a letter allows. The span is valid as long as this object.
  /// @throws automaton_too_large
  std::span<const edge> edges(state from, letter by);

  [[nodiscard]] bool may_end(state at) const noexcept { return may_end_[at]; }
  /// Whether every word is accepted from here, finite or infinite.
  [[nodiscard]] bool accepts_all(state at) const noexcept { return states_[at].empty(); }

private:
  /// A term to be satisfied from the next letter on, times two; plus one if that letter must exist.
  using obligation = std::uint32_t;
  using obligations = std::vector<obligation>;  // sorted

  /// One way to satisfy a term: what is left for the next step, and the untils that this step puts off.
  struct cover {
    obligations next;
    mark_set promises;
  };
  using covers = std::vector<cover>;

  const covers& covers_of(term_store::id t, letter by);
  const covers* known(term_store::id t, letter by) const;
  bool operands_are_known(const term_store::term& t, letter by, std::vector<term_store::id>& missing) const;
  covers compute(term_store::id t, letter by);
  covers all_of(std::span<const term_store::id> operands, letter by);
  covers any_of(std::span<const term_store::id> operands, letter by);
  void minimise(covers& all);
  void work(std::size_t amount);
  void add_obligation(obligations& set, term_store::id t, bool strong) const;
  void drop_implied(obligations& set) const;
  state intern(obligations set);
  std::vector<edge> compute_edges(state from, letter by);

  const term_store& store_;
  std::size_t untils_ = 0;
  std::size_t work_done_ = 0;
  std::vector<std::size_t> mark_of_;  // by term, for untils
  std::vector<std::vector<bool>> letters_;
  std::map<std::vector<bool>, letter> letter_ids_;
  std::vector<obligations> states_;
  std::vector<bool> may_end_;
  std::map<obligations, state> state_ids_;
  std::unordered_map<std::uint64_t, covers> covers_;          // by term and letter
  std::deque<std::vector<edge>> edge_lists_;                  // never move
  std::vector<std::vector<const std::vector<edge>*>> edges_;  // by state and letter; null if not asked for yet
};

}  // namespace harrier::internal
