#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <harrier/core/invariant.hpp>
#include <harrier/engine/search_context.hpp>

#include "short_vector.hpp"
#include "wakeup_tree.hpp"

namespace harrier {

/// The part of an exploration that is not explored yet, and what of it is being
/// run: for each state from which something may still be run, what sleeps there,
/// what is planned there, and the branches that somebody is in. A value: it
/// knows no system and no execution, only names of steps, so that those who
/// explore it (cursors) can be one or many, here or elsewhere, now or later.
/// What the names are is up to `Dependence`: ids of one system, or names that
/// mean the same to all (see names_of_cursor).
///
/// Several cursors take turns in calling it. Each call leaves it in order, but
/// take_first or take, plan_next_draw and then `enter` are one: between them only
/// their own cursor may call. (Where it is known what a planned step is dependent
/// on, and that it draws nothing, `enter` may be called before it is run.)
///
/// Invariants, in the words of Optimal-DPOR:
///   T1  A planned leaf stands for everything below it: its sleep set is empty
///       once its sequence has been run. It stands for all that the handler may
///       draw, too (unless draws are told apart, see dependence): whoever has run
///       it plans the next draw in its place.
///   T2  Trees are extended on the right only, and consumed on the left.
///   T3  A branch sleeps in those that were taken after it, be it explored or
///       not. So it must take what they find that begins with it, unless it is
///       *whole*: nothing slept when it was begun, so that it needs nobody.
///   T4  A branch is forgotten, and sleeps at its node, when all below it is
///       explored and nobody can plan anything there any more: it is whole, or
///       all the branches taken before it are forgotten, and so on up to the root.
///       A single cursor leaves a branch only then.
///   T5  Where a planned step may turn out to wake less than was thought, something may sleep on after a planned leaf,
///       against T1. Such a sleeper is *doubtful* from there on: it covers what it occurs in and can come first
///       of, and not, as any other does, what has nothing to do with it. For what wakes it may come only after
///       that, and then the leaf, which stands for everything below it, is all that stands for that.
///   T6  Where draws are told apart, and a handler may draw something else after other steps, a draw that sleeps covers
///       its message's races, and with them what would show that another draw of it is awake. Then a *look* is planned:
///       the message, which is not one of several draws. Whoever takes it runs a draw that nobody has taken or planned,
///       and plans it again, until there is none. A message is looked at once at a node. A look, and a draw that may
///       not be there, covers what it occurs in, and no more.
///
/// @par Source  P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas: Optimal dynamic
///      partial order reduction, POPL 2014: wut(E), sleep(E), insert. T3 and T4,
///      which several cursors need: docs/algorithms/optimal.md.
template <class Dependence>
class exploration_tree {
  using plans = wakeup_trees<typename Dependence::event_type>;
  using plan_list = typename plans::list;

public:
  enum class node_id : std::uint32_t {};
  using event_type = typename Dependence::event_type;
  using sequence = wakeup_sequence<Dependence>;
  /// Whether a planned step may turn out to wake less than it was taken to when it was planned (D10 of Optimal-DPOR).
  static constexpr bool planned_may_sleep = requires { Dependence::planned_may_sleep; };
  static constexpr bool draws_are_apart = sequence::draws_are_apart;

  /// A tree with its root alone, where nothing sleeps.
  explicit exploration_tree(const Dependence& depends) : depends_(depends) {
    make();
    at(root).is_whole = at(root).is_last_word = true;
  }

  static constexpr node_id root{0};
  static constexpr node_id none{0xffffffff};

  /// Whether nobody has been at the root yet: true once.
  bool begin() { return !std::exchange(is_begun_, true); }
  /// Whether there is nothing left to run, and nobody who runs anything.
  [[nodiscard]] bool is_explored() const { return is_begun_ && !has_plan(root) && at(root).branches == none; }

