#pragma once

#include <cstdint>
#include <vector>

#include <harrier/core/system.hpp>

namespace harrier {

/// One delivery of a sequence still to be run. The receiver stands beside the
/// name, since in another branch the same name may have another one.
struct planned_step {
  message_id label;
  actor_id receiver;
};

/// Whether `p` is a weak initial of `v`: the first delivery of v to p's receiver
/// is p, or there is none. (Deliveries to other receivers are independent.)
template <class Sequence>
bool is_weak_initial(const planned_step& p, const Sequence& v) {
  for (const auto& x : v)
    if (x.receiver == p.receiver) return x.label == p.label;
  return true;
}

/// Takes `p`, a weak initial of `v`, out of `v`.
inline void take_out(const planned_step& p, std::vector<planned_step>& v) {
  for (auto x = v.begin(); x != v.end(); ++x)
    if (x->receiver == p.receiver) {
      v.erase(x);
      return;
    }
}

/// The wakeup trees of all points of one search: ordered trees of deliveries,
/// extended on the right only, consumed on the left. Their nodes come from one
/// pool; a tree is named by its list of roots.
class wakeup_trees {
public:
  /// The roots of one tree, or the children of one node, in order.
  struct list {
    std::uint32_t first = none;
    std::uint32_t last = none;
    [[nodiscard]] bool empty() const { return first == none; }
  };

  /// Takes the leftmost branch off `roots`: its first step, and what comes below.
  planned_step take_first(list& roots, list& below) {
    const auto n = roots.first;
    const auto step = nodes_[n].step;
    below = nodes_[n].children;
    roots.first = nodes_[n].next;
    if (roots.first == none) roots.last = none;
    nodes_[n].next = free_;
    free_ = n;
    --used_;
    return step;
  }

  /// Adds `v` unless a sequence in the tree already leads to what v leads to:
  /// walks down while a node is a weak initial of what is left of v. Uses up v.
  void insert(list& roots, std::vector<planned_step>& v) {
    auto parent = none;
    for (auto n = roots.first; n != none;) {
      if (!is_weak_initial(nodes_[n].step, v)) {
        n = nodes_[n].next;
        continue;
      }
      if (nodes_[n].children.empty()) return;  // a planned leaf has an empty sleep set: it will cover v
      take_out(nodes_[n].step, v);
      if (v.empty()) return;
      parent = n;
      n = nodes_[n].children.first;
    }
    const auto path = make_path(v);
    auto& siblings = parent == none ? roots : nodes_[parent].children;
    if (siblings.empty())
      siblings.first = path;
    else
      nodes_[siblings.last].next = path;
    siblings.last = path;
  }

  /// Makes a tree of the single step `p`.
  void plant(list& roots, planned_step p) { roots.first = roots.last = make(p); }

  /// Nodes in use: what the search still has to run, beyond its current path.
  [[nodiscard]] std::size_t size() const { return used_; }

private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct node {
    planned_step step;
    list children;
    std::uint32_t next;
  };

  std::uint32_t make(planned_step p) {
    ++used_;
    if (free_ == none) {
      nodes_.push_back({p, {}, none});
      return static_cast<std::uint32_t>(nodes_.size() - 1);
    }
    const auto n = free_;
    free_ = nodes_[n].next;
    nodes_[n] = {p, {}, none};
    return n;
  }

  /// The nodes for `v`, one below the other; returns the top one.
  std::uint32_t make_path(const std::vector<planned_step>& v) {
    list below;
    for (auto x = v.rbegin(); x != v.rend(); ++x) {
      const auto n = make(*x);
      nodes_[n].children = below;
      below = {n, n};
    }
    return below.first;
  }

  std::vector<node> nodes_;
  std::uint32_t free_ = none;
  std::size_t used_ = 0;
};

}  // namespace harrier
