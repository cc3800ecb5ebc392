#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "interner.hpp"
#include "word_table.hpp"

namespace harrier::protocol::internal {

/// What remains to be done of a session: a small number, equal iff the terms are and their actions are written at the
/// same places.
///
/// The parts of `cat` and `par` change with every step, and a session has one such term for each state, or more. So
/// these, *groups*, are words of numbers; all other terms, *leaves*, are interned nodes.
using term = std::uint32_t;

class term_table {
public:
  /// Also of a `cat` or `par`, which becomes a group.
  term of(const interned* n) {
    if (n->kind != node_kind::cat && n->kind != node_kind::par) return n->number | leaf_bit;
    if (n->number < group_of_.size() && group_of_[n->number] != unknown) return group_of_[n->number];
    std::vector<term> parts;
    for (std::size_t i = 0; i < n->children.size(); ++i) parts.push_back(of(child(*n, i)));
    const auto result = group(n->kind, parts);
    if (group_of_.size() <= n->number) group_of_.resize(n->number + std::size_t{1}, unknown);
    return group_of_[n->number] = result;
  }

  /// @param kind  `cat` or `par`
  term group(node_kind kind, std::span<const term> parts) {
    word_.assign(1, static_cast<std::uint32_t>(kind));
    word_.insert(word_.end(), parts.begin(), parts.end());
    return groups_.number(word_);
  }

  /// The same for all terms that are equal, wherever their actions are written.
  /// @param terms  what leaves are part of
  term plain(term t, const interner& terms) {
    if (is_leaf(t)) return of(terms[number_of_leaf(t)]->plain);
    if (t < plain_of_.size() && plain_of_[t] != unknown) return plain_of_[t];
    std::vector<term> plain_parts(parts(t).begin(), parts(t).end());
    for (auto& part : plain_parts) part = plain(part, terms);
    const auto result = group(kind(t), plain_parts);
    if (plain_of_.size() <= t) plain_of_.resize(t + std::size_t{1}, unknown);
    return plain_of_[t] = result;
  }

  [[nodiscard]] static bool is_leaf(term t) { return (t & leaf_bit) != 0; }
  /// The number of the interned node. @pre `is_leaf(t)`
  [[nodiscard]] static std::uint32_t number_of_leaf(term t) { return t & ~leaf_bit; }
  /// @pre not `is_leaf(t)`
  [[nodiscard]] node_kind kind(term t) const { return static_cast<node_kind>(groups_[t][0]); }
  /// Valid until the next call of `of` or `group`. @pre not `is_leaf(t)`
  [[nodiscard]] std::span<const term> parts(term t) const { return groups_[t].subspan(1); }

  /// How many groups there are: they are numbered densely from 0.
  [[nodiscard]] std::size_t groups() const noexcept { return groups_.size(); }
  /// How many parts they have together.
  [[nodiscard]] std::size_t size() const noexcept { return groups_.letters(); }

private:
  static constexpr term leaf_bit = term{1} << 31U;
  static constexpr term unknown = std::numeric_limits<term>::max();

  word_table groups_;
  std::vector<term> group_of_;  // by number of the interned node
  std::vector<term> plain_of_;  // by group; empty where all actions are written once
  std::vector<std::uint32_t> word_;
};

/// A value for each term that has one.
template <class Value>
class by_term {
public:
  explicit by_term(Value none) : none_(none) {}
  [[nodiscard]] Value get(term t) const {
    const auto& values = term_table::is_leaf(t) ? leaves_ : groups_;
    const auto at = term_table::number_of_leaf(t);
    return at < values.size() ? values[at] : none_;
  }
  void set(term t, Value value) {
    auto& values = term_table::is_leaf(t) ? leaves_ : groups_;
    const auto at = term_table::number_of_leaf(t);
    if (at >= values.size()) values.resize(at + std::size_t{1}, none_);
    values[at] = value;
  }

private:
  Value none_;
  std::vector<Value> leaves_;
  std::vector<Value> groups_;
};

}  // namespace harrier::protocol::internal
