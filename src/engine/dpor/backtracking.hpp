// What the algorithms with a backtrack set at each point have in common, and what lets several workers share the tree
// that such a search walks: see shared_depth_first.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <harrier/core/happens_before.hpp>
#include <harrier/core/names_in_use.hpp>

#include "../depth_first.hpp"
#include "sleep_set.hpp"

namespace harrier {

/// What the search of a branch found out that concerns points outside it: at which of them the algorithm would do what.
///
/// Only the order of what concerns the same point is kept, since what is done at one depends on that point alone.
class plan_log {
public:
  struct entry {
    std::vector<std::uint32_t> slots;
    bool is_late;
  };

  /// Nothing, if it would change nothing: an earlier entry, of the same kind, is among its slots. (All slots of an
  /// entry are alternatives, one of which suffices, or there is one at most. In the meantime nothing but entries in
  /// this log is done at that point, and what one of the alternatives found there stays: it was planned, slept, or was
  /// refused until the point's next message begins.)
  void add(std::size_t depth, std::span<const std::uint32_t> slots, bool is_late) {
    if (depth >= by_depth_.size()) by_depth_.resize(depth + 1);
    auto& here = by_depth_[depth];
    const auto is_covered_by = [&](const entry& e) {
      return e.is_late == is_late && std::all_of(e.slots.begin(), e.slots.end(), [&](std::uint32_t x) {
               return std::find(slots.begin(), slots.end(), x) != slots.end();
             });
    };
    if (std::none_of(here.begin(), here.end(), is_covered_by)) here.push_back({{slots.begin(), slots.end()}, is_late});
  }
  /// Calls `visit(depth, slots, is_late)` for each.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t depth = 0; depth < by_depth_.size(); ++depth)
      for (const auto& e : by_depth_[depth]) visit(depth, std::span(e.slots), e.is_late);
  }
  template <class Writer>
  void save(Writer& to) const {
    to.list(by_depth_, [&](const auto& here) {
      to.list(here, [&](const entry& e) {
        to.list(e.slots, [&](std::uint32_t x) { to.number(x); });
        to.flag(e.is_late);
      });
    });
  }
  template <class Reader>
  void load(Reader& from) {
    by_depth_.clear();
    from.list([&] {
      auto& here = by_depth_.emplace_back();
      from.list([&] {
        auto& e = here.emplace_back();
        from.list([&] { e.slots.push_back(static_cast<std::uint32_t>(from.number())); });
        e.is_late = from.flag();
      });
    });
  }

private:
  std::vector<std::vector<entry>> by_depth_;
};

/// The points of a search that is at work on the whole tree, or on one branch of it: on all that follows from one
/// message at one point of the path, the branch's root. That point is here too, in a copy that plans only this message;
/// what is found out about it is kept for whoever the branch is from, as for all points above it.
template <class Point>
class branch_points {
public:
  /// There are none yet.
  void begin(std::size_t root, bool is_branch) {
    while (!stack_.empty()) stack_.pop();
    root_ = root;
    first_own_ = root + (is_branch ? 1 : 0);
    outside = {};
  }
  Point& push() { return stack_.push(); }
  void pop() { stack_.pop(); }
  Point& back() { return stack_.back(); }
  Point& before_last() { return stack_[stack_.size() - 2]; }
  /// The point in which the step at depth `i` (from 0) was taken.
  Point& operator[](std::size_t i) { return stack_[i - root_]; }
  const Point& operator[](std::size_t i) const { return stack_[i - root_]; }
  /// Whether what is found out about the point at that depth is done there at once.
  [[nodiscard]] bool is_own(std::size_t depth) const { return depth >= first_own_; }
  [[nodiscard]] std::size_t root() const { return root_; }
  [[nodiscard]] std::size_t first_own() const { return first_own_; }
  [[nodiscard]] bool is_branch() const { return first_own_ != root_; }
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < stack_.size(); ++i) visit(stack_[i]);
  }
  /// Takes all of them out.
  std::vector<Point> take() {
    std::vector<Point> all;
    for (std::size_t i = 0; i < stack_.size(); ++i) all.push_back(std::move(stack_[i]));
    while (!stack_.empty()) stack_.pop();
    return all;
  }
  template <class Writer>
  void save(Writer& to) const {
    stack_.save(to, [&](const Point& p) { p.save(to); });
  }
  template <class Reader>
  void load(Reader& from) {
    stack_.load(from, [&](Point& p) { p.load(from); });
  }

  plan_log outside;

