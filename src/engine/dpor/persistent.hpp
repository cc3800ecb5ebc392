// Persistent sets, S. Lauterburg's Fig. 2.4, with and without sleep sets.
//
// Invariant: when a point is left, the messages tried there are a persistent
// set in its state: nothing that other messages lead to depends on one of them.
// A point starts with all messages of one actor. A later send to that actor,
// made by an actor a' that the delivery at the point does not happen before,
// adds all messages that a' had there: they "cause" the send.
//
// D1  The figure re-executes each path; we go back.
// D2  "The code that determines actor a' is not shown" there. It is the receiver
//     of the first step after k that happens before the send. Its message is
//     always deliverable at k: whatever made it so would be an earlier such step.
// D3  Sleep sets (not in the figure): sleeping messages are not added, and a
//     point starts with the first actor that has a waking one. Sleeping
//     messages of an actor count as tried, so an actor is still added once.
// D4  What is seen late (see dependence) to be dependent "synchronizes" too, when
//     a step was run: as in Flanagan's and Godefroid's sets (POPL 2005), which
//     these are for messages.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "listed_backtracking.hpp"

namespace harrier {

// Figure -> code. path_c[k]: points_[k] | S_p: backtrack | choose(P): first actor of `deliverable`
// | S_p.add((a', -)): add | canSynchronize: dependence::for_each_conflict, for_each_late_race.
template <class Parts>
struct persistent_point : listed_point<typename Parts::sleep_set> {
  using base = listed_point<typename Parts::sleep_set>;
  std::vector<message_slot> deliverable;
  std::vector<actor_slot> actors;  // whose messages are in `backtrack`

  template <class Writer>
  void save(Writer& to) const {
    to.slots(deliverable);
    to.slots(actors);
    base::save(to);
  }
  template <class Reader>
  void load(Reader& from) {
    from.slots(deliverable);
    from.slots(actors);
    base::load(from);
  }
};

template <class Parts>
class persistent_search : public growing_backtracking<persistent_point<Parts>, typename Parts::dependence> {
  using base = growing_backtracking<persistent_point<Parts>, typename Parts::dependence>;

public:
  using base::base;
  using typename base::point;

  void enter() {  // next(P), for a new point
    auto& p = this->push_point();
    p.actors.clear();
    p.deliverable.clear();
    if (std::exchange(slept_, false)) return watcher_.execution_blocked(system_);
    list_deliverable(system_, ordering_, p.deliverable);
    if (p.deliverable.empty()) return watcher_.execution_ended(system_);
    const auto first = this->first_awake(p, p.deliverable);
    if (first == no_message) return watcher_.execution_blocked(system_);
    add(p, system_.message_at(first).receiver);
  }

  message_slot next() {
    auto& p = points_.back();
    return p.position < p.backtrack.size() ? p.backtrack[p.position] : no_message;
  }

  void stepped() {  // the inner while loop: if s is send(b, v)
    slept_ = points_.back().sleep.note(depends_.last_event());
    if (slept_) return;  // D4
    const auto last = system_.last_step();
    const auto synchronize = [&](step_index k) {
      const auto a = cause(k, last);
      plan(this->depth_of(k), std::span(&a, 1));
    };
    for (auto m = system_.step_at(last).first_sent; m < system_.sent_end(last); ++m)
      depends_.for_each_conflict(order_, m, synchronize);
    depends_.for_each_late_race(order_, last, synchronize);
  }

  /// @param actor  the one whose messages are to be tried there
  void plan(std::size_t depth, std::span<const actor_slot> actor, bool /*is_late*/ = false) {
    if (points_.is_own(depth))
      add(points_[depth], actor.front());
    else
      points_.outside.add(depth, actor, false);
  }

private:
  using base::depends_;
  using base::order_;
  using base::ordering_;
  using base::points_;
  using base::slept_;
  using base::system_;
  using base::watcher_;

  /// a': the receiver of the first step after `k` that happens before the sends of `last`, or is it.
  [[nodiscard]] actor_slot cause(step_index k, step_index last) const {
    for (auto f = k + 1; f < last; ++f)
      if (order_.before(f, last)) return system_.step_at(f).receiver;
    return system_.step_at(last).receiver;
  }

  void add(point& p, actor_slot a) {
    if (std::find(p.actors.begin(), p.actors.end(), a) != p.actors.end()) return;
    p.actors.push_back(a);
    for (const auto m : p.deliverable)
      if (system_.message_at(m).receiver == a && !p.sleep.contains(system_.message_at(m).id)) p.backtrack.push_back(m);
  }
};

}  // namespace harrier
