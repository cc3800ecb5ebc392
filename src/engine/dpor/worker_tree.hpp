#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include <harrier/core/invariant.hpp>

#include "common_tree.hpp"

namespace harrier {

/// An exploration tree as one of several workers has it. A branch in which nothing
/// slept when it was begun needs nobody (T3), so the worker explores it in a tree
/// of its own, as if it were alone; what is above it is in a common_tree.
///
/// A node is *common* (the others plan there, too), or the worker's *own*. The
/// common ones of its path come first; `top` is the first of its own. What an
/// execution found out is planned in own nodes at once; for a common one the
/// common tree is asked, unless what it said before answers that:
///   W1  What once covers a sequence covers it for good: what sleeps goes on
///       sleeping, a planned leaf and a whole branch stand for all below them.
/// When another worker has nothing to do, the worker makes its nodes common, from
/// `top` on, down to the first branch in which nothing slept below the first node
/// where something is planned (`give`); when it stops, all of them are.
///   W2  `top` is whole, so that nobody else would plan anything below it.
///   W3  Between taking a branch of a common node and entering it the common tree
///       is locked: see exploration_tree.
template <class Dependence, template <class> class Tree = exploration_tree>
class worker_tree : public Tree<Dependence> {
  using base = Tree<Dependence>;

public:
  using typename base::event_type;
  using typename base::node_id;
  using relation = typename portable<Dependence>::type;
  using common = common_tree<Tree, relation>;
  using base::root;

  worker_tree(system& tested, Dependence& depends, common& upper)
      : base(depends), system_(tested), depends_(depends), upper_(upper), names_(tested, depends, upper.relation) {
    at_root().there = common::root;
    at_root().is_common = true;
  }

  /// Whether nobody has been at the root yet: then it is this worker's own.
  bool begin() {
    const std::lock_guard lock(upper_.workers.guard);
    base::begin();
    if (!upper_.begin()) return false;
    at_root().is_common = false;
    top_ = root;
    return true;
  }

  // What follows is called for where the cursor is, or a branch of it that is being taken: own, unless `top` is none.

  [[nodiscard]] bool sleeps(node_id n, const event_type& e) {
    return is_inside() ? base::sleeps(n, e) : sleeps_above(n, e);
  }
  [[nodiscard]] bool anything_sleeps(node_id n) const {
    return is_inside() ? base::anything_sleeps(n) : anything_sleeps_above(n);
  }
  /// @pre the system is where that step is to be taken, if it has not been
  [[nodiscard]] const event_type& step_to(node_id n) { return is_inside() ? base::step_to(n) : step_above(n); }
  /// In a common node somebody has begun; but for one that something slept in, where of a planned step it is not known
  /// what it depends on (D9, D10).
  [[nodiscard]] bool may_begin(node_id n) const {
    if (is_inside()) return base::may_begin(n);
    if constexpr (requires { Dependence::tells_observers; } || base::planned_may_sleep) {
      const std::lock_guard lock(upper_.workers.guard);
      return upper_.is_untouched(there(n));
    }
    return false;
  }
  void begin_with(node_id n, const event_type& step) {
    if (is_inside()) return base::begin_with(n, step);
    const std::lock_guard lock(upper_.workers.guard);
    upper_.begin_with(there(n), names_.told(step));
    upper_.workers.tell();
  }
  node_id take_first(node_id n) { return is_inside() ? base::take_first(n) : take_first_above(n); }
  bool drop_asleep(node_id n) {
    if (is_inside()) return base::drop_asleep(n);
    const std::lock_guard lock(upper_.workers.guard);
    return upper_.drop_asleep(there(n));
  }
  node_id take(node_id n, const event_type& step) { return is_inside() ? base::take(n, step) : take_above(n, step); }
  [[nodiscard]] bool draws_were_taken(node_id child) const {
    return is_inside() ? base::draws_were_taken(child) : upper_.draws_were_taken(there(child));
  }
  [[nodiscard]] bool draw_was_taken(node_id child, const event_type& e) {
    return is_inside() ? base::draw_was_taken(child, e) : upper_.draw_was_taken(there(child), names_.told(e));
  }
  [[nodiscard]] bool draw_is_free(node_id child, const event_type& e) {
    return is_inside() ? base::draw_is_free(child, e) : upper_.draw_is_free(there(child), names_.told(e));
  }
  void take_instead(node_id child, const event_type& draw) {
    base::take_instead(child, draw);
    if (is_inside()) return;
    known(child).is_named = true;
    upper_.take_instead(there(child), names_.told(draw));
  }
  void note_draws() {
    if (base::any_drew_) return;
    base::note_draws();
    if (!is_inside()) return upper_.note_draws();  // W3
    const std::lock_guard lock(upper_.workers.guard);
    upper_.note_draws();
  }
  bool look_at_draws(node_id n, const std::vector<event_type>& messages) {
    if (is_inside()) return base::look_at_draws(n, messages);
    const std::lock_guard lock(upper_.workers.guard);
    std::vector<portable_event> told;
    for (const auto& m : messages) told.push_back(names_.told(m));
    return upper_.look_at_draws(there(n), told);
  }
  [[nodiscard]] bool is_untouched(node_id n) const {
    if (is_inside()) return base::is_untouched(n);
    const std::lock_guard lock(upper_.workers.guard);
    return upper_.is_untouched(there(n));
  }
  void take_back(node_id child) {
    if (is_inside()) return base::take_back(child);
    upper_.take_back(there(child));
    lock_.unlock();
    let_go(child);
  }
  void take_draw(node_id child, const decltype(event_type::label)& label) {
    base::take_draw(child, label);
    if (!is_inside()) upper_.take_draw(there(child), names_.label_told(label));
  }
  void plan_next_draw(node_id child, const event_type& step) {
    if (is_inside())
      base::plan_next_draw(child, step);
    else
      upper_.plan_next_draw(there(child), names_.told(step));
  }
  void enter(node_id child, touched_set touches) {
    if (is_inside()) [[likely]]
      base::enter(child, touches);
    else
      enter_above(child, touches);
  }
  void leave(node_id child) {
    if (is_inside() && child != top_) [[likely]]
      base::leave(child);
    else
      leave_above(child);
  }
  void put_back(node_id n, const event_type& step) {
    if (is_inside())
      base::put_back(n, step);
    else
      put_back_above(n, step);
  }

