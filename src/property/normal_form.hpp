#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <harrier/property/ltl.hpp>

namespace harrier::internal {

/// Formulas in negation normal form, simplified and hash-consed.
///
/// Negation is left at propositions only; `F G W M -> <-> ^` are expressed by
/// what is below. Terms are numbered so that operands come before operators.
class term_store {
public:
  using id = std::uint32_t;
  enum class kind : std::uint8_t { truth, falsity, literal, conjunction, disjunction, next, weak_next, until, release };

  struct term {
    kind what = kind::truth;
    id left = 0;                  ///< operand; of a literal: the proposition
    id right = 0;                 ///< second operand; of a literal: 1 if negated
    std::vector<id> operands{};   ///< of conjunctions and disjunctions: at least two, sorted
    bool is_suspendable = false;  ///< has the same value at every position of a word
    friend bool operator==(const term&, const term&) = default;
  };

  /// @param endless  all runs are infinite, so that a weak next is a next.
  explicit term_store(bool endless);

  [[nodiscard]] const term& operator[](id t) const noexcept { return terms_[t]; }
  [[nodiscard]] std::size_t size() const noexcept { return terms_.size(); }
  [[nodiscard]] bool is_endless() const noexcept { return endless_; }

  [[nodiscard]] static constexpr id constant(bool value) noexcept { return value ? 0 : 1; }
  id literal(id proposition, bool is_negated);
  /// `what` is conjunction or disjunction.
  id junction(kind what, std::vector<id> operands);
  /// `what` is next or weak_next.
  id next(kind what, id operand);
  /// `what` is until or release.
  id temporal(kind what, id left, id right);

private:
  struct term_hash {
    std::size_t operator()(const term& t) const noexcept;
  };

  id intern(term t);
  bool is_decided(kind what, const std::vector<id>& operands) const;
  void drop_absorbed(kind what, std::vector<id>& operands) const;
  bool merge(kind what, std::vector<id>& operands);
  std::pair<std::uint64_t, bool> merge_key(kind what, id operand) const;
  id merged(kind what, const std::vector<id>& group);

  bool endless_;
  std::size_t merging_depth_ = 0;
  std::vector<term> terms_;
  std::unordered_map<term, id, term_hash> id_of_term_;
};

/// Adds `f`, or its negation, to `store`. Its atoms become propositions under their index in `f.atoms()`.
term_store::id add_normal_form(term_store& store, const formula& f, bool is_negated);

}  // namespace harrier::internal
