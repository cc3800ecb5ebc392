#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <harrier/protocol/evaluate.hpp>

#include "interner.hpp"
#include "value_table.hpp"
#include "word_table.hpp"

namespace harrier::protocol::internal {

/// What remains to be done of a session: a small number, equal iff the terms are and their actions are written at the
/// same places.
///
/// A session has a term for each state, or more, that differ in the parts of `cat` and `par`, which change with every
/// step, and in values that are counted. So `cat`, `par` and `alt`, *groups*, are words of numbers, those of their
/// parts; all other terms, *leaves*, are words too: a shape, which is an interned node with holes for values, and the
/// values' numbers.
using term = std::uint32_t;

class term_table {
public:
  /// The values of variables. Those of holes are those of a leaf; of other variables of one name the last one counts.
  struct scope {
    std::vector<std::uint32_t> holes;
    std::vector<std::pair<std::string_view, std::uint32_t>> variables;
  };

  /// What `n` is with values for its free variables, which `values` has.
  term of(const interned* n, const scope& values = {}) { return of(pattern_of(n), values); }

  /// @param kind  `cat`, `par` or `alt`
  term group(node_kind kind, std::span<const term> parts) {
    word_.assign(1, static_cast<std::uint32_t>(kind));
    word_.insert(word_.end(), parts.begin(), parts.end());
    return groups_.number(word_);
  }

  /// The same for all terms that are equal, wherever their actions are written.
  term plain(term t) {
    if (is_leaf(t)) {
      const auto values = values_of(t);
      const auto* shape = node_of(t)->plain;
      word_.assign(1, shape->number);
      word_.insert(word_.end(), values.begin(), values.end());
      return leaf(shape);
    }
    if (t < plain_of_.size() && plain_of_[t] != unknown) return plain_of_[t];
    std::vector<term> plain_parts(parts(t).begin(), parts(t).end());
    for (auto& part : plain_parts) part = plain(part);
    const auto result = group(kind(t), plain_parts);
    if (plain_of_.size() <= t) plain_of_.resize(t + std::size_t{1}, unknown);
    return plain_of_[t] = result;
  }

  [[nodiscard]] static bool is_leaf(term t) { return (t & leaf_bit) != 0; }
  [[nodiscard]] static std::uint32_t number_of_leaf(term t) { return t & ~leaf_bit; }
  /// The leaf with holes for its values. All that is alike has the node that was met first: its positions are those.
  /// @pre `is_leaf(t)`
  [[nodiscard]] const interned* node_of(term t) const { return nodes_[written_[number_of_leaf(t)]]; }
  /// By hole. Valid until the next call of `of` or `plain`. @pre `is_leaf(t)`
  [[nodiscard]] std::span<const std::uint32_t> values_of(term t) const { return leaves_[number_of_leaf(t)].subspan(1); }
  /// @pre `is_leaf(t)`
  [[nodiscard]] scope scope_of(term t) const {
    const auto values = values_of(t);
    return {{values.begin(), values.end()}, {}};
  }
  /// @pre not `is_leaf(t)`
  [[nodiscard]] node_kind kind(term t) const { return static_cast<node_kind>(groups_[t][0]); }
  /// Valid until the next call of a function that is not const. @pre not `is_leaf(t)`
  [[nodiscard]] std::span<const term> parts(term t) const { return groups_[t].subspan(1); }

  /// For `evaluate`.
  [[nodiscard]] bindings variables_of(const scope& values) {
    bindings result;
    result.reserve(values.holes.size() + values.variables.size());
    for (std::size_t i = 0; i < values.holes.size(); ++i) result.emplace_back(nodes_.hole(i), values_[values.holes[i]]);
    for (const auto& [name, number] : values.variables) result.emplace_back(name, values_[number]);
    return result;
  }

  /// The nodes that shapes are made of.
  [[nodiscard]] interner& nodes() noexcept { return nodes_; }
  [[nodiscard]] const interner& nodes() const noexcept { return nodes_; }
  [[nodiscard]] value_table& values() noexcept { return values_; }
  [[nodiscard]] const value_table& values() const noexcept { return values_; }

