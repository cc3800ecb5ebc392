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
#include <utility>
#include <vector>

#include "../depth_first.hpp"
#include "sleep_set.hpp"

namespace harrier {

// Figure -> code. path_c[k]: points_[k] | S_p: scheduled | choose(P): first actor of `deliverable`
// | S_p.add((a', -)): add | canSynchronize: dependence::for_each_conflict, for_each_late_race.
template <class Parts>
class persistent {
public:
  using dependence = typename Parts::dependence;

  persistent(system& s, observer& watcher, ordering& arranged, happens_before& order, dependence& depends,
             bool sleep_sets)
      : system_(s), watcher_(watcher), ordering_(arranged), order_(order), depends_(depends), sleep_sets_(sleep_sets) {}

  void enter() {  // next(P), for a new point
    auto& p = points_.push();
    p.scheduled.clear();
    p.actors.clear();
    p.position = 0;
    p.sleep.clear();
    if (sleep_sets_ && system_.depth() > 0)
      p.sleep.inherit(points_[points_.size() - 2].sleep, depends_.last_event(), depends_);
    p.deliverable.clear();
    if (std::exchange(slept_, false)) return watcher_.execution_blocked(system_);
    list_deliverable(system_, ordering_, p.deliverable);
    if (p.deliverable.empty()) return watcher_.execution_ended(system_);
    const auto first = std::find_if(p.deliverable.begin(), p.deliverable.end(),
                                    [&](message_slot m) { return !p.sleep.contains(system_.message_at(m).id); });
    if (first == p.deliverable.end()) return watcher_.execution_blocked(system_);
    add(p, system_.message_at(*first).receiver);
  }

  message_slot next() {
    auto& p = points_.back();
    return p.position < p.scheduled.size() ? p.scheduled[p.position] : no_message;
  }

  void stepped() {  // the inner while loop: if s is send(b, v)
    slept_ = points_.back().sleep.note(depends_.last_event());
    if (slept_) return;  // D4
    const auto last = system_.last_step();
    const auto synchronize = [&](step_index k) { add(points_[k - system_.setup_steps()], cause(k, last)); };
    for (auto m = system_.step_at(last).first_sent; m < system_.sent_end(last); ++m)
      depends_.for_each_conflict(order_, m, synchronize);
    depends_.for_each_late_race(order_, last, synchronize);
  }

  void tried(message_slot m) {
    auto& p = points_.back();
    ++p.position;
    if (sleep_sets_)
      p.sleep.put_to_sleep(system_.message_at(m).id);
    else
      p.sleep.stay_awake();
  }

  void leave() { points_.pop(); }

  [[nodiscard]] branching branching_at(std::size_t i) const {
    const auto& p = points_[i];
    return {p.position + 1, p.scheduled.size() - p.position - 1};
  }

  void keep_names(name_keeper& keep) {
    for (std::size_t i = 0; i < points_.size(); ++i) points_[i].sleep.keep_names(depends_, keep);
  }

  /// Writes what it holds at its points, and takes over what was written: see shared_depth_first.hpp.
  template <class Writer>
  void save(Writer& to) const {
    points_.save(to, [&](const point& p) {
      to.slots(p.deliverable);
      to.slots(p.scheduled);
      to.slots(p.actors);
      to.number(p.position);
      p.sleep.save(to);
    });
  }
  template <class Reader>
  void load(Reader& from) {
    points_.load(from, [&](point& p) {
      from.slots(p.deliverable);
      from.slots(p.scheduled);
      from.slots(p.actors);
      p.position = static_cast<std::size_t>(from.number());
      p.sleep.load(from);
    });
  }

private:
  struct point {
    std::vector<message_slot> deliverable;
    std::vector<message_slot> scheduled;
    std::vector<actor_slot> actors;  // whose messages are scheduled
    std::size_t position = 0;
    drowsy<typename Parts::sleep_set> sleep;
  };

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
      if (system_.message_at(m).receiver == a && !p.sleep.contains(system_.message_at(m).id)) p.scheduled.push_back(m);
  }

  system& system_;
  observer& watcher_;
  ordering& ordering_;
  happens_before& order_;
  dependence& depends_;
  bool slept_ = false;  // the last step: one of a message's draws, when another woke
  bool sleep_sets_;
  point_stack<point> points_;
};

}  // namespace harrier