  [[nodiscard]] bool has_plan(node_id n) const { return !at(n).todo.empty(); }
  /// Whether `e` sleeps at `n`.
  [[nodiscard]] bool sleeps(node_id n, const event_type& e) const {
    const auto& asleep = at(n).asleep;
    return std::any_of(asleep.begin(), asleep.end(), [&](const event_type& q) { return depends_.stands_for(q, e); });
  }
  [[nodiscard]] bool anything_sleeps(node_id n) const { return !at(n).asleep.empty(); }
  /// The step that leads to `n`, which is not the root.
  [[nodiscard]] const event_type& step_to(node_id n) const { return at(n).step; }

  /// Whether a cursor that has come to `n` is to choose what to begin with there.
  [[nodiscard]] bool may_begin(node_id n) const { return !has_plan(n); }
  /// A cursor that has come to `n` plans to begin there with `step`, unless
  /// another one has planned something since it came.
  void begin_with(node_id n, const event_type& step) {
    if (is_untouched(n)) plans_.append(at(n).todo, step);
  }
  /// Whether nothing was planned at `n` ever.
  [[nodiscard]] bool is_untouched(node_id n) const { return !has_plan(n) && at(n).taken == 0; }
  /// A cursor at `n` takes the first branch that is planned there: the node it
  /// leads to, once the step was run; none, if nothing is planned.
  node_id take_first(node_id n) {
    if (!has_plan(n)) return none;
    plan_list below;
    const auto step = plans_.take_first(at(n).todo, below);
    const auto child = take(n, step);
    at(child).todo = below;
    if constexpr (planned_may_sleep) at(child).doubts.is_leaf = below.empty();
    return child;
  }
  /// Forgets what is planned first at `n`, as long as that begins with what sleeps
  /// there, so that all of it is explored elsewhere: where it is not known of a planned step what it
  /// will be dependent on. @return whether nothing is left to run at n, and nothing was run
  bool drop_asleep(node_id n) {
    if (!has_plan(n) || !anything_sleeps(n)) return false;
    // One draw beside others that sleep is not, where all are of one label: what draws is dependent on all.
    const auto is_known_asleep = [&](const event_type& e) {
      return std::any_of(at(n).asleep.begin(), at(n).asleep.end(),
                         [&](const event_type& q) { return q.label == e.label && Dependence::is_all_of(q, e); });
    };
    const auto dropped = plans_.drop_first(at(n).todo, is_known_asleep);
    return dropped != 0 && is_untouched(n);
  }
  /// The same for a branch that was not planned: the first one of `n`.
  node_id take(node_id n, const event_type& step) {
    const auto child = make();
    auto& c = at(child);
    c.step = step;
    c.parent = n;
    c.cursors = 1;
    auto* link = &at(n).branches;
    while (*link != none) link = &at(*link).next;
    *link = child;
    ++at(n).taken;
    return child;
  }
  /// How many branches of `n` were taken.
  [[nodiscard]] std::uint32_t taken_at(node_id n) const { return at(n).taken; }
  /// Calls `visit(event)` for the first step of each branch that is planned at `n`.
  template <class Visit>
  void for_each_planned(node_id n, Visit visit) const {
    plans_.for_each_root(at(n).todo, visit);
  }
  /// Whether, of all that the step to `child` stands for, some draws were taken by
  /// themselves.
  [[nodiscard]] bool draws_were_taken(node_id child) const {
    return any_taken(child, [&](const event_type& q) { return depends_.stands_for(at(child).step, q); });
  }
  /// Whether the draw `e`, of those that the step to `child` stands for, was taken by itself.
  [[nodiscard]] bool draw_was_taken(node_id child, const event_type& e) const {
    return any_taken(child, [&](const event_type& q) { return depends_.stands_for(q, e); });
  }
  /// Whether nobody has taken the draw `e` by itself where the step to `child` was taken, nor planned it there.
  [[nodiscard]] bool draw_is_free(node_id child, const event_type& e) const {
    bool is_planned = false;
    for_each_planned(at(child).parent, [&](const event_type& p) { is_planned = is_planned || p.label == e.label; });
    return !is_planned && !draw_was_taken(child, e);
  }
  /// The step to `child`, which was just taken, cannot be run. @pre nothing is planned below it
  void take_back(node_id child) {
    --at(at(child).parent).taken;
    let_go(child);
  }
  /// The step to `child` is this draw, where another one was planned, or all.
  void take_instead(node_id child, const event_type& draw) { at(child).step = draw; }
  /// A handler has drawn something.
  void note_draws() { any_drew_ = true; }
  /// A cursor at `n`, where nothing was planned ever, and all that it could begin with sleeps, plans to look at all
  /// draws of these messages. @return false if there is nothing to see
  bool look_at_draws(node_id n, const std::vector<event_type>& messages) {
    if (!any_drew_ || !is_untouched(n)) return false;
    for (const auto& m : messages) plan_look(n, m);
    return has_plan(n);
  }
  /// The step to `child`, which stands for all draws, was this one.
  void take_draw(node_id child, const decltype(event_type::label)& label) {
    at(child).step.label = label;
    at(child).is_draw = true;
  }
  /// Before anything else, `step` is to be run where the step to `child` was: the
  /// next draw of those that this stands for.
  void plan_next_draw(node_id child, const event_type& step) { plans_.prepend(at(at(child).parent).todo, step); }
  /// The step that leads to `child` was run, and touched that beside its
  /// receiver: it is known what sleeps after it.
  void enter(node_id child, touched_set touches) {
    auto& c = at(child);
    const auto& parent = at(c.parent);
    c.step.touched.touches = touches;
    for (const auto& q : parent.asleep) {  // sleep' := {q | p ◊ q}
      if (depends_.between(q.touched, c.step.touched)) continue;
      if constexpr (planned_may_sleep) c.doubts.count += is_doubtful(parent, q) ? 1 : 0;
      c.asleep.push_back(q);
    }
    for (auto k = parent.branches; k != child; k = at(k).next)
      if (!depends_.between(at(k).step.touched, c.step.touched)) c.asleep.push_back(at(k).step);
    if constexpr (planned_may_sleep) {
      if (c.doubts.is_leaf) c.doubts.count = static_cast<std::uint32_t>(c.asleep.size());  // T5
    }
    c.is_whole = c.asleep.empty();
    c.is_last_word = c.is_whole || (parent.branches == child && parent.is_last_word);
  }

