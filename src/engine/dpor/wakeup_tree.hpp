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
  static constexpr bool tells_observers = requires { Dependence::tells_observers; };
  static constexpr bool planned_may_sleep = requires { Dependence::planned_may_sleep; };
  /// Whether of a planned step it is not known what it depends on; it may then turn out to be independent of others of
  /// its receiver, and of itself.
  static constexpr bool looks_for_itself = tells_observers || planned_may_sleep;
  /// Whether each draw of a handler is a step of its own, which may not be there where it is planned (T6 of
  /// exploration_tree).
  static constexpr bool draws_are_apart = requires { Dependence::not_known; };

  explicit wakeup_sequence(const Dependence& depends) : depends_(depends) {}

  struct element {
    event_type step;
    /// Where it stands in the current execution; no_step for the last one.
    step_index at;
    bool taken;
    bool needed;
  };

  /// @param may_draw_else  whether the handler of the last step may draw something else there than it did
  void begin(bool may_draw_else = false) {
    elements_.clear();
    may_draw_else_ = may_draw_else;
  }
  [[nodiscard]] bool may_draw_else() const { return may_draw_else_; }
  void add(const event_type& step, step_index at) { elements_.push_back({step, at, false, false}); }

  /// Whether `p` is a weak initial of what is left: the first delivery left that
  /// depends on p is p, or one that p stands for, or there is none. If it is not, that first delivery is
  /// what keeps the two apart, and will be needed.
  bool is_weak_initial(const event_type& p) {
    if constexpr (looks_for_itself) {
      if (const auto* itself = find(p)) return comes_first(*itself, what_is_known_of(p, *itself));
    }
    auto* first = first_dependent_on(p);
    if (first == nullptr || depends_.stands_for(p, first->step)) return true;
    first->needed = true;
    return false;
  }
  /// Whether `p` is an initial of what is left: it occurs, and can come first. If it does not, what wakes it is needed.
  bool is_initial(const event_type& p) requires looks_for_itself {
    if (const auto* itself = find(p)) return comes_first(*itself, what_is_known_of(p, *itself));
    if (auto* first = first_dependent_on(p)) first->needed = true;
    return false;
  }
  /// Whether planned step `p` may turn out not to be there, so that it covers what it occurs in, and no more: a look,
  /// or a draw from another place.
  [[nodiscard]] bool may_not_be_there(const event_type& p) const requires draws_are_apart {
    return !p.one_of_several || (!Dependence::is_known(p.touched.touches) && p.label != depends_.label_of_message(p));
  }
  /// Marks weak initial `p` as taken, if it occurs.
  void take(const event_type& p) {
    if constexpr (looks_for_itself) {
      if (auto* itself = find(p)) itself->taken = true;
    } else {
      if (auto* first = first_dependent_on(p)) first->taken = true;
    }
  }
  [[nodiscard]] bool all_taken() const { return left() == 0; }
  /// Nothing is taken, nothing needed.
  void begin_again() {
    for (auto& x : elements_) x.taken = x.needed = false;
  }
  [[nodiscard]] const std::vector<element>& elements() const { return elements_; }

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
  /// @name Where of a planned step it is not known what it depends on
  /// @{
  element* find(const event_type& p) {
    for (auto& x : elements_)
      if (!x.taken && depends_.stands_for(p, x.step)) return &x;
    return nullptr;
  }
  /// What `p`, which occurs as `x`, is dependent on: what was seen of it in this execution or, since its last
  /// step was not run yet, where p was run.
  static auto what_is_known_of(const event_type& p, const element& x) {
    return x.at == no_step && Dependence::is_known(p.touched.touches) ? p.touched : x.step.touched;
  }
  /// Whether nothing that is left before `x` keeps it, which touches that, from coming first. Then, if it
  /// did, it would depend on the same as here.
  template <class Footprint>
  bool comes_first(const element& x, const Footprint& touched) {
    for (auto* y = elements_.data(); y != &x; ++y) {
      if (y->taken || !depends_.between(y->step.touched, touched)) continue;
      y->needed = true;
      return false;
    }
    return true;
  }
  /// @}
  [[nodiscard]] std::size_t left() const {
    std::size_t count = 0;
    for (const auto& x : elements_) count += x.taken ? 0 : 1;
    return count;
  }

  const Dependence& depends_;
  std::vector<element> elements_;
  bool may_draw_else_ = false;
};

