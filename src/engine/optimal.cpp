// Optimal-DPOR (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014, Algorithm 2; JACM
// 2017), specialised to actors: steps are dependent iff they have the same
// receiver (but see D8). The margin has the algorithm's lines.
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
// D6  A race (e, m) is looked at again only if its v may be another than in the
//     last execution that had both: if all that is new comes after e, as did all
//     that it replaced, v is the same, and inserting it twice changes nothing.
//     (Looking only at races with something new would lose classes: I5.)
// D7  Of v, insert adds to the tree only what is needed: m, for each sleeping or
//     planned step that is no weak initial of v the first delivery of v to its
//     receiver, and what happens before those. That is a prefix of the trace v,
//     so all that starts with v starts with it; and it wakes every step that v
//     wakes, so I4 holds. It keeps the trees small.
// D8  Under delivery::mailbox steps that send to one actor are dependent too, and
//     all races are about who sends first: what is taken is then decided. To
//     whom a step sends is known once it was run, so a value that was not drawn
//     yet is tried, and taken back, as soon as it might be planned (D3).
#include <harrier/engine/optimal.hpp>

#include <algorithm>
#include <optional>

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
        depends_(s),
        base_(static_cast<step_index>(s.setup_steps())) {}

  bool run() {
    points_.push();
    auto planned_next = enter();
    for (;;) {
      if (watcher_.stopping()) return false;
      wakeup_trees::list below;
      if (!planned_next) {
        auto& p = points_.back();
        if (p.todo.empty()) {
          if (system_.depth() == 0) return true;
          leave();
          continue;
        }
        planned_next = trees_.take_first(p.todo, below);  // 14  min of wut(E)
      }
      step(*planned_next, below);
      planned_next = enter();  // 19  Explore(E.p, ...)
    }
  }

