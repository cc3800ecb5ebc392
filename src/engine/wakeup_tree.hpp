#pragma once

#include <cstdint>
#include <vector>

#include <harrier/core/dependence.hpp>

namespace harrier {

/// A sequence v = notdep(e).m that is to be run from pre(e), while it is
/// inserted there. Its deliveries stay where they are; those that the tree
/// already has are marked as taken.
template <class Dependence>
class wakeup_sequence {
public:
  using event_type = typename Dependence::event_type;

  explicit wakeup_sequence(const Dependence& depends) : depends_(depends) {}

  struct element {
    event_type step;
    /// Where it stands in the current execution; no_step for the last one.
    step_index at;
    bool taken;
    bool needed;
  };

  void clear() { elements_.clear(); }
  void add(const event_type& step, step_index at) { elements_.push_back({step, at, false, false}); }

  /// Whether `p` is a weak initial of what is left: the first delivery left that
  /// depends on p is p, or one that p stands for, or there is none. If it is not, that first delivery is
  /// what keeps the two apart, and will be needed.
  bool is_weak_initial(const event_type& p) {
    auto* first = first_dependent_on(p);
    if (first == nullptr || depends_.stands_for(p, first->step)) return true;
    first->needed = true;
    return false;
  }
  /// Marks weak initial `p` as taken, if it occurs.
  void take(const event_type& p) {
    if (auto* first = first_dependent_on(p)) first->taken = true;
  }
  [[nodiscard]] bool all_taken() const { return left() == 0; }

  /// Keeps, of what is left, the last delivery, those that are needed, and what
  /// happens before them: a prefix of the trace, as good as the whole.
  /// @param before  whether element i happens before the later element j.
  template <class Before>
  std::vector<element>& shorten(Before before) {
    elements_.back().needed = true;
    for (auto j = elements_.size(); j-- > 0;) {
      if (!elements_[j].needed || elements_[j].taken) continue;
      for (std::size_t i = 0; i < j; ++i)
        if (!elements_[i].needed && !elements_[i].taken && before(elements_[i], elements_[j]))
          elements_[i].needed = true;
    }
    std::erase_if(elements_, [](const element& x) { return x.taken || !x.needed; });
    return elements_;
  }

protected:
  element* first_dependent_on(const event_type& p) {
    for (auto& x : elements_)
      if (!x.taken && depends_.between(x.step.touched, p.touched)) return &x;
    return nullptr;
  }
  [[nodiscard]] std::size_t left() const {
    std::size_t count = 0;
    for (const auto& x : elements_) count += x.taken ? 0 : 1;
    return count;
  }

  const Dependence& depends_;
  std::vector<element> elements_;
};

/// The wakeup trees of all points of one search: ordered trees of deliveries,
/// extended on the right only, consumed on the left. Their nodes come from one
/// pool; a tree is named by its list of roots.
template <class Event>
class wakeup_trees {
public:
  /// The roots of one tree, or the children of one node, in order.
  struct list {
    std::uint32_t first = none;
    std::uint32_t last = none;
    [[nodiscard]] bool empty() const { return first == none; }
  };

  /// Takes the leftmost branch off `roots`: its first step, and what comes below.
  Event take_first(list& roots, list& below) {
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
  template <class Sequence, class Before>
  void insert(list& roots, Sequence& v, Before before) {
    auto parent = none;
    for (auto n = roots.first; n != none;) {
      if (!v.is_weak_initial(nodes_[n].step)) {
        n = nodes_[n].next;
        continue;
      }
      if (nodes_[n].children.empty()) return;  // a planned leaf has an empty sleep set: it will cover v
      v.take(nodes_[n].step);
      if (v.all_taken()) return;
      parent = n;
      n = nodes_[n].children.first;
    }
    const auto path = make_path(v.shorten(before));
    append_node(parent == none ? roots : nodes_[parent].children, path);
  }

  /// Adds a branch of one step on the right.
  void append(list& roots, const Event& step) { append_node(roots, make(step)); }
  /// The same on the left.
  void prepend(list& roots, const Event& step) {
    const auto n = make(step);
    nodes_[n].next = roots.first;
    roots.first = n;
    if (roots.last == none) roots.last = n;
  }

  /// Calls `visit(event)` for every node in use.
  template <class Visit>
  void for_each_event(Visit visit) const {
    std::vector<bool> is_free(nodes_.size(), false);
    for (auto n = free_; n != none; n = nodes_[n].next) is_free[n] = true;
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      if (!is_free[n]) visit(nodes_[n].step);
  }
  /// Calls `visit(event)` for the first step of each branch.
  template <class Visit>
  void for_each_root(const list& roots, Visit visit) const {
    for (auto n = roots.first; n != none; n = nodes_[n].next) visit(nodes_[n].step);
  }
  /// Nodes in use: what the search still has to run, beyond its current path.
  [[nodiscard]] std::size_t size() const { return used_; }

private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct node {
    Event step;
    list children;
    std::uint32_t next;
  };

  void append_node(list& siblings, std::uint32_t n) {
    if (siblings.empty())
      siblings.first = n;
    else
      nodes_[siblings.last].next = n;
    siblings.last = n;
  }

  std::uint32_t make(const Event& p) {
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
  template <class Elements>
  std::uint32_t make_path(const Elements& v) {
    list below;
    for (auto x = v.rbegin(); x != v.rend(); ++x) {
      const auto n = make(x->step);
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