/// Nobody wants to know what covers a sequence.
struct unnoted {
  template <class Event>
  void operator()(const Event& /*step*/) const {}
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

  /// Takes away the leftmost branches of `roots` as long as `is_covered(step)` is
  /// true of the first step of one. @return how many
  template <class IsCovered>
  std::size_t drop_first(list& roots, IsCovered is_covered) {
    std::size_t count = 0;
    for (; !roots.empty() && is_covered(nodes_[roots.first].step); ++count) {
      std::vector<list> rest(1);
      take_first(roots, rest.front());
      while (!rest.empty()) {
        if (rest.back().empty()) {
          rest.pop_back();
          continue;
        }
        list below;
        take_first(rest.back(), below);
        rest.push_back(below);
      }
    }
    return count;
  }

  /// Adds `v` unless a sequence in the tree already leads to what v leads to:
  /// walks down while a node is a weak initial of what is left of v. Uses up v.
  /// @param note  called with each step on the way to where v is now.
  /// @return whether these steps cover all that begins with them, not v alone.
  template <class Sequence, class Before, class Note = unnoted>
  bool insert(list& roots, Sequence& v, Before before, Note note = {}) {
    auto parent = none;
    for (auto n = roots.first; n != none;) {
      if (!is_covered_by(nodes_[n].step, v)) {
        n = nodes_[n].next;
        continue;
      }
      note(nodes_[n].step);
      if (nodes_[n].children.empty()) return true;  // a planned leaf has an empty sleep set: it will cover v
      v.take(nodes_[n].step);
      if (v.all_taken()) return false;
      parent = n;
      n = nodes_[n].children.first;
    }
    const auto& rest = v.shorten(before);
    for (const auto& x : rest) note(x.step);
    const auto path = make_path(rest);
    append_node(parent == none ? roots : nodes_[parent].children, path);
    return true;
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

  /// Moves all of `trees`, which are of `from`, to the right of `roots`: each step
  /// becomes `told(step)`.
  template <class Other, class Told>
  void adopt(list& roots, typename wakeup_trees<Other>::list& trees, wakeup_trees<Other>& from, Told told) {
    struct part {
      typename wakeup_trees<Other>::list rest;
      std::uint32_t parent;
    };
    std::vector<part> parts{{trees, none}};
    trees = {};
    while (!parts.empty()) {
      auto& last = parts.back();
      if (last.rest.empty()) {
        parts.pop_back();
        continue;
      }
      typename wakeup_trees<Other>::list below;
      const auto n = make(told(from.take_first(last.rest, below)));
      append_node(last.parent == none ? roots : nodes_[last.parent].children, n);
      parts.push_back({below, n});
    }
  }
  /// Calls `enter(step, is_leaf)` for each step of a tree, in order, a step before
  /// those below it, and `leave()` after these.
  template <class Enter, class Leave>
  void walk(const list& roots, Enter enter, Leave leave) const {
    std::vector<std::uint32_t> next{roots.first};
    for (;;) {
      const auto n = next.back();
      if (n != none) {
        enter(nodes_[n].step, nodes_[n].children.empty());
        next.back() = nodes_[n].next;
        next.push_back(nodes_[n].children.first);
        continue;
      }
      next.pop_back();
      if (next.empty()) return;
      leave();
    }
  }
  /// Builds what `walk` went through: `is_step()` says whether a step comes, which
  /// `read()` gives, or the end of what is below the last one.
  template <class IsStep, class Read>
  void read(list& roots, IsStep is_step, Read read_step) {
    for (std::vector<std::uint32_t> path;;) {
      if (is_step()) {
        const auto n = make(read_step());
        append_node(path.empty() ? roots : nodes_[path.back()].children, n);
        path.push_back(n);
      } else if (path.empty()) {
        return;
      } else {
        path.pop_back();
      }
    }
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
  template <class Other>
  friend class wakeup_trees;
  static constexpr std::uint32_t none = 0xffffffff;
  struct node {
    Event step;
    list children;
    std::uint32_t next;
  };

  template <class Sequence>
  static bool is_covered_by(const Event& planned, Sequence& v) {
    if constexpr (requires { requires Sequence::draws_are_apart; }) {
      if (v.may_not_be_there(planned)) return v.is_initial(planned);
    }
    return v.is_weak_initial(planned);
  }

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
