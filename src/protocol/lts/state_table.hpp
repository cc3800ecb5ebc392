#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "../../property/pair_table.hpp"
#include "word_table.hpp"

namespace harrier::protocol::internal {

/// Numbers long words of 32-bit integers that are much alike, as the states of a system of many machines are: what
/// words have in common is kept once.
///
/// A word is cut into pieces of eight letters, which are numbered; the word is a tree of pairs of such numbers, and
/// each different pair is numbered in turn. So a word that differs from another in one piece takes some pairs more.
/// After S. Blom, B. Lisser, J. van de Pol, M. Weber, "A database approach to distributed state-space generation", 2007
/// (tree compression). A word's length is part of it, and says what its tree looks like.
///
/// Memory: 16 to 24 bytes a word, and what its parts take that no other has. To number a word or to find it again
/// takes a look for each piece.
class state_table {
public:
  /// The number of `w`, a new one if it is new: dense, from 0.
  std::uint32_t number(std::span<const std::uint32_t> w) {
    return words_.number({fold(w), static_cast<std::uint32_t>(w.size())});
  }

  /// Writes the word into `into`, in place of what is there.
  void get(std::uint32_t number, std::vector<std::uint32_t>& into) const {
    const auto [root, length] = words_[number];
    into.resize(length);
    unfold(root, into);
  }

  [[nodiscard]] std::size_t size() const noexcept { return words_.size(); }

private:
  static constexpr std::size_t piece = 8;

  // Where a word of several pieces is cut in two: between pieces.
  static std::size_t middle(std::size_t length) { return (length / 2 + piece - 1) / piece * piece; }

  std::uint32_t fold(std::span<const std::uint32_t> w) {
    if (w.size() <= piece) return pieces_.number(w);
    const auto cut = middle(w.size());
    const auto left = fold(w.first(cut));
    return pairs_.number({left, fold(w.subspan(cut))});
  }

  void unfold(std::uint32_t node, std::span<std::uint32_t> into) const {
    if (into.size() <= piece) {
      std::ranges::copy(pieces_[node], into.begin());
      return;
    }
    const auto cut = middle(into.size());
    const auto [left, right] = pairs_[node];
    unfold(left, into.first(cut));
    unfold(right, into.subspan(cut));
  }

  word_table pieces_;
  harrier::internal::pair_table pairs_;  // of pieces or of pairs, as their place in the tree says
  harrier::internal::pair_table words_;  // root and length
};

}  // namespace harrier::protocol::internal
