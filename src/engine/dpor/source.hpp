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
//     run. There a message whose handler draws may wake with some draws only, so
//     each draw sleeps for itself, and one that still does is given up.
// D7  What sleeps may sleep on after a step of its receiver that it commutes with
//     in that state (see semantic_dependence). Races are not affected: a message is
//     planned before each earlier one of its receiver all the same. That the source
//     sets are enough then is tested, not proved (docs/algorithms/independence.md).
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "../depth_first.hpp"
#include "sleep_set.hpp"

namespace harrier {

// Paper -> code. backtrack(E'), Sleep: of points_[i - base_] | e ≾ next_[E](p): dependence::rival, for_each_late_race
// | I_[E'](v): initials | enabled(s[E]) \ Sleep: awake.
template <class Parts>
class source {
public:
  using dependence = typename Parts::dependence;

  source(system& s, observer& watcher, ordering& arranged, happens_before& order, dependence& depends)
      : system_(s),
        watcher_(watcher),
        ordering_(arranged),
        order_(order),
        depends_(depends),
        base_(static_cast<step_index>(s.setup_steps())) {}

  void enter() {
    auto& p = points_.push();  //  1  Explore(E, Sleep)
    p.backtrack.clear();
    p.position = 0;
    p.sleep.clear();
    if (system_.depth() > 0) p.sleep.inherit(points_[points_.size() - 2].sleep, depends_.last_event(), depends_);  // 11
    if (std::exchange(slept_, false)) return watcher_.execution_blocked(system_);
    list_deliverable(system_, ordering_, deliverable_);
    const auto awake = std::find_if(deliverable_.begin(), deliverable_.end(),
                                    [&](message_slot m) { return !p.sleep.contains(system_.message_at(m).id); });
    if (awake != deliverable_.end()) {  //  2
      p.backtrack.push_back(*awake);    //  3
      return;
    }
    if (deliverable_.empty())
      watcher_.execution_ended(system_);
    else
      watcher_.execution_blocked(system_);
    for (auto m = system_.first_pending(); m != no_message; m = system_.next_pending(m)) look_for_race(m);  // D1
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
    const auto f = system_.last_step();
    depends_.for_each_late_race(order_, f, [&](step_index e) {
      add_initial(e, system_.step_at(f).message, [&](step_index g) { return order_.before(g, f); });
    });
  }

  void tried(message_slot m) {
    auto& p = points_.back();
    ++p.position;
    p.sleep.put_to_sleep(system_.message_at(m).id);  // 12
  }

  void leave() { points_.pop(); }

  [[nodiscard]] branching branching_at(std::size_t i) const {
    const auto& p = points_[i];
    return {p.position + 1, p.backtrack.size() - p.position - 1};
  }

  void keep_names(name_keeper& keep) {
    for (std::size_t i = 0; i < points_.size(); ++i) points_[i].sleep.keep_names(depends_, keep);
  }

  /// Writes what it holds at its points, and takes over what was written: see shared_depth_first.hpp.
  template <class Writer>
  void save(Writer& to) const {
    points_.save(to, [&](const point& p) {
      to.slots(p.backtrack);
      to.number(p.position);
      p.sleep.save(to);
    });
  }
  template <class Reader>
  void load(Reader& from) {
    points_.load(from, [&](point& p) {
      from.slots(p.backtrack);
      p.position = static_cast<std::size_t>(from.number());
      p.sleep.load(from);
    });
  }

private:
  struct point {
    std::vector<message_slot> backtrack;  // in the order added
    std::size_t position = 0;
    drowsy<typename Parts::sleep_set> sleep;
  };

  void look_for_race(message_slot m) {
    const auto e = depends_.rival(order_, m);
    if (e != no_step) add_initial(e, m, [&](step_index g) { return order_.before_sending(g, m); });  //  5
  }

  /// @param before  whether a step happens before the delivery of `m`.
  template <class Before>
  void add_initial(step_index e, message_slot m, Before before) {
    auto& p = points_[e - base_];
    initials(e, m, before);  //  6-8  I_[E'](notdep(e, E).p)
    for (const auto i : initials_)
      if (std::find(p.backtrack.begin(), p.backtrack.end(), i) != p.backtrack.end()) return;  // 8
    // An initial that sleeps is covered: whatever starts with it was explored from an ancestor.
    for (const auto i : initials_)
      if (p.sleep.contains(system_.message_at(i).id)) return;
    p.backtrack.push_back(initials_.front());  //  9
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

  system& system_;
  observer& watcher_;
  ordering& ordering_;
  happens_before& order_;
  dependence& depends_;
  step_index base_;
  point_stack<point> points_;
  bool slept_ = false;  // the last step: one of a message's draws, when another woke
  std::vector<message_slot> deliverable_, initials_;
  std::vector<step_index> notdep_;
};

}  // namespace harrier
