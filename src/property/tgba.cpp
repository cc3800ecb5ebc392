// From a formula to a transition-based generalised Büchi automaton.
//
// Paper: J.-M. Couvreur, "On-the-fly verification of linear temporal logic", FM 1999. A state is a set of formulas to
// be satisfied; an edge satisfies them now by choosing a branch of every disjunction, where a U b = b | (a & X(a U b))
// and a R b = b & (a | X(a R b)), and *promises* a U b when it takes the second branch. There is one mark for each
// until, carried by the edges that do not promise it: a run with all marks for ever puts nothing off for ever.
//
// Invariant: from state S exactly the words are accepted that satisfy all formulas of S.
//
// D1: edges are computed for one letter at a time. Covers then hold no literals, which the letter has decided, and a
// property over hundreds of propositions does not split into letters that no system ever shows.
//
// D2: covers are computed bottom up and remembered for (term, letter), where the paper uses BDDs. A cover is dropped if
// another asks for less and promises less: fewer obligations simulate more, mark by mark.
//
// D3: for finite words (LTLf: G. De Giacomo, M. Vardi, IJCAI 2013), an obligation says whether the letter it waits for
// must exist. X and a postponed until are strong; the weak next and a postponed release are not. A run may end in a
// state without strong obligations. Endless stores have weak obligations only.
//
// D4: an obligation that another one forces at once (a R b forces b; a conjunction its parts) is left out of a state:
// the next step would meet it anyway, and make the same choice for both.
#include "tgba.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace harrier::internal {
namespace {

using kind = term_store::kind;
using id = term_store::id;

constexpr std::size_t max_covers = 8192;
/// Comparisons of covers, and copies of obligations, in the life of one automaton: a second or two.
constexpr std::size_t max_work = 30'000'000;
/// D4 looks at so many forced obligations and no more: it saves states, and is not needed for anything else.
constexpr std::size_t max_forced = 64;

constexpr std::uint64_t key(id t, tgba::letter by) { return (std::uint64_t{t} << 32) | by; }

}  // namespace

tgba::tgba(const term_store& store, id root) : store_(store), mark_of_(store.size()) {
  // Only the untils below the root get a mark.
  std::vector<bool> is_below(store.size());
  is_below[root] = true;
  for (auto t = root + 1; t-- > 0;) {
    if (!is_below[t]) continue;
    const auto& term = store[t];
    if (term.what >= kind::next) is_below[term.left] = true;
    if (term.what >= kind::until) is_below[term.right] = true;
    for (const auto operand : term.operands) is_below[operand] = true;
    if (term.what == kind::until) mark_of_[t] = untils_++;
  }
  obligations first;
  add_obligation(first, root, false);
  drop_implied(first);
  intern(std::move(first));
}

tgba::letter tgba::letter_of(const std::vector<bool>& truth) {
  const auto [place, is_new] = letter_ids_.try_emplace(truth, static_cast<letter>(letters_.size()));
  if (is_new) letters_.push_back(truth);
  return place->second;
}

tgba::state tgba::intern(obligations set) {
  const auto [place, is_new] = state_ids_.try_emplace(std::move(set), static_cast<state>(states_.size()));
  if (is_new) {
    states_.push_back(place->first);
    edges_.emplace_back();
    may_end_.push_back(std::none_of(place->first.begin(), place->first.end(), [](obligation o) { return o % 2 == 1; }));
  }
  return place->second;
}

std::span<const tgba::edge> tgba::edges(state from, letter by) {
  if (edges_[from].size() <= by) edges_[from].resize(letters_.size(), nullptr);
  if (edges_[from][by] == nullptr) {
    edge_lists_.push_back(compute_edges(from, by));
    edges_[from][by] = &edge_lists_.back();
  }
  return *edges_[from][by];
}

namespace {

/// Whether the sorted set `more` demands everything that `less` demands: the same, or a strong one for a weak one.
bool demands(const std::vector<std::uint32_t>& more, const std::vector<std::uint32_t>& less) {
  return std::all_of(less.begin(), less.end(), [&](std::uint32_t o) {
    return std::binary_search(more.begin(), more.end(), o) || std::binary_search(more.begin(), more.end(), o | 1U);
  });
}

/// A summary that keeps inclusion, to refute most comparisons at once.
std::uint64_t signature(const std::vector<std::uint32_t>& set) {
  std::uint64_t bits = 0;
  for (const auto o : set) bits |= std::uint64_t{1} << (o / 2 * 0x9e3779b1U >> 26);
  return bits;
}

}  // namespace

void tgba::work(std::size_t amount) {
  work_done_ += amount;
  if (work_done_ > max_work) throw automaton_too_large();
}

/// Keeps the covers that no other one dominates (D2).
void tgba::minimise(covers& all) {
  // Once sorted by size, a cover is dominated by an earlier one, or by one of the same size.
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.next.size() < b.next.size(); });
  covers kept;
  std::vector<std::uint64_t> signatures;
  for (auto& candidate : all) {
    work(kept.size() + candidate.next.size());
    const auto own = signature(candidate.next);
    const auto dominates = [](const auto& a, std::uint64_t of_a, const auto& b, std::uint64_t of_b) {
      return (of_a & ~of_b) == 0 && b.promises.includes(a.promises) && demands(b.next, a.next);
    };
    bool is_dominated = false;
    for (std::size_t i = 0; i < kept.size() && !is_dominated; ++i) {
      is_dominated = dominates(kept[i], signatures[i], candidate, own);
    }
    if (is_dominated) continue;
    for (auto i = kept.size(); i-- > 0 && kept[i].next.size() == candidate.next.size();) {
      if (!dominates(candidate, own, kept[i], signatures[i])) continue;
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
      signatures.erase(signatures.begin() + static_cast<std::ptrdiff_t>(i));
    }
    kept.push_back(std::move(candidate));
    signatures.push_back(own);
    if (kept.size() > max_covers) throw automaton_too_large();
  }
  all = std::move(kept);
}