  /// From the root to where somebody planned something.
  bool go_to_plan(std::vector<node_id>& way, bool deepest = false) {
    way.clear();
    if (!is_common(root)) return false;
    std::vector<std::pair<typename common::node_id, portable_event>> there;  // the last first
    {
      const std::lock_guard lock(upper_.workers.guard);
      std::vector<typename common::node_id> nodes;
      if (!upper_.go_to_plan(nodes, deepest)) return false;
      for (const auto s : nodes) there.emplace_back(s, upper_.step_to(s));
    }
    auto n = root;
    for (auto step = there.rbegin(); step != there.rend(); ++step) {
      n = base::take(n, {});
      note(n, {.there = step->first, .is_common = true, .is_named = false, .told = step->second});
      way.push_back(n);
    }
    std::reverse(way.begin(), way.end());
    return true;
  }

  template <class Sequence, class Before>
  void insert(node_id n, Sequence& v, node_id through, Before before) {
    if (!is_common(n)) [[likely]] {
      base::insert(n, v, through, before);
      return;
    }
    insert_above(n, v, through, before);
  }

  /// Calls `visit(event)` for every step that it names.
  template <class Visit>
  void for_each_event(Visit visit) const {
    base::for_each_event(visit);
    for (const auto& n : known_)
      for (const auto& path : n.covers)
        for (const auto& e : path) visit(e);
  }

  /// @name For the worker
  /// @{

  /// Makes what it has planned first common, for others. @param here  where the cursor is
  /// @return whether there was something
  bool give(node_id here) {
    if (top_ == base::none || base::plans_.size() == 0) return false;
    const auto path = own_path(here);
    std::size_t i = 0;
    while (i < path.size() && !base::has_plan(path[i])) ++i;
    if (i == path.size()) return false;
    do ++i;
    while (i < path.size() && !base::at(path[i]).is_whole);
    share(path, i);
    return true;
  }
  /// Makes all of it common. @param here  where the cursor is
  void give_all(node_id here) {
    if (top_ == base::none) return;
    const auto path = own_path(here);
    share(path, path.size());
  }
  /// @}

protected:
  using cover = std::vector<event_type>;
  /// What is known of a node that is in the common tree, too.
  struct common_node {
    typename common::node_id there{common::none};
    bool is_common = false;          // else it is `top`
    bool is_named = true;            // its step has a name in this worker's system
    portable_event told{};           // the step to it
    std::vector<cover> covers = {};  // W1; the last one that was of use first
  };

  /// Whether the cursor is at `top` or below it.
  [[nodiscard]] bool is_inside() const { return top_ != base::none; }

  // The same for common nodes.