  /// A cursor goes back from `child`, where it has nothing to run.
  void leave(node_id child) {
    auto& c = at(child);
    --c.cursors;
    if (is_busy(c) || (c.branches != none && is_anything_busy_below(child)) || !c.is_last_word) return;
    forget(link_to(child));  // add p to sleep(E)
    if (at(c.parent).branches != none) forget_explored(c.parent);
  }

  /// A cursor at `n` goes no further: what it would have run next is left to
  /// others. @pre nothing is planned at n, nor was
  void put_back(node_id n, const event_type& step) { plans_.append(at(n).todo, step); }

  /// A cursor at the root goes where something is planned: the nodes on the way
  /// there, the last first. @return false if nothing is. O(branches being run).
  /// @param deepest  as far from the root as there is a plan, where a cursor that had never left would go on
  bool go_to_plan(std::vector<node_id>& way, bool deepest = false) {
    if (at(root).branches == none) return false;
    way.assign({root});
    auto n = root;
    for (std::size_t i = 0; i < way.size(); ++i) {  // breadth first: what is near the root is the most
      if (has_plan(way[i])) {
        n = way[i];
        if (!deepest) break;
      }
      for (auto k = at(way[i]).branches; k != none; k = at(k).next) way.push_back(k);
    }
    for (way.clear(); n != root; n = at(n).parent) {
      ++at(n).cursors;
      way.push_back(n);
    }
    return !way.empty();
  }