private:
  point_stack<Point> stack_;
  std::size_t root_ = 0;
  std::size_t first_own_ = 0;
};

/// What such an algorithm has at each point, beside its backtrack set: what sleeps there.
template <class SleepSet>
struct sleepy_point {
  drowsy<SleepSet> sleep;

  /// The next message of the point begins.
  void begin() {}
  template <class Dependence>
  void keep_names(const Dependence& depends, name_keeper& keep) const {
    sleep.keep_names(depends, keep);
  }
  /// What was run of the message that is being tried.
  template <class Writer>
  void save_ran(Writer& to) const {
    sleep.save_ran(to);
  }
  template <class Reader>
  void load_ran(Reader& from) {
    sleep.load_ran(from);
  }
  void take_ran(sleepy_point& other) { sleep.take_ran(other.sleep); }
};

/// @tparam Point  what the algorithm keeps at each, with
///   void save(Writer&) const, load(Reader&)   as in shared_depth_first.hpp, load() of all of it
///   void begin()                              what next() changes at the point itself
///   keep_names, save_ran, load_ran, take_ran  as in sleepy_point
template <class Point, class Dependence>
class backtracking {
public:
  using point = Point;
  using dependence = Dependence;

  backtracking(system& s, observer& watcher, ordering& arranged, happens_before& order, dependence& depends)
      : system_(s),
        watcher_(watcher),
        ordering_(arranged),
        order_(order),
        depends_(depends),
        base_(static_cast<step_index>(s.setup_steps())) {}

  void leave() { points_.pop(); }
  void keep_names(name_keeper& keep) {
    points_.for_each([&](const point& p) { p.keep_names(depends_, keep); });
  }
  /// Writes what it holds at its points, and takes over what was written: see shared_depth_first.hpp.
  template <class Writer>
  void save(Writer& to) const {
    points_.save(to);
  }
  template <class Reader>
  void load(Reader& from) {
    points_.load(from);
  }
  /// The branch that it is at work on is part of the one whose points come now: they are its own, too, and the last of
  /// them is the one it began at.
  template <class Reader>
  void take_over(Reader& from, std::size_t root, bool is_branch) {
    auto lower = points_.take();
    points_.begin(root, is_branch);
    points_.load(from);
    points_.back().begin();
    points_.back().take_ran(lower.front());
    for (std::size_t i = 1; i < lower.size(); ++i) points_.push() = std::move(lower[i]);
  }
  [[nodiscard]] branch_points<point>& points() { return points_; }
  [[nodiscard]] const branch_points<point>& points() const { return points_; }

protected:
  [[nodiscard]] std::size_t depth_of(step_index i) const { return i - base_; }

  /// Whether it is known what will sleep when, at the point at that depth, the n-th message after the one that is
  /// being tried begins: all that will have run by then.
  [[nodiscard]] bool knows_sleepers(std::size_t depth, std::size_t n) const {
    return n == 0 || depends_.foresees_all() || (n == 1 && draws_are_begun(depth));
  }
  /// @param tried  the messages between, the one that is being tried first
  template <class Sleep>
  void put_to_sleep(Sleep& sleep, std::span<const message_slot> tried) const {
    for (std::size_t i = 0; i < tried.size(); ++i) {
      if (i > 0) sleep.note(depends_.foreseen(tried[i]));
      sleep.put_to_sleep(system_.message_at(tried[i]).id);
    }
  }

  system& system_;
  observer& watcher_;
  ordering& ordering_;
  happens_before& order_;
  dependence& depends_;
  step_index base_;
  branch_points<point> points_;
  bool slept_ = false;  // the last step: one of a message's draws, when another woke

private:
  /// Whether the step at that depth is the last that its message's handler can draw.
  [[nodiscard]] bool draws_are_begun(std::size_t depth) const {
    const auto f = base_ + static_cast<step_index>(depth);
    const auto code = system_.step_at(f).code;
    const auto all = system_.choices_of(f);
    return std::all_of(all.begin(), all.end(), [&](const auto& c) { return code / c.scale % c.arity + 1 == c.arity; });
  }
};

}  // namespace harrier
