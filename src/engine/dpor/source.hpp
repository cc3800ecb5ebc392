// Source-DPOR (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014, Algorithm 1),
// specialised to actors: what is dependent on what says a `dependence`. The margin
// has the algorithm's lines.
//
// Invariant: when a point is left, the messages explored there are a source
// set: for every execution class that starts there, one of them is a weak
// initial of it, or of one that an ancestor's sleep set says is covered.
//
// D1  The race of a message is with the latest delivery on its receiver in
//     place of which it could have been delivered (guards, calls and destroy
//     disable), and messages that are not delivered race too, at the end of an
//     execution and where one is given up: what blocks there has not been
//     looked at by any other.
// D2  Races are looked for just before a message is delivered, as in the
//     algorithm's line 5, where e = next_[E](p) is not yet in E.
// D3  Depth-first with going back instead of recursion on E.
// D4  Drawn values: each message is explored with all its draws.
// D5  Steps that end an execution end their actor only, as in optimal.hpp.
// D6  Races that are seen late (see dependence) are looked for once a step was
//     run. What a message touches in another place is not known (see late_dependence): in
//     v it comes after all that touch anything, else it would be taken for an initial
//     that it is not, and v for covered. What it then is dependent on may have been run
//     after it, so at the end all races are looked at once more. There a message whose handler draws may wake with some
//     draws only, so each draw sleeps for itself, and one that still does is given up.
// D7  What sleeps may sleep on after a step of its receiver that it commutes with
//     in that state (see semantic_dependence). Races are not affected: a message is
//     planned before each earlier one of its receiver all the same. That the source
//     sets are enough then is tested, not proved (docs/algorithms/independence.md).
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "../../core/dependence/late_dependence.hpp"
#include "listed_backtracking.hpp"

namespace harrier {

// Paper -> code. backtrack(E'), Sleep: of points_[i - base_] | e ≾ next_[E](p): dependence::rival, for_each_late_race
// | I_[E'](v): initials | enabled(s[E]) \ Sleep: first_awake | 12: tried.
template <class Parts>
class source : public growing_backtracking<listed_point<typename Parts::sleep_set>, typename Parts::dependence> {
  using base = growing_backtracking<listed_point<typename Parts::sleep_set>, typename Parts::dependence>;

public:
  using base::base;
  using typename base::point;

  void enter() {
    auto& p = this->push_point();  //  1  Explore(E, Sleep), 11
    if (std::exchange(slept_, false)) return watcher_.execution_blocked(system_);
    list_deliverable(system_, ordering_, deliverable_);
    if (const auto awake = this->first_awake(p, deliverable_); awake != no_message) {  //  2
      p.backtrack.push_back(awake);                                                    //  3
      return;
    }
    if (deliverable_.empty())
      watcher_.execution_ended(system_);
    else
      watcher_.execution_blocked(system_);
    for (auto m = system_.first_pending(); m != no_message; m = system_.next_pending(m)) look_for_race(m);  // D1
    if (!depends_.foresees_all() && do_places_matter(system_))
      for (auto f = base_; f < system_.step_count(); ++f) look_for_races_of(f);  // D6
  }

  message_slot next() {
    auto& p = points_.back();
    if (p.position == p.backtrack.size()) return no_message;  //  4
    look_for_race(p.backtrack[p.position]);                   //  5-9
    return points_.back().backtrack[points_.back().position];
  }

  void stepped() {  // D6
    slept_ = points_.back().sleep.note(depends_.last_event());
    if (slept_) return;
    depends_.for_each_late_race(order_, system_.last_step(),
                                [&](step_index e) { add_initial(e, system_.last_step()); });
  }

  /// @param initials  of an execution that is to be covered there
  void plan(std::size_t depth, std::span<const message_slot> initials, bool /*is_late*/ = false) {
    if (!points_.is_own(depth)) return points_.outside.add(depth, initials, false);
    auto& p = points_[depth];
    for (const auto i : initials)
      if (std::find(p.backtrack.begin(), p.backtrack.end(), i) != p.backtrack.end()) return;  // 8
    // An initial that sleeps is covered: whatever starts with it was explored from an ancestor.
    for (const auto i : initials)
      if (p.sleep.contains(system_.message_at(i).id)) return;
    p.backtrack.push_back(initials.front());  //  9
  }

private:
  using base::base_;
  using base::depends_;
  using base::order_;
  using base::ordering_;
  using base::points_;
  using base::slept_;
  using base::system_;
  using base::watcher_;

  void look_for_race(message_slot m) {
    const auto e = depends_.rival(order_, m);
    if (e == no_step) return;
    add_initial(e, m, [&](step_index g) { return order_.before_sending(g, m) || touches_more(system_, g); });  //  5
  }

  void look_for_races_of(step_index f) {
    depends_.for_each_race(order_, f, [&](step_index e) {
      if (may_touch_else(system_, e, f)) add_initial(e, f);
    });
  }
  void add_initial(step_index e, step_index f) {
    const bool may_change = may_touch_else(system_, e, f);
    add_initial(e, system_.step_at(f).message,
                [&](step_index g) { return order_.before(g, f) || (may_change && touches_more(system_, g)); });
  }
  /// @param before  whether a step happens before the delivery of `m`.
  template <class Before>
  void add_initial(step_index e, message_slot m, Before before) {
    initials(e, m, before);  //  6-8  I_[E'](notdep(e, E).p)
    plan(this->depth_of(e), initials_);
  }

  /// The messages of notdep(e).m that nothing before them in it happens before.
  template <class Before>
  void initials(step_index e, message_slot m, Before before) {
    initials_.clear();
    notdep_.clear();
    for (auto f = e + 1; f < system_.step_count(); ++f) {
      if (order_.before(e, f)) continue;
      const auto first =
          std::none_of(notdep_.begin(), notdep_.end(), [&](step_index g) { return order_.before(g, f); });
      notdep_.push_back(f);
      if (first) initials_.push_back(system_.step_at(f).message);
    }
    if (std::none_of(notdep_.begin(), notdep_.end(), before)) initials_.push_back(m);
  }

  std::vector<message_slot> deliverable_, initials_;
  std::vector<step_index> notdep_;
};

}  // namespace harrier