  [[gnu::cold, gnu::noinline]] bool sleeps_above(node_id n, event_type e) {
    const std::lock_guard lock(upper_.workers.guard);
    return upper_.sleeps(there(n), names_.told(e));
  }
  [[gnu::cold, gnu::noinline]] bool anything_sleeps_above(node_id n) const {
    const std::lock_guard lock(upper_.workers.guard);
    return upper_.anything_sleeps(there(n));
  }
  [[gnu::cold, gnu::noinline]] const event_type& step_above(node_id n) {
    auto& x = known(n);
    auto& step = base::at(n).step;
    if (std::exchange(x.is_named, true)) return step;
    const auto label = names_.own(x.told.label);
    step = depends_.foreseen(system_.slot_of(system_.names().message_of(label)));
    step.label = label;
    step.one_of_several = x.told.one_of_several;
    return step;
  }
  [[gnu::cold, gnu::noinline]] node_id take_first_above(node_id n) {
    lock_ = std::unique_lock(upper_.workers.guard);  // W3
    if (const auto s = upper_.take_first(there(n)); s != common::none) return come_to(n, s);
    lock_.unlock();
    return base::none;
  }
  [[gnu::cold, gnu::noinline]] node_id take_above(node_id n, event_type step) {
    lock_ = std::unique_lock(upper_.workers.guard);
    const auto child = come_to(n, upper_.take(there(n), names_.told(step)));
    base::at(child).step = step;
    known(child).is_named = true;
    return child;
  }
  [[gnu::cold, gnu::noinline]] void enter_above(node_id child, touched_set touches) {
    auto& x = known(child);
    upper_.enter(x.there, names_.touches_told(touches));
    x.told = upper_.step_to(x.there);
    x.is_common = !upper_.is_whole(x.there) || upper_.has_plan(x.there);
    base::at(child).step.touched.touches = touches;
    if (!x.is_common) begin_own(child);
    lock_.unlock();
  }
  [[gnu::cold, gnu::noinline]] void leave_above(node_id child) {
    const auto& x = known(child);
    const auto parent = base::at(child).parent;
    bool covers = false;
    {
      const std::lock_guard lock(upper_.workers.guard);
      covers = upper_.is_whole(x.there);
      upper_.leave(x.there);
      covers = covers || upper_.sleeps(there(parent), x.told);
    }
    if (covers) know(known(parent), {base::at(child).step});
    top_ = base::none;
    let_go(child);
  }
  [[gnu::cold, gnu::noinline]] void put_back_above(node_id n, event_type step) {
    const std::lock_guard lock(upper_.workers.guard);
    upper_.put_back(there(n), names_.told(step));
    upper_.workers.tell();
  }

  [[nodiscard]] bool is_common(node_id n) const {
    const auto i = static_cast<std::size_t>(n);
    return i < known_.size() && known_[i].is_common;
  }
  [[nodiscard]] typename common::node_id there(node_id n) const { return known_[static_cast<std::size_t>(n)].there; }
  [[nodiscard]] common_node& known(node_id n) { return known_[static_cast<std::size_t>(n)]; }
  common_node& at_root() { return note(root, {}); }
  common_node& note(node_id n, common_node what) {
    const auto i = static_cast<std::size_t>(n);
    if (i >= known_.size()) known_.resize(i + 1);
    return known_[i].there == common::none ? known_[i] = std::move(what) : known_[i];
  }

  node_id come_to(node_id n, typename common::node_id s) {
    const auto child = base::take(n, {});
    note(child, {.there = s, .is_common = true, .is_named = false, .told = upper_.step_to(s)});
    return child;
  }
  /// `child`, just entered, is whole, and nothing is planned there.
  void begin_own(node_id child) {
    auto& c = base::at(child);
    c.is_whole = c.is_last_word = true;
    top_ = child;
  }
  /// A node that is in the common tree, too, is this worker's no more.
  void let_go(node_id child) {
    known(child) = {};
    base::let_go(child);
  }