void tgba::add_obligation(obligations& set, id t, bool strong) const {
  const auto insert = [&](id part) {
    if (part == term_store::constant(true) && !strong) return;
    const auto o = 2 * part + (strong ? 1U : 0U);
    const auto place = std::lower_bound(set.begin(), set.end(), 2 * part);
    // At `place` stand the weak one, then the strong one: at most one of them is kept, the strong one.
    if (place == set.end() || *place / 2 != part) {
      set.insert(place, o);
    } else {
      *place |= o;
    }
  };
  const auto& term = store_[t];
  if (term.what == kind::conjunction) {
    for (const auto operand : term.operands) insert(operand);
  } else {
    insert(t);
  }
}

void tgba::drop_implied(obligations& set) const {
  obligations forced;
  for (const auto o : set) {
    std::vector<id> pending{o / 2};
    for (std::size_t looked_at = 0; !pending.empty() && looked_at < max_forced; ++looked_at) {
      const auto t = pending.back();
      pending.pop_back();
      if (t != o / 2) forced.push_back(2 * t + o % 2);
      const auto& term = store_[t];
      if (term.what == kind::release) pending.push_back(term.right);
      if (term.what == kind::conjunction) {
        pending.insert(pending.end(), term.operands.begin(), term.operands.end());
      }
    }
  }
  std::sort(forced.begin(), forced.end());
  std::erase_if(set, [&](obligation o) {
    return std::binary_search(forced.begin(), forced.end(), o) ||
           std::binary_search(forced.begin(), forced.end(), o | 1U);
  });
}

const tgba::covers* tgba::known(id t, letter by) const {
  const auto found = covers_.find(key(t, by));
  return found == covers_.end() ? nullptr : &found->second;
}

bool tgba::operands_are_known(const term_store::term& t, letter by, std::vector<id>& missing) const {
  const auto before = missing.size();
  const auto look_at = [&](id operand) {
    if (known(operand, by) == nullptr) missing.push_back(operand);
  };
  for (const auto operand : t.operands) look_at(operand);
  if (t.what == kind::until || t.what == kind::release) {
    look_at(t.left);
    look_at(t.right);
  }
  return missing.size() == before;
}

const tgba::covers& tgba::covers_of(id t, letter by) {
  std::vector<id> pending{t};
  while (!pending.empty()) {
    const auto top = pending.back();
    if (known(top, by) == nullptr) {
      if (!operands_are_known(store_[top], by, pending)) continue;
      covers_.emplace(key(top, by), compute(top, by));
    }
    pending.pop_back();
  }
  return *known(t, by);
}

tgba::covers tgba::compute(id t, letter by) {
  const auto& term = store_[t];
  const bool strong = !store_.is_endless();
  switch (term.what) {
    case kind::truth: return {cover{}};
    case kind::falsity: return {};
    case kind::literal: return letters_[by][term.left] != (term.right == 1) ? covers{cover{}} : covers{};
    case kind::conjunction: return all_of(term.operands, by);
    case kind::disjunction: return any_of(term.operands, by);
    case kind::next:
    case kind::weak_next: {
      cover later;
      add_obligation(later.next, term.left, strong && term.what == kind::next);
      return {std::move(later)};
    }
    case kind::until: {  // b, or a now and the whole again, promised
      auto result = *known(term.right, by);
      for (auto later : *known(term.left, by)) {
        add_obligation(later.next, t, strong);
        later.promises.insert(mark_of_[t]);
        result.push_back(std::move(later));
      }
      minimise(result);
      return result;
    }
    case kind::release: {  // b and a, or b now and the whole again
      auto result = all_of(std::array{term.left, term.right}, by);
      for (auto later : *known(term.right, by)) {
        add_obligation(later.next, t, false);
        result.push_back(std::move(later));
      }
      minimise(result);
      return result;
    }
  }
  return {};
}

tgba::covers tgba::any_of(std::span<const id> operands, letter by) {
  covers result;
  for (const auto operand : operands) {
    const auto& more = *known(operand, by);
    result.insert(result.end(), more.begin(), more.end());
  }
  minimise(result);
  return result;
}

tgba::covers tgba::all_of(std::span<const id> operands, letter by) {
  covers result{cover{}};
  for (const auto operand : operands) {
    const auto& factor = *known(operand, by);
    if (result.size() * factor.size() > 16 * max_covers) throw automaton_too_large();
    covers product;
    for (const auto& a : result) {
      for (const auto& b : factor) {
        work(a.next.size() + b.next.size() * (1 + a.next.size() / 16));
        auto both = a;
        for (const auto o : b.next) add_obligation(both.next, o / 2, o % 2 == 1);
        both.promises |= b.promises;
        product.push_back(std::move(both));
      }
    }
    if (factor.size() != 1 || result.size() != 1) minimise(product);
    result = std::move(product);
  }
  return result;
}

std::vector<tgba::edge> tgba::compute_edges(state from, letter by) {
  std::vector<id> terms;
  for (const auto o : states_[from]) {
    terms.push_back(o / 2);
    covers_of(o / 2, by);
  }
  const auto all_marks = mark_set::below(untils_);
  std::vector<edge> result;
  for (auto& c : all_of(terms, by)) {
    drop_implied(c.next);
    auto marks = all_marks;
    marks -= c.promises;
    result.push_back({intern(std::move(c.next)), std::move(marks)});
  }
  return result;
}

}  // namespace harrier::internal