  /// Plans at `n` to run `v`, unless that is covered: by what sleeps there, by
  /// what is planned, or by a branch that is being run. If a branch that is not
  /// whole begins like v, the rest of v is planned there (T3). Uses up v.
  /// @param through  the branch of `n` in which v was found: v reverses a race
  ///                 with its step, and does not begin with it.
  /// @param before  whether one element of v happens before another.
  /// @param note  called with each step on the way from n to where v is now.
  /// @return whether these steps cover, for good, all that begins with them.
  template <class Sequence, class Before, class Note = unnoted>
  bool insert(node_id n, Sequence& v, node_id through, Before before, Note note = {}) {
    for (;;) {
      for (const auto& q : at(n).asleep) {
        if (!is_covered_by(at(n), q, v)) continue;  // sleep(E') ∩ WI(v) ≠ ∅
        if constexpr (draws_are_apart) {
          if (v.may_draw_else()) plan_other_draws(n, q, v.elements().back().step);
        }
        return note(q), true;
      }
      const auto branch = branch_like(n, v, through);
      if (branch == none) break;
      note(at(branch).step);
      v.take(at(branch).step);
      if (at(branch).is_whole) return true;
      if (v.all_taken()) return false;
      n = branch;
      through = none;
    }
    const bool covers = plans_.insert(at(n).todo, v, before, note);  // insert(v, wut(E'))
    most_planned_ = std::max(most_planned_, plans_.size());
    return covers;
  }

