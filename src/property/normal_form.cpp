// Negation normal form, and rewriting on the way up.
//
// Invariant: every rule keeps the set of the words that satisfy the formula: among all infinite words and, unless the
// store is endless, among all finite words of at least one letter (LTLf). Rules that hold for infinite words alone are
// guarded by `endless_`. On the empty word `F true` and `true` differ; check.cpp never asks a term about it.
//
// Sources: F. Somenzi, R. Bloem, "Efficient Büchi automata from LTL formulae", CAV 2000, for most rules. T. Babiak,
// M. Křetínský, V. Řehák, J. Strejček, "LTL to Büchi automata translation: fast and more deterministic", TACAS 2012,
// for suspendable formulas: those whose value is the same at every position (GF a, FG a, what & and | make of them).
#include "normal_form.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "../core/base/mix.hpp"

namespace harrier::internal {
namespace {

using kind = term_store::kind;
using id = term_store::id;

constexpr kind opposite(kind what) { return what == kind::conjunction ? kind::disjunction : kind::conjunction; }

/// Merging nests as deeply as the formulas that are merged; beyond this depth they are left as they are.
constexpr std::size_t max_merging_depth = 64;

}  // namespace

term_store::term_store(bool endless) : endless_(endless) {
  intern({.what = kind::truth, .is_suspendable = true});
  intern({.what = kind::falsity, .is_suspendable = true});
}

std::size_t term_store::term_hash::operator()(const term& t) const noexcept {
  auto h = mix(mix(mix(1, static_cast<std::uint64_t>(t.what)), t.left), t.right);
  for (const auto operand : t.operands) h = mix(h, operand);
  return h;
}

id term_store::intern(term t) {
  const auto [place, is_new] = id_of_term_.try_emplace(std::move(t), static_cast<id>(terms_.size()));
  if (is_new) terms_.push_back(place->first);
  return place->second;
}

id term_store::literal(id proposition, bool is_negated) {
  return intern({.what = kind::literal, .left = proposition, .right = is_negated ? 1U : 0U});
}

id term_store::next(kind what, id operand) {
  if (endless_) what = kind::next;
  if (what == kind::next && operand == constant(false)) return operand;
  if (what == kind::weak_next && operand == constant(true)) return operand;
  if (endless_ && terms_[operand].is_suspendable) return operand;  // constants among them
  return intern({.what = what, .left = operand});
}

id term_store::temporal(kind what, id left, id right) {
  // Written for until; release is its mirror, with true and false exchanged.
  const auto unit = constant(what == kind::until);
  const auto& r = terms_[right];
  if (r.is_suspendable) return right;                                         // a U true, a U GF b
  if (left == constant(what != kind::until) || left == right) return right;   // false U b, b U b
  if (r.what == what && (r.left == left || r.left == unit)) return right;     // a U (a U b), a U F b
  if (terms_[left].what == what && terms_[left].right == right) return left;  // (a U b) U b
  const auto mirror = what == kind::until ? kind::release : kind::until;
  const bool recurs = left == unit && r.what == mirror && r.left == constant(what != kind::until);  // F G b
  return intern({.what = what, .left = left, .right = right, .is_suspendable = recurs});
}

id term_store::junction(kind what, std::vector<id> operands) {
  const auto unit = constant(what == kind::conjunction);
  do {
    std::vector<id> flat;
    for (const auto operand : operands) {
      const auto& t = terms_[operand];
      if (t.what == what) {
        flat.insert(flat.end(), t.operands.begin(), t.operands.end());
      } else if (operand != unit) {
        flat.push_back(operand);
      }
    }
    std::sort(flat.begin(), flat.end());
    flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
    operands = std::move(flat);
    if (is_decided(what, operands)) return constant(what != kind::conjunction);
    drop_absorbed(what, operands);
  } while (merge(what, operands));
  if (operands.empty()) return unit;
  if (operands.size() == 1) return operands.front();
  const bool suspendable =
      std::all_of(operands.begin(), operands.end(), [&](id operand) { return terms_[operand].is_suspendable; });
  return intern({.what = what, .operands = std::move(operands), .is_suspendable = suspendable});
}

/// a & !a, a & false; dually for disjunctions.
bool term_store::is_decided(kind what, const std::vector<id>& operands) const {
  std::vector<std::pair<id, id>> literals;
  for (const auto operand : operands) {
    if (operand == constant(what != kind::conjunction)) return true;
    const auto& t = terms_[operand];
    if (t.what == kind::literal) literals.emplace_back(t.left, t.right);
  }
  std::sort(literals.begin(), literals.end());
  const auto same_proposition = [](const auto& a, const auto& b) { return a.first == b.first; };
  return std::adjacent_find(literals.begin(), literals.end(), same_proposition) != literals.end();
}

/// a & (a | b) = a; dually for disjunctions.
void term_store::drop_absorbed(kind what, std::vector<id>& operands) const {
  const auto is_absorbed = [&](id operand) {
    const auto& t = terms_[operand];
    return t.what == opposite(what) && std::any_of(t.operands.begin(), t.operands.end(), [&](id inner) {
             return std::binary_search(operands.begin(), operands.end(), inner);
           });
  };
  std::vector<id> kept;
  std::remove_copy_if(operands.begin(), operands.end(), std::back_inserter(kept), is_absorbed);
  operands = std::move(kept);
}

/// Operands with the same key are merged into one:
///   X a & X b = X (a & b)      X a | X b = X (a | b)      likewise the weak next
///   (a U b) & (c U b) = (a & c) U b       (a U b) | (a U c) = a U (b | c)
///   (a R b) & (a R c) = a R (b & c)       (a R b) | (c R b) = (a | c) R b
std::pair<std::uint64_t, bool> term_store::merge_key(kind what, id operand) const {
  const auto& t = terms_[operand];
  const auto tag = static_cast<std::uint64_t>(t.what) << 32;
  switch (t.what) {
    case kind::next:
    case kind::weak_next: return {tag, true};
    case kind::until: return {tag | (what == kind::conjunction ? t.right : t.left), true};
    case kind::release: return {tag | (what == kind::conjunction ? t.left : t.right), true};
    default: return {0, false};
  }
}

id term_store::merged(kind what, const std::vector<id>& group) {
  const auto inner = [&](bool left_operands) {
    std::vector<id> operands;
    for (const auto member : group) operands.push_back(left_operands ? terms_[member].left : terms_[member].right);
    return junction(what, std::move(operands));
  };
  const auto first = terms_[group.front()];
  if (first.what == kind::next || first.what == kind::weak_next) return next(first.what, inner(true));
  const bool right_is_common = (first.what == kind::until) == (what == kind::conjunction);
  if (right_is_common) return temporal(first.what, inner(true), first.right);
  return temporal(first.what, first.left, inner(false));
}

/// @return whether anything was merged, so that the operands must be looked at again.
bool term_store::merge(kind what, std::vector<id>& operands) {
  if (merging_depth_ >= max_merging_depth) return false;
  std::map<std::uint64_t, std::vector<id>> groups;
  std::vector<id> rest;
  for (const auto operand : operands) {
    if (const auto [key, mergeable] = merge_key(what, operand); mergeable) {
      groups[key].push_back(operand);
    } else {
      rest.push_back(operand);
    }
  }
  bool changed = false;
  ++merging_depth_;
  for (const auto& [key, group] : groups) {
    changed = changed || group.size() > 1;
    rest.push_back(group.size() > 1 ? merged(what, group) : group.front());
  }
  --merging_depth_;
  if (changed) operands = std::move(rest);
  return changed;
}

namespace {

/// Translates the nodes of one formula, each with the polarities that are needed.
class normaliser {
public:
  normaliser(term_store& store, const formula& f)
      : store_(store), nodes_(f.nodes()), terms_(nodes_.size()), seen_in_walk_(nodes_.size()) {}

