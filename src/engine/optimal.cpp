// Optimal-DPOR (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014, Algorithm 2; JACM
// 2017), specialised to actors: steps are dependent iff they have the same
// receiver. The margin has the algorithm's lines.
//
// Invariants the proof rests on:
//   I1  A name means the same event in every interleaving; its receiver is kept
//       beside it, since in another branch the same name may have another one.
//   I2  Whether a message is deliverable is decided by its receiver's local
//       state and history alone, so independent steps neither enable nor
//       disable each other.
//   I3  A sequence v = notdep(e).m inserted at pre(e) can be run from there in
//       the order given, and m is its only delivery to m's receiver.
//   I4  If a sleeping q is no weak initial of v, then v delivers something else
//       to q's receiver first, so q is awake after v: the sleep set at the end
//       of every planned sequence is empty, and no execution is ever blocked.
//   I5  Every maximal execution is analysed completely: a race inside the
//       shared prefix may need another v, since notdep(e) reaches to the end.
//
// D1  Weak initials need no happens-before: p is one of v iff p comes first in
//     v among the deliveries to its receiver, or there is none.
// D2  Disabling. The paper assumes that processes do not disable each other;
//     here a step may make its receiver refuse what it accepted before (guards,
//     calls, destroy). So the race of m is with the *latest* delivery on its
//     receiver in place of which m could have been delivered, not with the last
//     one; and messages that are never delivered race too. (Checked against
//     every execution on thousands of random programs; without either, classes
//     are lost.)
// D3  A drawn value is a race of the step with its own alternatives: they were
//     deliverable exactly in its place.
// D4  A step that ends the execution (a failed requirement, an exception) ends
//     its actor only, as far as the search is concerned: nothing after it can
//     depend on it, and what others do is explored though they come later.
// D5  Depth-first with going back instead of recursion on E; the sleep set of a
//     point holds its explored branches too.
#include <harrier/engine/optimal.hpp>

#include <algorithm>

#include "depth_first.hpp"
#include "wakeup_tree.hpp"

namespace harrier {
namespace {

// Paper -> code. E: the system's execution | pre(E, e): points_[e - base_] | wut(E'): todo | sleep(E'): asleep
// | e ≾ m: races_of | notdep(e, E): steps after e that e does not happen before.
class optimal {
public:
  optimal(system& s, observer& watcher, ordering& arranged)
      : system_(s),
        watcher_(watcher),
        ordering_(arranged),
        order_(s),
        base_(static_cast<step_index>(s.setup_steps())) {}

  bool run() {
    points_.push();
    enter();
    for (;;) {
      if (watcher_.stopping()) return false;
      auto& p = points_.back();
      if (p.todo.empty()) {
        if (system_.depth() == 0) return true;
        leave();
        continue;
      }
      wakeup_trees::list below;
      const auto next = trees_.take_first(p.todo, below);  // 14  min of wut(E)
      step(next, below);
      enter();  // 19  Explore(E.p, ...)
    }
  }

private:
  struct point {
    std::vector<planned_step> asleep;
    wakeup_trees::list todo;
  };

  /// A state is reached: at the end of an execution reverse its races, else
  /// plan a first branch unless there is one.
  void enter() {
    const auto oldest = system_.first_deliverable();
    if (oldest == no_message) {  //  2  enabled(s[E]) = ∅
      watcher_.execution_ended(system_);
      return reverse_races();
    }
    auto& p = points_.back();
    if (!p.todo.empty()) return;
    const auto m = pick();                                            // 10  p ∈ enabled \ sleep
    if (m == no_message) return watcher_.execution_blocked(system_);  //     I4: never
    trees_.plant(p.todo, planned(m));                                 // 11  wut(E) := <{p}>
  }

  void step(planned_step next, wakeup_trees::list below) {
    auto& child = points_.push();
    child.asleep.clear();  // 15  sleep' := {q | p ◊ q}
    for (const auto& q : points_[points_.size() - 2].asleep)
      if (q.receiver != next.receiver) child.asleep.push_back(q);
    child.todo = below;  // 18  subtree(wut(E), p)
    const auto& names = system_.names();
    system_.deliver(system_.slot_of(names.message_of(next.label)), names.code_of(next.label));
    order_.push();
    ordering_.learn(system_);
  }

  void leave() {
    const auto& s = system_.step_at(system_.step_count() - 1);
    const planned_step done{s.label, system_.actor_at(s.receiver).id};
    system_.undo();
    order_.pop();
    points_.pop();
    points_.back().asleep.push_back(done);  // 20  add p to sleep(E)
  }

  void reverse_races() {  //  3  for all e ≾ e'
    for (auto f = base_; f < system_.step_count(); ++f) {
      const auto& s = system_.step_at(f);
      reverse_race_of(s.message, s.previous);
      if (s.needs_cleaning)
        for (const auto code : system_.alternative_codes(f))  //     D3
          insert(f, {system_.names().alternative(system_.message_at(s.message).id, code), id_of(s.receiver)});
    }
    for (auto m = system_.first_pending(); m != no_message; m = system_.next_pending(m))
      reverse_race_of(m, system_.actor_at(system_.message_at(m).receiver).last_step);  // D2
  }

  /// The race of `m`, of which `latest` is the last step on its receiver before
  /// it was delivered (or of all, if it was not).
  void reverse_race_of(message_slot m, step_index latest) {
    for (auto e = latest; is_explored(e) && !order_.before_sending(e, m); e = system_.step_at(e).previous)
      if (system_.was_deliverable(m, e)) return insert(e, planned(m));  //     D2
  }

  void insert(step_index e, planned_step last) {
    v_.clear();  //  5  v := notdep(e,E).e'
    for (auto f = e + 1; f < system_.step_count(); ++f)
      if (!order_.before(e, f)) v_.push_back({system_.step_at(f).label, id_of(system_.step_at(f).receiver)});
    v_.push_back(last);
    auto& p = points_[e - base_];
    for (const auto& q : p.asleep)
      if (is_weak_initial(q, v_)) return;  //  6  sleep(E') ∩ WI(v) ≠ ∅
    trees_.insert(p.todo, v_);             //  7  insert(v, wut(E'))
  }

  message_slot pick() {
    list_deliverable(system_, ordering_, deliverable_);
    const auto& asleep = points_.back().asleep;
    for (const auto m : deliverable_) {
      const auto sleeps = [&](const planned_step& q) { return q.label == system_.message_at(m).id; };
      if (std::none_of(asleep.begin(), asleep.end(), sleeps)) return m;
    }
    return no_message;
  }

  [[nodiscard]] planned_step planned(message_slot m) const {
    return {system_.message_at(m).id, id_of(system_.message_at(m).receiver)};
  }
  [[nodiscard]] actor_id id_of(actor_slot a) const { return system_.actor_at(a).id; }
  [[nodiscard]] bool is_explored(step_index i) const { return i != no_step && i >= base_; }

  system& system_;
  observer& watcher_;
  ordering& ordering_;
  happens_before order_;
  step_index base_;
  point_stack<point> points_;
  wakeup_trees trees_;
  std::vector<planned_step> v_;
  std::vector<message_slot> deliverable_;
};

}  // namespace

bool explore_optimal(system& system, observer& watcher, std::string_view ordering) {
  const auto arranged = make_ordering(ordering, system);
  const past_aborts guard(system);
  return optimal(system, watcher, *arranged).run();
}

}  // namespace harrier
