// TransDPOR, Tasharofi et al., Fig. 2 as printed; with sleep sets if asked for.
//
// Invariant (Theorem 1 of the paper): when Explore(S) ends, for every execution
// class that starts in last(S) an execution of it was explored. Freezing is
// sound because races are transitive: what a frozen point refuses races with
// the message that froze it too, and is added when that one is explored.
//
// D1  Depth-first with going back instead of recursion on S.
// D2  Line 5, "there is j": j is the first step after i that happens before m;
//     E has at most one element.
// D3  Lines 3-9 look at every pending message in every state, terminal ones
//     included: a message that is never delivered races too.
// D4  Sleep sets (the paper's Table 2 has them, its figure not): a sleeping
//     candidate is ignored *before* line 6. Letting it freeze the point, as the
//     obvious combination does, loses executions: it is never explored, so the
//     point never thaws.
// D5  Races that are seen late (see dependence) are looked for when a step was
//     run. They are not transitive, since a step may touch several things; so
//     nothing freezes there.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "listed_backtracking.hpp"

namespace harrier {

// Paper -> code. pre(S, i): points_[i - base] | backtrack, freeze: of a point | i ->S m: order_.before_sending | 14:
// tried. What thaws (14') is the point, when what froze it begins; its list only grows.
template <class Parts>
struct transdpor_point : listed_point<typename Parts::sleep_set> {
  using base = listed_point<typename Parts::sleep_set>;
  std::vector<message_slot> deliverable;
  bool frozen = false;

  void begin() { frozen = false; }
  template <class Writer>
  void save(Writer& to) const {
    to.slots(deliverable);
    to.flag(frozen);
    base::save(to);
  }
  template <class Reader>
  void load(Reader& from) {
    from.slots(deliverable);
    frozen = from.flag();
    base::load(from);
  }
};

template <class Parts>
class transdpor : public growing_backtracking<transdpor_point<Parts>, typename Parts::dependence> {
  using base = growing_backtracking<transdpor_point<Parts>, typename Parts::dependence>;

public:
  using base::base;
  using typename base::point;

  void enter() {                                                                          //  1
    for (auto m = system_.first_pending(); m != no_message; m = system_.next_pending(m))  //  3
      look_for_race(m);                                                                   //  4-8
    auto& p = this->push_point();
    p.frozen = false;
    p.deliverable.clear();
    if (std::exchange(slept_, false)) return watcher_.execution_blocked(system_);
    list_deliverable(system_, ordering_, p.deliverable);
    if (p.deliverable.empty()) return watcher_.execution_ended(system_);  // 10
    const auto m = this->first_awake(p, p.deliverable);
    if (m == no_message) return watcher_.execution_blocked(system_);
    p.backtrack.push_back(m);  // 11
  }

  message_slot next() {
    auto& p = points_.back();
    if (p.position == p.backtrack.size()) return no_message;  // 13
    p.frozen = false;                                         // 14'
    return p.backtrack[p.position];
  }

  void stepped() {  // D5
    slept_ = points_.back().sleep.note(depends_.last_event());
    if (slept_) return;
    const auto f = system_.last_step();
    depends_.for_each_late_race(order_, f, [&](step_index i) {
      auto j = i + 1;
      while (!order_.before(j, f)) ++j;
      const auto e = system_.step_at(j).message;
      plan(this->depth_of(i), std::span(&e, 1), true);
    });
  }

  /// @param candidate  to be tried there
  /// @param is_late  D5
  void plan(std::size_t depth, std::span<const message_slot> candidate, bool is_late) {
    if (!points_.is_own(depth)) return points_.outside.add(depth, candidate, is_late);
    auto& p = points_[depth];
    if (p.frozen && !is_late) return;  //  4'
    const auto e = candidate.front();
    if (!contains(p.deliverable, e) || p.sleep.contains(system_.message_at(e).id)) return;  // D4
    if (contains(p.backtrack, e)) return;
    p.backtrack.push_back(e);  //  6
    if (!is_late) p.frozen = true;
  }

private:
  using base::depends_;
  using base::order_;
  using base::ordering_;
  using base::points_;
  using base::slept_;
  using base::system_;
  using base::watcher_;

  void look_for_race(message_slot m) {
    const auto i = depends_.latest_conflict(order_, m);
    if (i == no_step) return;  //  4
    const auto depth = this->depth_of(i);
    if (points_.is_own(depth) && points_[depth].frozen) return;  //  4', known before line 5
    const auto e = candidate(i, m);                              //  5
    if (e != no_message) plan(depth, std::span(&e, 1), false);
  }

  /// The only possible element of E: `m` if it was sent before step `i`, else
  /// the message of the first step after `i` that happens before it.
  [[nodiscard]] message_slot candidate(step_index i, message_slot m) const {
    if (m < system_.step_at(i).first_sent) return m;
    for (auto j = i + 1; j < system_.step_count(); ++j)
      if (order_.before_sending(j, m)) return system_.step_at(j).message;
    return no_message;
  }

  static bool contains(const std::vector<message_slot>& list, message_slot m) {
    return std::find(list.begin(), list.end(), m) != list.end();
  }
};

}  // namespace harrier