  id run(bool is_negated) {
    std::vector<std::array<bool, 2>> needed(nodes_.size());
    needed.back()[is_negated ? 1 : 0] = true;
    for (auto i = nodes_.size(); i-- > 0;) mark_operands(static_cast<std::uint32_t>(i), needed[i], needed);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (const bool negated : {false, true}) {
        if (needed[i][negated ? 1 : 0]) terms_[i][negated ? 1 : 0] = translate(static_cast<std::uint32_t>(i), negated);
      }
    }
    return terms_.back()[is_negated ? 1 : 0];
  }

private:
  using polarities = std::array<bool, 2>;

  /// A node, and whether its negation is meant.
  struct signed_node {
    std::uint32_t node;
    bool negated;
  };

  void mark_operands(std::uint32_t at, polarities here, std::vector<polarities>& needed) {
    const auto& n = nodes_[at];
    for (const bool negated : {false, true}) {
      if (!here[negated ? 1 : 0]) continue;
      if (junction_of(n.op, negated)) {
        for (const auto leaf : leaves(at, negated)) needed[leaf.node][leaf.negated ? 1 : 0] = true;
        continue;
      }
      const bool both = n.op == ltl_operator::equivalence || n.op == ltl_operator::exclusive_or;
      const bool flipped = n.op == ltl_operator::negation;
      for (const bool operand : {false, true}) {
        if (arity(n.op) < (operand ? 2U : 1U)) break;
        auto& marks = needed[operand ? n.right : n.left];
        marks[negated != flipped ? 1 : 0] = true;
        if (both) marks = {true, true};
      }
    }
  }