  /// How much all terms are, in parts of nodes: two letters of a word take as much as one.
  [[nodiscard]] std::size_t size() const noexcept {
    return nodes_.size() + (groups_.letters() + leaves_.letters()) / 2;
  }

private:
  static constexpr term leaf_bit = term{1} << 31U;
  static constexpr term unknown = std::numeric_limits<term>::max();

  // What a node that is written becomes, once there are values.
  struct pattern {
    // Where the value of a hole comes from: a literal's number, a hole, or a variable of that name.
    struct source {
      enum : std::uint8_t { literal, hole, variable } from;
      std::uint32_t number;
      std::string_view name;
    };

    node_kind kind = node_kind::skip;   // of a group
    std::vector<const pattern*> parts;  // of a group
    const interned* shape = nullptr;    // of a leaf
    std::vector<source> sources;        // of a leaf, by hole
    bool is_constant = true;
    mutable term known = unknown;  // if it is constant, once it was needed
  };

  static bool is_group(node_kind kind) {
    return kind == node_kind::cat || kind == node_kind::par || kind == node_kind::alt;
  }

  const pattern& pattern_of(const interned* n) {
    if (n->number < pattern_of_.size() && pattern_of_[n->number] != nullptr) return *pattern_of_[n->number];
    pattern made;
    if (is_group(n->kind)) {
      made.kind = n->kind;
      for (std::size_t i = 0; i < n->children.size(); ++i) {
        made.parts.push_back(&pattern_of(child(*n, i)));
        made.is_constant = made.is_constant && made.parts.back()->is_constant;
      }
    } else {
      std::vector<const interned*> replaced;
      made.shape = nodes_.shape(n, replaced);
      for (const auto* r : replaced) {
        made.sources.push_back(source_of(*r));
        made.is_constant = made.is_constant && r->kind == node_kind::literal;
      }
    }
    if (pattern_of_.size() <= n->number) pattern_of_.resize(n->number + std::size_t{1}, nullptr);
    return *(pattern_of_[n->number] = &patterns_.emplace_back(std::move(made)));
  }

  typename pattern::source source_of(const interned& replaced) {
    if (replaced.kind == node_kind::literal) return {pattern::source::literal, values_.number(replaced.literal), {}};
    if (!interner::is_hole(replaced.name)) return {pattern::source::variable, 0, replaced.name};
    return {pattern::source::hole, static_cast<std::uint32_t>(interner::number_of_hole(replaced.name)), {}};
  }

  static std::uint32_t value_of(const pattern::source& s, const scope& values) {
    if (s.from == pattern::source::literal) return s.number;
    if (s.from == pattern::source::hole) return values.holes[s.number];
    auto found = values.variables.rbegin();
    while (found->first != s.name) ++found;  // every variable has a value
    return found->second;
  }

  term of(const pattern& p, const scope& values) {
    if (p.known != unknown) return p.known;
    term result = unknown;
    if (p.shape != nullptr) {
      word_.assign(1, p.shape->alike->number);
      for (const auto& s : p.sources) word_.push_back(value_of(s, values));
      result = leaf(p.shape);
    } else {
      std::vector<term> parts;
      parts.reserve(p.parts.size());
      for (const auto* part : p.parts) parts.push_back(of(*part, values));
      result = group(p.kind, parts);
    }
    if (p.is_constant) p.known = result;
    return result;
  }

  // Of the word in `word_`; written as `shape` is, if it is new.
  term leaf(const interned* shape) {
    const auto number = leaves_.number(word_);
    if (number == written_.size()) written_.push_back(shape->number);
    return number | leaf_bit;
  }

  interner nodes_;
  value_table values_;
  word_table groups_;
  word_table leaves_;                   // of each the shape, then the values of its holes
  std::vector<std::uint32_t> written_;  // by leaf
  std::deque<pattern> patterns_;
  std::vector<const pattern*> pattern_of_;  // by number of the interned node
  std::vector<term> plain_of_;              // by group; empty where all actions are written once
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