  /// What the other draws of a handler touch, tried from `n` (see alternatives).
  [[nodiscard]] std::vector<event_type>& tried(node_id n) {
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
  /// Steps planned, in all nodes, at most: what was still to be run beyond the
  /// branches that were being run.
  [[nodiscard]] std::size_t most_planned() const { return most_planned_; }

protected:
  struct no_doubts {};
  struct doubts_about_sleepers {
    std::uint32_t count = 0;  // the first so many of those that sleep do so after a planned leaf (T5)
    bool is_leaf = false;     // the step was one
  };
  struct node {
    short_vector<event_type> asleep;  // what slept on entering, and the branches that are forgotten
    plan_list todo;
    event_type step{};          // that led here
    node_id parent{none};       // from where
    node_id branches{none};     // those that were taken and are not forgotten, in that order
    node_id next{none};         // the next such branch of the parent; of a free node the next free one
    std::uint32_t cursors = 0;  // that are here, or below
    std::uint32_t taken = 0;    // branches, ever
    bool is_whole = false;      // nothing slept on entering
    bool is_last_word = false;  // whoever is not below it plans nothing in it any more
    bool is_draw = false;       // the step is one of the draws that it stands for
    bool is_free = false;
    [[no_unique_address]] std::conditional_t<planned_may_sleep, doubts_about_sleepers, no_doubts> doubts;
  };

  [[nodiscard]] node& at(node_id n) { return nodes_[static_cast<std::size_t>(n)]; }
  [[nodiscard]] const node& at(node_id n) const { return nodes_[static_cast<std::size_t>(n)]; }

  /// T5. Whether `q`, of those that sleep at `n`, is one of the doubtful ones.
  [[nodiscard]] static bool is_doubtful(const node& n, const event_type& q) {
    return &q < n.asleep.begin() + n.doubts.count;
  }
  template <class Sequence>
  [[nodiscard]] static bool is_covered_by(const node& n, const event_type& q, Sequence& v) {
    if constexpr (planned_may_sleep) {
      if (is_doubtful(n, q)) return v.is_initial(q);
    }
    return v.is_weak_initial(q);
  }

  /// T6
  void plan_other_draws(node_id n, const event_type& asleep, event_type message) {
    if (!any_drew_ || depends_.label_of_message(asleep) != depends_.label_of_message(message)) return;
    message.label = depends_.label_of_message(message);
    message.one_of_several = false;
    message.touched.touches = Dependence::not_known;
    plan_look(n, message);
  }
  void plan_look(node_id n, const event_type& message) {
    auto& looked_at = tried(n);
    const auto is_same = [&](const event_type& x) { return !x.one_of_several && x.label == message.label; };
    if (std::any_of(looked_at.begin(), looked_at.end(), is_same)) return;
    looked_at.push_back(message);
    plans_.append(at(n).todo, message);
  }
  /// Whether `is_it(event)` for a draw that, before `child`, was taken by itself from where that was.
  template <class IsIt>
  [[nodiscard]] bool any_taken(node_id child, IsIt is_it) const {
    const auto& n = at(at(child).parent);
    const auto by_itself = [&](const event_type& q) { return q.one_of_several && is_it(q); };
    for (const auto& q : n.asleep)  // mostly none: std::any_of would first look how many
      if (by_itself(q)) return true;
    for (auto k = n.branches; k != child; k = at(k).next)
      if (by_itself(at(k).step)) return true;
    return false;
  }

  /// The first branch of `n`, in the order in which they were taken, that is a
  /// weak initial of `v`.
  template <class Sequence>
  node_id branch_like(node_id n, Sequence& v, node_id through) {
    for (auto k = at(n).branches; k != none; k = at(k).next)
      if (k != through && v.is_weak_initial(at(k).step)) return k;
    return none;
  }

  [[nodiscard]] static bool is_busy(const node& n) { return n.cursors != 0 || !n.todo.empty(); }
  /// Who leaves a long path asks this at every node of it, with the same answer for the same reason.
  [[nodiscard]] bool is_anything_busy_below(node_id n) {
    const bool is_known = busy_ != none && at(left_).parent == n && is_busy(at(busy_));
    if (!is_known) busy_ = busy_below(n);
    left_ = n;
    return busy_ != none;
  }
  /// One that is busy, if there is one. Paths may be too long to call a function for each node.
  [[nodiscard]] node_id busy_below(node_id n) const {
    auto k = at(n).branches;
    while (k != none) {
      if (is_busy(at(k))) return k;
      auto next = at(k).branches;
      for (; next == none && k != n; k = at(k).parent) next = at(k).next;
      k = next;
    }
    return none;
  }
  [[nodiscard]] bool is_explored(node_id n) const { return !is_busy(at(n)) && busy_below(n) == none; }

  /// T4 for the branches of `n`: one that is forgotten may have been what the
  /// next ones waited for.
  void forget_explored(node_id n) {
    bool is_first = true;
    for (auto* link = &at(n).branches; *link != none;) {
      const auto k = *link;
      auto& branch = at(k);
      if (is_first && at(n).is_last_word && !branch.is_last_word) {
        branch.is_last_word = true;
        forget_explored(k);
      }
      if (branch.is_last_word && is_explored(k)) {
        forget(*link);
      } else {
        is_first = false;
        link = &branch.next;
      }
    }
  }

  /// What leads to it from its parent.
  node_id& link_to(node_id branch) {
    auto* link = &at(at(branch).parent).branches;
    while (*link != branch) link = &at(*link).next;
    return *link;
  }
  /// The branch is one no more, and does not fall asleep.
  void let_go(node_id branch) {
    link_to(branch) = at(branch).next;
    at(branch).cursors = 0;
    give_back(branch);
  }
  /// The branch falls asleep where it was taken.
  void forget(node_id& link) {
    const auto k = link;
    auto& n = at(at(k).parent);
    if (!at(k).is_draw || !sleeps(at(k).parent, at(k).step)) n.asleep.push_back(at(k).step);
    link = at(k).next;
    give_back(k);
  }

  node_id make() {
    if (free_ == none) {
      nodes_.emplace_back();
      return static_cast<node_id>(nodes_.size() - 1);
    }
    const auto n = free_;
    free_ = std::exchange(at(n).next, none);
    at(n).is_free = false;
    return n;
  }
  /// Its memory is kept for the next node. Whatever is below it is forgotten.
  void give_back(node_id n) {
    auto& old = at(n);
    HARRIER_INVARIANT(old.branches == none, "what is below a branch is forgotten before it");
    old.asleep.clear();
    if (static_cast<std::size_t>(n) < tried_.size()) tried_[static_cast<std::size_t>(n)].clear();
    old.taken = 0;
    old.doubts = {};
    old.is_whole = old.is_last_word = old.is_draw = false;
    old.is_free = true;
    if (n == busy_) busy_ = none;
    old.next = free_;
    free_ = n;
  }

  const Dependence& depends_;
  std::vector<node> nodes_;
  std::vector<std::vector<event_type>> tried_;  // by node; empty where everything is foreseen
  node_id free_{none};
  bool is_begun_ = false;
  bool any_drew_ = false;
  node_id busy_{none};  // below `left_`, which was left last with something busy below it
  node_id left_{root};
  plans plans_;
  std::size_t most_planned_ = 0;
};

}  // namespace harrier