  /// The junction that `op`, or its negation, is; nothing for other operators.
  static std::optional<kind> junction_of(ltl_operator op, bool negated) {
    switch (op) {
      case ltl_operator::conjunction: return negated ? kind::disjunction : kind::conjunction;
      case ltl_operator::disjunction:
      case ltl_operator::implication: return negated ? kind::conjunction : kind::disjunction;
      default: return std::nullopt;
    }
  }

  /// The operands of a chain of equal junctions. To translate each of its members would take quadratic memory.
  std::vector<signed_node> leaves(std::uint32_t top, bool negated) {
    const auto what = junction_of(nodes_[top].op, negated);
    std::vector<signed_node> found;
    std::vector<signed_node> pending{{top, negated}};
    ++walk_;
    while (!pending.empty()) {
      const auto [at, flip] = pending.back();
      pending.pop_back();
      auto& seen = seen_in_walk_[at][flip ? 1 : 0];
      if (std::exchange(seen, walk_) == walk_) continue;
      const auto& n = nodes_[at];
      if (n.op == ltl_operator::negation) {
        pending.push_back({n.left, !flip});
      } else if (junction_of(n.op, flip) == what) {
        pending.push_back({n.left, flip != (n.op == ltl_operator::implication)});
        pending.push_back({n.right, flip});
      } else {
        found.push_back({at, flip});
      }
    }
    return found;
  }

  id junction(std::uint32_t top, bool negated) {
    std::vector<id> operands;
    for (const auto leaf : leaves(top, negated)) operands.push_back(terms_[leaf.node][leaf.negated ? 1 : 0]);
    return store_.junction(*junction_of(nodes_[top].op, negated), std::move(operands));
  }

  id translate(std::uint32_t at, bool negated) {
    const auto& n = nodes_[at];
    const auto left = [&](bool flip) { return terms_[n.left][negated != flip ? 1 : 0]; };
    const auto right = [&](bool flip) { return terms_[n.right][negated != flip ? 1 : 0]; };
    const auto dual = [&](kind positive, kind negative) { return negated ? negative : positive; };
    const auto conjunction = dual(kind::conjunction, kind::disjunction);
    const auto disjunction = dual(kind::disjunction, kind::conjunction);
    const auto until = dual(kind::until, kind::release);
    const auto release = dual(kind::release, kind::until);
    switch (n.op) {
      case ltl_operator::constant_true: return term_store::constant(!negated);
      case ltl_operator::constant_false: return term_store::constant(negated);
      case ltl_operator::atom: return store_.literal(n.left, negated);
      case ltl_operator::negation: return left(true);
      case ltl_operator::conjunction:
      case ltl_operator::disjunction:
      case ltl_operator::implication: return junction(at, negated);
      case ltl_operator::equivalence: return equal(n, !negated);
      case ltl_operator::exclusive_or: return equal(n, negated);
      case ltl_operator::next: return store_.next(dual(kind::next, kind::weak_next), left(false));
      case ltl_operator::eventually: return store_.temporal(until, term_store::constant(!negated), left(false));
      case ltl_operator::always: return store_.temporal(release, term_store::constant(negated), left(false));
      case ltl_operator::until: return store_.temporal(until, left(false), right(false));
      case ltl_operator::release: return store_.temporal(release, left(false), right(false));
      case ltl_operator::weak_until:  // a W b = b R (a | b)
        return store_.temporal(release, right(false), store_.junction(disjunction, {left(false), right(false)}));
      case ltl_operator::strong_release:  // a M b = b U (a & b)
        return store_.temporal(until, right(false), store_.junction(conjunction, {left(false), right(false)}));
    }
    return term_store::constant(!negated);
  }

  id equal(const formula::node& n, bool wanted) {
    const auto& a = terms_[n.left];
    const auto& b = terms_[n.right];
    const std::size_t flip = wanted ? 0 : 1;
    return store_.junction(kind::disjunction, {store_.junction(kind::conjunction, {a[0], b[flip]}),
                                               store_.junction(kind::conjunction, {a[1], b[1 - flip]})});
  }

  term_store& store_;
  std::span<const formula::node> nodes_;
  std::vector<std::array<id, 2>> terms_;  // by node: as it stands, negated
  std::vector<std::array<std::uint32_t, 2>> seen_in_walk_;
  std::uint32_t walk_ = 0;
};

}  // namespace

term_store::id add_normal_form(term_store& store, const formula& f, bool is_negated) {
  return normaliser(store, f).run(is_negated);
}

}  // namespace harrier::internal
