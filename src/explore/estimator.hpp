#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/engine/search_context.hpp>

#include "subtree_sizes.hpp"

namespace harrier {

/// Guesses, while a search runs, how many executions it will come to: see
/// docs/estimation.md. It looks at a few of their ends only, fewer the more there
/// were, and spends no more than 2 % of the time on it, except that it always looks
/// when the leaves have doubled.
class estimator {
public:
  using clock = std::chrono::steady_clock;

  /// @param search  whose branches are looked at; must outlive all calls but `estimate`.
  explicit estimator(const search_context& search) : search_(search) {}

  /// The search is at a leaf of its tree, or gave an execution up.
  void leaf_met(bool is_at_end) {
    if (++leaves_ >= next_ && is_at_end) look();
  }
  /// Time has passed: the next leaf is looked at if that is due.
  void tick() {
    if (clock::now() - looked_ >= between_looks) next_ = leaves_;
  }

  /// Nothing if the engine does not say how its tree branches, or no leaf was met.
  /// @param executions  of the leaves, those that count.
  /// @param ended  the search is at its end, so the guess is exact.
  [[nodiscard]] std::optional<size_estimate> estimate(std::uint64_t executions, bool ended) const;

private:
  static constexpr std::chrono::milliseconds between_looks{250};
  void look();

  const search_context& search_;
  subtree_sizes sizes_;
  std::vector<branching> path_;
  std::uint64_t leaves_ = 0;
  std::uint64_t next_ = 1;         // the leaf to be looked at next
  std::uint64_t leaves_seen_ = 0;  // when it last looked
  bool has_looked_ = false;
  bool is_late_ = false;  // it should have looked since, and had no time
  bool gave_up_ = false;
  double by_mass_ = 0;
  double by_sizes_ = 0;
  clock::time_point started_ = clock::now();
  clock::time_point looked_ = started_;
  clock::duration spent_{};
};

}  // namespace harrier