  /// From `top` to `here`.
  [[nodiscard]] std::vector<node_id> own_path(node_id here) const {
    std::vector<node_id> path;
    for (auto n = here; n != top_; n = base::at(n).parent) path.push_back(n);
    path.push_back(top_);
    std::reverse(path.begin(), path.end());
    return path;
  }
  /// The first `count` nodes of `path` are common from now on; the next one is `top`.
  void share(const std::vector<node_id>& path, std::size_t count) {
    const std::lock_guard lock(upper_.workers.guard);
    for (std::size_t i = 0; i < count; ++i) {
      hand_over(path[i]);
      if (i + 1 == path.size()) break;
      const auto& c = base::at(path[i + 1]);
      const auto told = names_.told(c.step);
      const auto s = upper_.adopt(there(path[i]), told, c.is_whole, c.is_draw);
      note(path[i + 1], {.there = s, .is_common = true, .told = told});
    }
    top_ = count < path.size() ? path[count] : base::none;
    if (top_ != base::none) known(top_).is_common = false;
    upper_.workers.tell();
  }
  /// What sleeps and what is planned at `n` is common.
  void hand_over(node_id n) {
    auto& x = base::at(n);
    auto& k = known(n);
    k.is_common = true;
    for (const auto& e : x.asleep) {
      upper_.put_to_sleep(k.there, names_.told(e));
      know(k, {e});
    }
    if constexpr (base::planned_may_sleep) upper_.doubt(k.there, std::exchange(x.doubts.count, 0));
    x.asleep.clear();
    cover path;
    base::plans_.walk(
        x.todo,
        [&](const event_type& step, bool is_leaf) {
          path.push_back(step);
          if (is_leaf) know(k, path);
        },
        [&] { path.pop_back(); });
    upper_.plan_all(k.there, x.todo, base::plans_, [&](const event_type& e) { return names_.told(e); });
  }

  template <class Sequence, class Before>
  [[gnu::noinline]] void insert_above(node_id n, Sequence& v, node_id through, Before before) {
    auto& covers = known(n).covers;
    for (auto c = covers.begin(); c != covers.end(); ++c) {
      if (!begins_with(v, *c)) continue;
      std::rotate(covers.begin(), c, c + 1);  // the next one is likely to be like this one
      return;
    }
    v.begin_again();
    const auto& own = v.elements();
    std::unique_lock lock(upper_.workers.guard, std::defer_lock);
    if (!depends_.foresees_all()) lock.lock();  // what a step touches is numbered by all
    told_.begin(v.may_draw_else());
    for (std::size_t i = 0; i < own.size(); ++i) told_.add(names_.told(own[i].step), static_cast<step_index>(i));
    const auto all_told = told_.elements();
    if (!lock) lock.lock();
    std::vector<portable_event> path;
    const auto into = through == base::none ? common::none : there(through);
    const bool is_cover = upper_.insert(
        there(n), told_, into, [&](const auto& x, const auto& y) { return before(own[x.at], own[y.at]); },
        [&](const portable_event& step) { path.push_back(step); });
    lock.unlock();
    upper_.workers.tell();
    if (is_cover && depends_.foresees_all()) know(known(n), in_own_names(path, all_told, own));
  }
  /// Whether `v` begins with all of `path`.
  template <class Sequence>
  static bool begins_with(Sequence& v, const cover& path) {
    v.begin_again();
    for (const auto& step : path) {
      if (!v.is_weak_initial(step)) return false;
      v.take(step);
    }
    return true;
  }
  /// W1: all that begins with `path` is covered there. What a planned step touches
  /// beside its receiver is not known, so that nothing is remembered where that matters.
  void know(common_node& at, cover path) {
    // A planned leaf in which something sleeps then (D10) takes what others find that begins with it (T3).
    if constexpr (requires { Dependence::planned_may_sleep; }) return;
    if (depends_.foresees_all() && !path.empty()) at.covers.insert(at.covers.begin(), std::move(path));
  }
  /// `path` leads over elements of a sequence, which are `told` to all and `own`
  /// here, and over messages of the current execution; empty if over others, too.
  template <class Told, class Own>
  [[nodiscard]] cover in_own_names(const std::vector<portable_event>& path, const Told& told, const Own& own) const {
    cover named;
    for (const auto& step : path) {
      const auto same = std::find_if(told.begin(), told.end(),
                                     [&](const auto& x) { return x.step.label.message == step.label.message; });
      const auto slot = same == told.end() ? slot_of(step.label.message) : no_message;
      if (same == told.end() && slot == no_message) return {};
      auto e = same != told.end() ? own[static_cast<std::size_t>(same->at)].step : depends_.foreseen(slot);
      e.label = system_.names().alternative(system_.names().message_of(e.label), step.label.code);
      e.one_of_several = step.one_of_several ? 1 : 0;
      named.push_back(e);
    }
    return named;
  }
  [[nodiscard]] message_slot slot_of(fingerprint name) const {
    auto& names = system_.names();
    for (message_slot m = 0; m < system_.message_count(); ++m)
      if (names.name_of(system_.message_at(m).id) == name) return m;
    return no_message;
  }

  system& system_;
  Dependence& depends_;
  common& upper_;
  names_for_all<Dependence> names_;
  std::vector<common_node> known_;  // by node; nothing of own ones
  node_id top_{base::none};
  std::unique_lock<std::mutex> lock_;
  wakeup_sequence<relation> told_{upper_.relation};
};

}  // namespace harrier
