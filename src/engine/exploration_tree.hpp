#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <harrier/core/invariant.hpp>

#include "wakeup_tree.hpp"

namespace harrier {

/// The part of an exploration that is not explored yet, and who explores what:
/// for each state from which something may still be run, what sleeps there, what
/// is planned there, and the branches that are being run. A value: it knows no
/// system and no execution, only names of steps, so that those who explore it
/// (cursors) can be one or many, here or elsewhere.
///
/// Invariants, in the words of Optimal-DPOR:
///   T1  A planned leaf stands for everything below it: its sleep set is empty
///       once its sequence has been run.
///   T2  Trees are extended on the right only, and consumed on the left.
///   T3  A branch that was left sleeps at its node; what it covered is covered.
///
/// @par Source  P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas: Optimal dynamic
///      partial order reduction, POPL 2014: wut(E), sleep(E), insert.
template <class Dependence>
class exploration_tree {
public:
  enum class node_id : std::uint32_t {};
  /// Who runs a branch.
  using owner_id = std::uint32_t;
  using sequence = wakeup_sequence<Dependence>;

  /// A branch taken from a node's plans: its first step, and what is planned
  /// below it.
  struct claim {
    event step;
    wakeup_trees::list below;
  };

  /// A tree with its root alone, where nothing sleeps.
  explicit exploration_tree(const Dependence& depends) : depends_(depends) { make(); }

  static constexpr node_id root{0};

  [[nodiscard]] bool has_plan(node_id n) const { return !at(n).todo.empty(); }
  /// Whether the event called `label` sleeps at `n`.
  [[nodiscard]] bool sleeps(node_id n, message_id label) const {
    const auto& asleep = at(n).asleep;
    return std::any_of(asleep.begin(), asleep.end(), [&](const event& q) { return q.label == label; });
  }

  /// Takes the first of what is planned at `n`. @pre has_plan(n)
  claim take_first(node_id n) {
    claim taken;
    taken.step = plans_.take_first(at(n).todo, taken.below);
    return taken;
  }

  /// `owner` runs `taken` from `n`: the node for the state after it.
  node_id enter(node_id n, const claim& taken, owner_id owner) {
    const auto c = make();
    auto& child = at(c);
    auto& parent = at(n);
    for (const auto& q : parent.asleep)  // sleep' := {q | p ◊ q}
      if (!depends_.between(q.touched, taken.step.touched)) child.asleep.push_back(q);
    for (auto other = parent.running; other != none; other = at(other).next)
      if (!depends_.between(at(other).step.touched, taken.step.touched)) child.asleep.push_back(at(other).step);
    child.step = taken.step;
    child.owner = owner;
    child.todo = taken.below;
    child.next = parent.running;
    parent.running = c;
    return c;
  }

  /// The branch of `n` that leads to `child` is explored: it falls asleep.
  void leave(node_id n, node_id child) {
    auto& parent = at(n);
    parent.asleep.push_back(at(child).step);  // add p to sleep(E)
    auto* link = &parent.running;
    while (*link != child) link = &at(*link).next;
    *link = at(child).next;
    give_back(child);
  }

  /// Plans at `n` to run `v`, unless that is covered: by what sleeps there, or by
  /// what is planned. Uses up v.
  /// @param by  who runs the one branch of `n` that is being run. It cannot cover
  ///            v, since v reverses a race with its step.
  /// @param before  whether one element of v happens before another.
  template <class Sequence, class Before>
  void insert(node_id n, Sequence& v, owner_id by, Before before) {
    for (const auto& q : at(n).asleep)
      if (v.is_weak_initial(q)) return;  // sleep(E') ∩ WI(v) ≠ ∅
    HARRIER_INVARIANT(at(n).running == none || at(at(n).running).owner == by,
                      "who plans beside a branch is who runs it");
    plans_.insert(at(n).todo, v, before);  // insert(v, wut(E'))
  }

  /// What the other draws of a handler touch, tried from `n` (see alternatives).
  [[nodiscard]] std::vector<event>& tried(node_id n) {
    const auto i = static_cast<std::size_t>(n);
    if (i >= tried_.size()) tried_.resize(i + 1);
    return tried_[i];
  }

  /// Calls `visit(event)` for every step that the tree names.
  template <class Visit>
  void for_each_event(Visit visit) const {
    plans_.for_each_event(visit);
    for (const auto& n : nodes_) {
      if (n.is_free) continue;
      for (const auto& e : n.asleep) visit(e);
      if (&n != &nodes_.front()) visit(n.step);
    }
    for (const auto& of_node : tried_)
      for (const auto& e : of_node) visit(e);
  }
  /// Steps planned, in all nodes: what is still to be run beyond the branches
  /// that are being run.
  [[nodiscard]] std::size_t planned() const { return plans_.size(); }

protected:
  static constexpr node_id none{0xffffffff};
  struct node {
    std::vector<event> asleep;  // what slept on entering, and the branches that were left
    wakeup_trees::list todo;
    event step{};           // that led here
    owner_id owner = 0;     // who runs the branch that leads here
    node_id running{none};  // the branches of this node that are being run, by the nodes they lead to
    node_id next{none};     // the next such branch of the parent; of a free node the next free one
    bool is_free = false;
  };

  [[nodiscard]] node& at(node_id n) { return nodes_[static_cast<std::size_t>(n)]; }
  [[nodiscard]] const node& at(node_id n) const { return nodes_[static_cast<std::size_t>(n)]; }

  node_id make() {
    if (free_ == none) {
      nodes_.emplace_back();
      return static_cast<node_id>(nodes_.size() - 1);
    }
    const auto n = free_;
    free_ = at(n).next;
    at(n).is_free = false;
    return n;
  }
  /// Its memory is kept for the next node.
  void give_back(node_id n) {
    auto& old = at(n);
    old.asleep.clear();
    if (static_cast<std::size_t>(n) < tried_.size()) tried_[static_cast<std::size_t>(n)].clear();
    old.is_free = true;
    old.next = free_;
    free_ = n;
  }

  const Dependence& depends_;
  std::vector<node> nodes_;
  std::vector<std::vector<event>> tried_;  // by node; empty where everything is foreseen
  node_id free_{none};
  wakeup_trees plans_;
};

}  // namespace harrier