private:
  struct point {
    std::vector<planned_step> asleep;
    wakeup_trees::list todo;
    std::vector<planned_step> tried;  // D8
  };
  /// Two delivered steps that race, or one and its own alternatives (D3).
  struct race {
    step_index first;
    step_index second;
  };
  /// What is known of a step of the current execution.
  struct known_step {
    planned_step step;
    step_index last_notdep;  // in the last analysed execution: the last of notdep of it; itself if there is none
    step_index next_notdep;  // the same in this one; several races may have the same first step
  };

  /// A state is reached: at the end of an execution reverse its races, else
  /// choose a first branch unless one is planned.
  std::optional<planned_step> enter() {
    const auto oldest = system_.first_deliverable();
    if (oldest == no_message) {  //  2  enabled(s[E]) = ∅
      watcher_.execution_ended(system_);
      reverse_races();
      return {};
    }
    if (!points_.back().todo.empty()) return {};
    const auto m = pick(oldest);             // 10  p ∈ enabled \ sleep
    if (m != no_message) return planned(m);  // 11  wut(E) := <{p}>, taken at once
    watcher_.execution_blocked(system_);     //     I4: never
    return {};
  }

  void step(planned_step next, wakeup_trees::list below) {
    const auto depth = system_.depth();
    if (depth == path_.size()) path_.emplace_back();
    system_.deliver_event(next.label);
    if (depends_.has_mailboxes()) [[unlikely]]
      learn_sends(next);
    path_[depth].step = next;
    auto& child = points_.push();
    child.asleep.clear();  // 15  sleep' := {q | p ◊ q}
    for (const auto& q : points_[points_.size() - 2].asleep)
      if (!depends_.between(q, next)) child.asleep.push_back(q);
    child.todo = below;  // 18  subtree(wut(E), p)
    child.tried.clear();
    order_.push();
    if (!oldest_first_) ordering_.learn(system_);
  }

  /// D8. The last step is `next`.
  void learn_sends(planned_step& next) {
    next.sends_to = depends_.sends_of_last_step();
    const auto last = system_.step_count() - 1;
    if (system_.choices_of(last).empty()) return;
    auto& tried = points_.back().tried;
    const auto is_known = [&](message_id label) {
      return std::any_of(tried.begin(), tried.end(), [&](const planned_step& p) { return p.label == label; });
    };
    std::vector<message_id> unknown;
    for_each_alternative(static_cast<step_index>(last), [&](message_id label) {
      if (!is_known(label)) unknown.push_back(label);
    });
    if (unknown.empty()) return;
    auto* const watching = system_.observe(nullptr);
    system_.undo();
    for (const auto label : unknown) {
      system_.deliver_event(label);
      tried.push_back({label, next.receiver, depends_.sends_of_last_step()});
      system_.undo();
    }
    system_.deliver_event(next.label);
    system_.observe(watching);
  }

  void leave() {
    const auto done = path_[system_.depth() - 1].step;
    system_.undo();
    order_.pop();
    points_.pop();
    analysed_ = std::min(analysed_, static_cast<step_index>(system_.step_count()));
    points_.back().asleep.push_back(done);  // 20  add p to sleep(E)
  }

  void reverse_races() {  //  3  for all e ≾ e'
    const auto end = static_cast<step_index>(system_.step_count());
    order_.take_common_past(analysed_);
    while (!races_.empty() && races_.back().second >= analysed_) races_.pop_back();
    for (const auto& r : races_)
      if (!is_settled(r.first)) reverse(r);
    for (auto f = analysed_; f < end; ++f) {
      const auto& s = system_.step_at(f);
      if (depends_.has_mailboxes()) [[unlikely]]
        depends_.for_each_race(order_, f, [&](step_index e) { reverse(races_.emplace_back(race{e, f})); });  // D8
      else if (const auto e = rival_of(s.message, s.previous); e != no_step)
        reverse(races_.emplace_back(race{e, f}));
      if (s.needs_cleaning && !system_.choices_of(f).empty()) reverse(races_.emplace_back(race{f, f}));
    }
    for (auto m = system_.first_pending(); m != no_message; m = system_.next_pending(m)) {  // D2
      if (depends_.has_mailboxes()) break;                                                  // D8
      const auto e = rival_of(m, system_.actor_at(system_.message_at(m).receiver).last_step);
      if (e != no_step) insert(e, m, planned(m));
    }
    for (const auto& r : races_) path_[r.first - base_].last_notdep = path_[r.first - base_].next_notdep;
    analysed_ = end;
  }

  void reverse(race r) {
    const auto m = system_.step_at(r.second).message;
    if (r.first == r.second)
      insert_alternatives(r.first);
    else
      insert(r.first, m, depends_.has_mailboxes() ? path_[r.second - base_].step : planned(m));
  }

  /// D6. All that is new since the last analysis comes after `e`, and so did what it replaced.
  [[nodiscard]] bool is_settled(step_index e) const {
    return order_.precedes_all(e) && path_[e - base_].last_notdep < analysed_;
  }

  /// The step with which `m` races, if any; `latest` is the last step on its receiver before it was delivered (or
  /// of all, if it was not).
  [[nodiscard]] step_index rival_of(message_slot m, step_index latest) const {
    for (auto e = latest; is_explored(e) && !order_.before_sending(e, m); e = system_.step_at(e).previous)
      if (system_.was_deliverable(m, e)) return e;  //     D2
    return no_step;
  }

  void insert_alternatives(step_index e) {  //     D3
    for_each_alternative(e, [&](message_id label) {
      planned_step last{label, path_[e - base_].step.receiver};
      for (const auto& p : points_[e - base_].tried)
        if (p.label == label) last = p;
      insert(e, system_.step_at(e).message, last);
    });
  }

  template <class Visit>
  void for_each_alternative(step_index e, Visit visit) {
    const auto& s = system_.step_at(e);
    const auto message = system_.message_at(s.message).id;
    for (const auto& c : system_.choices_of(e))
      for (std::uint64_t value = 0; value < c.arity; ++value)
        if (const auto code = with_draw(s.code, c, value); code != s.code)
          visit(system_.names().alternative(message, code));
  }

  void insert(step_index e, message_slot m, planned_step last) {
    v_.clear();  //  5  v := notdep(e,E).e'
    auto& last_notdep = path_[e - base_].next_notdep;
    last_notdep = e;
    order_.for_each_independent(e, [&](step_index f) {
      v_.add(path_[f - base_].step, f);
      last_notdep = f;
    });
    v_.add(last, no_step);
    auto& p = points_[e - base_];
    for (const auto& q : p.asleep)
      if (v_.is_weak_initial(q)) return;                           //  6  sleep(E') ∩ WI(v) ≠ ∅
    trees_.insert(p.todo, v_, [&](const auto& x, const auto& y) {  //  7  insert(v, wut(E')), D7
      if (y.at != no_step) return order_.explored_before(x.at, y.at);
      return order_.before_sending(x.at, m) || depends_.between(x.step, y.step);
    });
  }

  message_slot pick(message_slot oldest) {
    if (oldest_first_ && !sleeps(oldest)) return oldest;
    list_deliverable(system_, ordering_, deliverable_);
    const auto awake =
        std::find_if(deliverable_.begin(), deliverable_.end(), [&](message_slot m) { return !sleeps(m); });
    return awake != deliverable_.end() ? *awake : no_message;
  }
  [[nodiscard]] bool sleeps(message_slot m) {
    const auto& asleep = points_.back().asleep;
    const auto label = system_.message_at(m).id;
    return std::any_of(asleep.begin(), asleep.end(), [&](const planned_step& q) { return q.label == label; });
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
  dependence depends_;
  step_index base_;
  point_stack<point> points_;
  wakeup_trees trees_;
  const bool oldest_first_ = ordering_.begins_with_oldest();
  step_index analysed_ = base_;   // the steps before it were there in the last analysis
  std::vector<race> races_;       // of the last analysed execution, in the order of their second steps
  std::vector<known_step> path_;  // by depth
  wakeup_sequence v_{depends_};
  std::vector<message_slot> deliverable_;
};

}  // namespace

bool explore_optimal(system& system, observer& watcher, std::string_view ordering) {
  const auto arranged = make_ordering(ordering, system);
  const past_aborts guard(system);
  return optimal(system, watcher, *arranged).run();
}

}  // namespace harrier
