// Optimal-DPOR (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014, Algorithm 2; JACM
// 2017), specialised to actors: what is dependent on what says a `dependence`,
// steps of one receiver if nothing else. The margin has the algorithm's lines.
//
// Paper -> code. E: the system's execution, path_ | Explore, 1, 2, 10: enter; 11-19: advance; 20: leave | pre(E, e):
// path_[e - base_].node | wut(E'), sleep(E'): of a node of the tree (exploration_tree.hpp) | e ≾ m, 3: for_each_race
// and rival of the dependence, in reverse_races | v := notdep(e, E).m, 5: insert, v_ | sleep(E') ∩ WI(v) = ∅, 6, and
// insert(v, wut(E')), 7: exploration_tree::insert | WI: is_weak_initial of a sequence (wakeup_tree.hpp) | min of
// wut(E), 14: exploration_tree::take_first.
//
// Invariants the proof rests on:
//   I1  A name means the same event in every interleaving; its receiver is kept
//       beside it, since in another branch the same name may have another one.
//   I2  Whether a message is deliverable is decided by what its receiver took
//       before, and where mailboxes are ordered by what was sent to it, so
//       independent steps neither enable nor disable each other.
//   I3  A sequence v = notdep(e).m inserted at pre(e) can be run from there in
//       the order given, and m is its only delivery that is dependent on e.
//   I4  If a sleeping q is no weak initial of v, then v begins with something
//       else that q is dependent on, so q is awake after v: the sleep set at the end
//       of every planned sequence is empty, and no execution is ever blocked.
//   I5  Every maximal execution is analysed completely: a race inside the
//       shared prefix may need another v, since notdep(e) reaches to the end.
//
// D1  Weak initials need no happens-before: p is one of v iff p comes first in
//     v among what is dependent on it, or nothing is.
// D2  Disabling. The paper assumes that processes do not disable each other;
//     here a step may make its receiver refuse what it accepted before (guards,
//     calls, destroy). So the race of m is with the *latest* delivery on its
//     receiver in place of which m could have been delivered, not with the last
//     one; and messages that are never delivered race too. (Checked against
//     every execution on thousands of random programs; without either, classes
//     are lost.)
// D3  A drawn value is a race of the step with its own alternatives: they were
//     deliverable exactly in its place. A planned leaf, and a step that nobody
//     planned, stand for all draws of their message: nothing sleeps after any
//     (T1), so each belongs there. The next one is planned when one was run, which
//     takes time and memory for those there are, not for pairs of them. A draw
//     that stands in the middle of a planned sequence races with all the others
//     at once, and those that were taken by themselves are left out then.
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
// D8  What a step touches beside its receiver is known once it was run (see
//     dependence: races that are seen late). Then the draws of one handler are
//     different events, each races with each of the others (D3), and one that was
//     not drawn yet is tried, and taken back, as soon as it might be planned. Where a handler does not draw what it
//     drew in another place, it is run with something that it draws.
// D9  Observers (see observing_dependence): whether a step is one is known once
//     it was run. One that was planned counts as a writer until then, so the sleep
//     set after it may hold other observers of its receiver (T1 and I4 do without
//     that): the step that it was planned to come before is awake, and wakes them,
//     so no execution is blocked. Nor is such a branch whole, so that other cursors may
//     plan in it before anything was run there: what is run first is planned, too.
// D10 Fields (see field_dependence), and what is touched late (see late_dependence): there the step that a planned one
//     was to come before need not wake what sleeps, if the planned one turns out to touch other
//     things than that. Then what sleeps may be what was planned next, and is left out; or all that is
//     left sleeps, and the execution is given up. So each class is run once, and some executions may be blocked.
//     The races of an execution that is given up are reversed, too: what wakes may be found there alone. What sleeps
//     on after a planned leaf keeps nothing away but what begins with it, as in Algorithm 1 of the paper (T5).
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <harrier/core/names_in_use.hpp>
#include <harrier/engine/optimal.hpp>
#include <harrier/engine/search_context.hpp>

#include "../../core/dependence/late_dependence.hpp"
#include "../depth_first.hpp"
#include "alternatives.hpp"
#include "as_one_function.hpp"
#include "exploration_tree.hpp"
#include "later_rivals.hpp"
#include "names_of_cursor.hpp"

namespace harrier {

/// Explores a tree, depth first: what is the cursor's own is where it is in the
/// tree, the execution there, and what is known of its races. The tree is all
/// that several cursors share; `Names` is what they call steps there.
template <class Parts, template <class> class Names = own_names>
class optimal_cursor {
public:
  using dependence = typename Parts::dependence;
  using names = Names<dependence>;
  using relation = typename names::relation;
  using tree = typename Parts::template tree<relation>;
  using node_id = typename tree::node_id;

  /// @param s  where no step was taken yet.
  /// @param shared  the relation that `explored` asks.
  /// @param longest  the depth of the deepest execution.
  optimal_cursor(system& s, observer& watcher, ordering& arranged, dependence& depends, relation& shared,
                 tree& explored, std::size_t longest = std::numeric_limits<std::size_t>::max())
      : system_(s),
        watcher_(watcher),
        ordering_(arranged),
        depends_(depends),
        relation_(shared),
        tree_(explored),
        names_(s, depends, shared),
        held_(s, [this](name_keeper& keep) { names_.keep(tree_, keep); }),
        order_(s, rows_of_order),
        longest_(longest),
        base_(static_cast<step_index>(s.setup_steps())) {
    if (!tree_.begin()) return;
    enter();
    put_back();  // the root is everybody's
  }

  /// Takes one step, or goes back over one, or where something is planned.
  /// @return false if there is nothing to do, now: others may plan something.
  [[gnu::always_inline]] bool advance() {  // half of a search's time is spent here
    node_id child{};
    message_id label{};  // what its own system calls the step to there
    if (first_ != no_message) {
      const auto first = depends_.foreseen(std::exchange(first_, no_message));
      child = tree_.take(here_, names_.told(first));  // 11  wut(E) := <{p}>, taken at once
      label = first.label;
    } else if (child = take_first_awake(); child != tree::none) {  // 14  min of wut(E)
      label = names_.own(tree_.step_to(child).label);
    } else if (system_.depth() != 0) {
      leave();
      return true;
    } else {
      return go_to_plan();
    }
    if constexpr (touches_late) {
      if ((!tree_.step_to(child).one_of_several || !is_drawn_here(label)) && !draw_another(child, label)) return true;
    } else {
      if (!tree_.step_to(child).one_of_several && tree_.draws_were_taken(child)) [[unlikely]]
        if (!first_not_taken(child, label)) return true;
    }
    step(child, label);
    enter();  // 19  Explore(E.p, ...)
    return true;
  }

  /// @return whether the tree was explored to its end.
  HARRIER_AS_ONE_FUNCTION bool run() {  // a step is some ten calls otherwise, a ninth of its instructions
    do {
      if (watcher_.stopping()) return false;
    } while (advance());
    return tree_.is_explored();
  }

  /// How the path here branches, as far as is known: see search_context::branches.
  /// A race is seen when both its steps were run, so a wakeup tree learns of most
  /// branches late; some of them are sure to come, and counted as planned: the
  /// other draws (D3), and whatever else could have been delivered to the receiver
  /// and does not sleep, taken to draw as often as what was. (What could not is not told apart here, if what it was
  /// delivered to had to change first: an estimate is made of it, no search.)
  void list_branches(std::vector<branching>& list) {
    list.resize(system_.depth());
    later_rivals rivals(system_);
    for (auto i = system_.depth(); i-- > 0;) {
      const auto n = path_[i].node;
      auto& b = list[i] = {tree_.taken_at(n), 0};
      planned_.clear();
      tree_.for_each_planned(n, [&](const event_type& e) { planned_.push_back(e); });
      b.planned = planned_.size();
      const auto f = base_ + static_cast<step_index>(i);
      const auto had = rivals.of(f);
      for (const auto& r : had.first(std::min(had.size(), most_told_apart))) {
        if (r.taken_by == f) continue;
        const auto e = r.taken_by == later_rivals::nobody ? names_.told(depends_.foreseen(r.message))
                                                          : path_[r.taken_by - base_].step;
        b.planned += tree_.sleeps(n, e) || is_planned(e) ? 0 : 1;
      }
      b.planned += had.size() - std::min(had.size(), most_told_apart);
      if (!depends_.foresees_all() || !drew(f) || path_[i].is_lone_draw) continue;
      const auto later = draws_after(system_, f);
      const auto others = static_cast<double>(b.planned - (later > 0 ? 1 : 0));  // one of those is planned
      b.planned = static_cast<std::uint64_t>(
          std::min(others * draws_of(system_, f) + static_cast<double>(later), most_to_be_told));
    }
  }

  /// Goes out of the tree, in the middle of wherever it is: what it would have
  /// run next is left to others.
  void retire() {
    put_back();
    while (system_.depth() != 0) leave();
  }

  /// @name In a worker_tree
  /// @{

  /// Before its first step: goes where a cursor that had been alone, and left, would have gone on.
  void go_on() { go_to_plan(true); }
  /// When the watcher stops, what is planned is all that is left.
  void be_complete(bool on) { must_be_complete_ = on; }
  /// Whether what is planned when the watcher stopped may be less than what is left.
  [[nodiscard]] bool has_given_up() const { return has_given_up_; }
  /// Leaves to others what it has planned first. @return whether it had something
  bool give() { return tree_.give(here_); }
  /// Leaves everything to others.
  void give_all() {
    tree_.give_all(here_);
    retire();
  }
  /// @}

private:
  /// Of more messages of one receiver it is not asked whether they sleep: a path of 10^6 steps may have 10^11 of them.
  static constexpr std::size_t most_told_apart = 64;
  /// Whether steps of one receiver may be independent (D9); such an order has no clocks.
  static constexpr bool tells_observers = requires { dependence::tells_observers; };
  /// Whether what is planned may turn out to sleep where it was planned (D10).
  static constexpr bool planned_may_sleep = requires { dependence::planned_may_sleep; };
  /// Whether what is touched beside the receiver is, and what is not known of that is told from what is.
  static constexpr bool touches_late = tree::draws_are_apart;
  static constexpr auto rows_of_order =
      tells_observers ? std::numeric_limits<std::size_t>::max() : happens_before::most_rows;
  static constexpr std::size_t steps_between_polls = 10'000'000;
  static constexpr double most_to_be_told = 1e18;  // branches of a point; more fits nowhere
  using event_type = typename tree::event_type;
  using sequence = typename tree::sequence;
  /// Two delivered steps that race, or one and its own alternatives (D3).
  struct race {
    step_index first;
    step_index second;
  };
  /// What is known of a step of the current execution.
  struct known_step {
    event_type step;
    node_id node;            // from which it was taken
    step_index last_notdep;  // in the last analysed execution: the last of notdep of it; itself if there is none
    step_index next_notdep;  // the same in this one; several races may have the same first step
    bool is_lone_draw;       // it was planned by itself: nobody plans the other draws
  };

  [[gnu::always_inline]] node_id take_first_awake() {
    if constexpr (planned_may_sleep) {  // D10
      if (tree_.drop_asleep(here_)) give_up_execution();
    }
    return tree_.take_first(here_);
  }

  [[nodiscard]] bool is_planned(const event_type& e) const {
    return std::any_of(planned_.begin(), planned_.end(),
                       [&](const event_type& x) { return x.label == e.label || relation_.stands_for(x, e); });
  }

  /// A state is reached: at the end of an execution reverse its races, else
  /// choose a first branch, unless one is planned.
  void enter() {  //  1  Explore(E, Sleep, WuT)
    const auto oldest = system_.first_deliverable();
    if (oldest == no_message) {  //  2  enabled(s[E]) = ∅
      watcher_.execution_ended(system_);
      reverse_races();
      return;
    }
    if (!tree_.may_begin(here_)) return;
    first_ = pick(oldest);  // 10  p ∈ enabled \ sleep
    if (first_ == no_message) {
      if (!look_at_draws() && tree_.may_begin(here_)) give_up_execution();  //  I4: never. (Others may be here by now.)
      return;
    }
    if constexpr (tells_observers || planned_may_sleep) {  // D9: others may plan here, too
      if (tree_.anything_sleeps(here_))
        tree_.begin_with(here_, names_.told(depends_.foreseen(std::exchange(first_, no_message))));
    }
  }

  /// D10: The first draw of each message sleeps; another may not.
  bool look_at_draws() {
    if constexpr (touches_late) {
      std::vector<event_type> messages;
      for (const auto m : deliverable_) {
        auto all = depends_.foreseen(m);
        all.one_of_several = 0;
        messages.push_back(names_.told(all));
      }
      return tree_.look_at_draws(here_, messages);
    }
    return false;
  }
  /// Everything that could be delivered sleeps.
  void give_up_execution() {
    watcher_.execution_blocked(system_);
    if constexpr (planned_may_sleep) reverse_races();  // D10
  }

  void put_back() {
    if (const auto m = std::exchange(first_, no_message); m != no_message)
      tree_.put_back(here_, names_.told(depends_.foreseen(m)));
  }

  [[gnu::always_inline]] void step(node_id child, message_id label) {
    Parts::deliver_event(system_, label);
    auto& ran = begin_known();
    ran.step = tree_.step_to(child);
    look_whether_observer(ran);
    if (!depends_.foresees_all()) {  // D8
      ran.step.touched.touches = names_.touches_told(depends_.touched_by_last_step());
      if constexpr (touches_late)
        if (drew(system_.last_step())) tree_.note_draws();
      try_draws();
    } else if (drew(system_.last_step())) {
      go_on_drawing(child);
    }
    tree_.enter(child, ran.step.touched.touches);  // 15-18
    arrive(child);
  }
  /// D9
  [[gnu::always_inline]] void look_whether_observer([[maybe_unused]] known_step& ran) {
    if constexpr (tells_observers) {
      if (system_.depth() > longest_) [[unlikely]]
        throw too_long_for_observers();
      ran.step.touched.touches = names_.touches_told(depends_.touched_by_last_step());
    }
  }
  /// Whether the handler draws in this state what it drew where that was planned.
  [[nodiscard]] bool is_drawn_here(message_id label) {  // D8
    const auto code = system_.names().code_of(label);
    if (code == 0 || !do_places_matter(system_)) return true;
    auto* const watching = system_.watch().observe(nullptr);
    Parts::deliver_event(system_, label);
    const bool is = static_cast<double>(code) < draws_of(system_, system_.last_step());
    system_.undo();
    system_.watch().observe(watching);
    return is;
  }
  /// Of what the handler draws in this state, the first that nobody has taken or planned; `label` is then that one.
  /// @return false if there is none: the step to `child`, which cannot be run, is taken back
  [[gnu::cold, gnu::noinline]] bool draw_another(node_id child, message_id& label) {  // D8, T6
    const auto planned = tree_.step_to(child);
    auto draw = planned;
    draw.one_of_several = true;
    label = system_.names().message_of(label);
    const bool is_found = find_draw(label, [&] {
      draw.label = names_.label_told(label);
      return tree_.draw_is_free(child, draw);
    });
    if (!is_found) {
      tree_.take_back(child);
      if (tree_.is_untouched(here_)) give_up_execution();
      return false;
    }
    tree_.take_instead(child, draw);
    if (!planned.one_of_several) tree_.plan_next_draw(child, planned);
    return true;
  }
  /// From `label` on, the first draw of its message in this state of which `is_it()` is true; `label` is then that one.
  /// @return false if there is none.
  template <class IsIt>
  bool find_draw(message_id& label, IsIt is_it) {
    const auto message = system_.names().message_of(label);
    auto* const watching = system_.watch().observe(nullptr);
    bool is_found = is_it();
    while (!is_found) {
      Parts::deliver_event(system_, label);
      const auto code = system_.next_code();
      system_.undo();
      if (code == 0) break;
      label = system_.names().alternative(message, code);
      is_found = is_it();
    }
    system_.watch().observe(watching);
    return is_found;
  }
  [[nodiscard]] bool drew(step_index f) const {
    return system_.step_at(f).needs_cleaning && !system_.choices_of(f).empty();
  }
  /// The last step was one of the draws that the step to `child` stands for, or that one alone.
  [[gnu::noinline]] void go_on_drawing(node_id child) {  // D3
    auto& ran = path_[system_.depth() - 1];
    ran.is_lone_draw = ran.step.one_of_several;
    if (ran.is_lone_draw) return;
    const auto& last = system_.step_at(system_.last_step());
    ran.step.label = names_.label_told(last.label);
    ran.step.one_of_several = true;
    tree_.take_draw(child, ran.step.label);
    const auto code = system_.next_code();
    if (code == 0) return;
    auto next = depends_.foreseen(last.message);
    next.label = system_.names().alternative(next.label, code);
    tree_.plan_next_draw(child, names_.told(next));
  }
  /// From `label` on, the first draw that was not taken by itself: `label` is then
  /// that one. @return false if there is none; then `child` is left.
  [[gnu::cold, gnu::noinline]] bool first_not_taken(node_id child, message_id& label) {  // D3
    const bool found = find_draw(label, [&] {
      auto draw = tree_.step_to(child);
      draw.label = names_.label_told(label);
      draw.one_of_several = true;
      return !tree_.draw_was_taken(child, draw);
    });
    if (!found) {
      tree_.enter(child, touched_set::nothing);
      tree_.leave(child);
    }
    return found;
  }
  [[gnu::always_inline]] known_step& begin_known() {
    const auto i = system_.depth() - 1;
    if (i == path_.size()) path_.emplace_back();
    path_[i].node = here_;
    path_[i].is_lone_draw = false;
    return path_[i];
  }
  [[gnu::always_inline]] void arrive(node_id child) {
    here_ = child;
    order_.push(depends_);
    if (!oldest_first_) ordering_.learn(system_);
  }
  [[gnu::noinline]] void try_draws() {  // D8
    auto& tried = tree_.tried(here_);
    try_other_draws<Parts>(
        system_, depends_, [&](message_id label) { return what_it_touches(tried, label) != nullptr; },
        [&](const event& e) { tried.push_back(names_.told(e)); });
  }
  [[nodiscard]] const event_type* what_it_touches(const std::vector<event_type>& tried, message_id label) const {
    const auto told = names_.label_told(label);
    const auto found = std::find_if(tried.begin(), tried.end(), [&](const event_type& e) { return e.label == told; });
    return found != tried.end() ? &*found : nullptr;
  }
  void leave() {
    const auto parent = path_[system_.depth() - 1].node;
    system_.undo();
    order_.pop();
    analysed_ = std::min(analysed_, static_cast<step_index>(system_.step_count()));
    tree_.leave(here_);  // 20  add p to sleep(E)
    here_ = parent;
  }

  /// From the root to where somebody planned something: steps that others have
  /// run already, and told of.
  [[gnu::cold, gnu::noinline]] bool go_to_plan(bool deepest = false) {
    if (!tree_.go_to_plan(way_, deepest)) return false;
    auto* const watching = system_.watch().observe(nullptr);
    for (auto child = way_.rbegin(); child != way_.rend(); ++child) {
      const auto planned = tree_.step_to(*child);
      Parts::deliver_event(system_, names_.own(planned.label));
      auto& ran = begin_known();
      ran.step = planned;
      look_whether_observer(ran);
      if (!depends_.foresees_all()) {
        ran.step.touched.touches = names_.touches_told(depends_.touched_by_last_step());
        try_draws();
      } else if (drew(system_.last_step())) {
        ran.is_lone_draw = planned.one_of_several;
        ran.step.one_of_several = true;
      }
      arrive(*child);
    }
    system_.watch().observe(watching);
    system_.watch().made_before(way_.size());
    return true;
  }

  [[gnu::noinline]] void reverse_races() {  //  3  for all e ≾ e'
    if (!check_declarations()) return;      // before anything is planned because of them
    const auto end = static_cast<step_index>(system_.step_count());
    order_.take_common_past(analysed_);
    while (!races_.empty() && races_.back().second >= analysed_) races_.pop_back();
    for (const auto& r : races_) {
      if (!is_settled(r.first)) reverse(r);
      if (gives_up(r.first)) return;
    }
    for (auto f = analysed_; f < end; ++f) {
      if (gives_up(analysed_)) return;
      depends_.for_each_race(order_, f, [&](step_index e) { reverse(races_.emplace_back(race{e, f})); });
      if (drew(f) && (!depends_.foresees_all() || path_[f - base_].is_lone_draw))
        reverse(races_.emplace_back(race{f, f}));
    }
    for (auto m = system_.first_pending(); m != no_message; m = system_.next_pending(m)) {  // D2
      if constexpr (planned_may_sleep) {
        if (system_.deliverable(m)) continue;  // it sleeps
      }
      if (const auto e = depends_.rival(order_, m); e != no_step) insert(e, m, names_.told(depends_.foreseen(m)));
    }
    for (const auto& r : races_) {
      auto& first = path_[r.first - base_];
      first.last_notdep = first.next_notdep;
    }
    analysed_ = end;
  }

  /// @return false if the search is over before it was done.
  bool check_declarations() {
    constexpr std::size_t steps_for_one = 1000;  // to deliver, or to hash a state, takes so much longer
    const auto gives_up = [this](std::size_t done) { return gives_up_after(done * steps_for_one); };
    if constexpr (requires { depends_.check_declarations(order_, analysed_, gives_up); })
      return depends_.check_declarations(order_, analysed_, gives_up);
    else
      return true;
  }
  /// Whether the search is over, however many races are left: an execution of 10^6
  /// steps may have as many, and each is reversed in so many steps.
  bool gives_up(step_index e) { return gives_up_after(system_.step_count() - e); }
  bool gives_up_after(std::size_t steps) {
    reversed_in_ += steps;
    if (reversed_in_ < steps_between_polls) [[likely]]
      return false;
    reversed_in_ = 0;
    watcher_.poll(system_);
    if (watcher_.stopping() && !must_be_complete_) has_given_up_ = true;
    return has_given_up_;
  }
  void reverse(race r) {
    if (r.first == r.second && !depends_.foresees_all())
      insert_alternatives(r.first);
    else
      insert(r.first, system_.step_at(r.second).message, second_of(r),
             touches_late && may_touch_else(system_, r.first, r.second));
  }
  /// What is known of the second step of `r`, were it run before the first.
  [[nodiscard]] event_type second_of(race r) {
    if (depends_.foresees_all()) return names_.told(depends_.foreseen(system_.step_at(r.second).message));
    auto step = path_[r.second - base_].step;
    if constexpr (touches_late)
      if (may_touch_else(system_, r.first, r.second)) step.touched.touches = dependence::not_known;
    return step;
  }

  /// D6. All that is new since the last analysis comes after `e`, and so did what it replaced.
  [[nodiscard]] bool is_settled(step_index e) const {
    return order_.precedes_all(e) && path_[e - base_].last_notdep < analysed_;
  }

  void insert_alternatives(step_index e) {  // D8
    const auto& ran = path_[e - base_];
    // Not all draws are alternatives of this one.
    const bool has_more_draws = system_.choices_of(e).size() > 1 && do_places_matter(system_);
    for_each_alternative(system_, e, [&](message_id label) {
      event_type draw{names_.label_told(label), {ran.step.touched.receiver}, true};
      if (const auto* tried = what_it_touches(tree_.tried(ran.node), label)) draw = *tried;
      if constexpr (touches_late)
        if (may_touch_else(system_, e, e)) draw.touched.touches = dependence::not_known;
      insert(e, system_.step_at(e).message, draw, has_more_draws);
    });
  }

  // Flat, since a call for each element is dear.
  HARRIER_AS_ONE_FUNCTION [[gnu::noinline]] void insert(step_index e, message_slot m, const event_type& last,
                                                        bool may_draw_else = touches_late) {
    v_.begin(may_draw_else);  //  5  v := notdep(e,E).e'
    const auto i = e - base_;
    auto& last_notdep = path_[i].next_notdep;
    last_notdep = e;
    order_.for_each_independent(e, [&](step_index f) {
      v_.add(path_[f - base_].step, f);
      last_notdep = f;
    });
    v_.add(last, no_step);
    const auto through = i + 1 < system_.depth() ? path_[i + 1].node : here_;
    tree_.insert(path_[i].node, v_, through, [&](const auto& x, const auto& y) {  //  6-7, D7
      if (y.at != no_step) return order_.explored_before(x.at, y.at);
      return order_.before_sending(x.at, m) || relation_.between(x.step.touched, y.step.touched);
    });
  }

  message_slot pick(message_slot oldest) {
    if (oldest_first_ && !tree_.anything_sleeps(here_)) return oldest;  // T1: nothing does, where nothing is planned
    return pick_awake();
  }
  [[gnu::noinline]] message_slot pick_awake() {
    list_deliverable(system_, ordering_, deliverable_);
    const auto awake =
        std::find_if(deliverable_.begin(), deliverable_.end(), [&](message_slot m) { return !sleeps(m); });
    return awake != deliverable_.end() ? *awake : no_message;
  }
  [[nodiscard]] bool sleeps(message_slot m) { return tree_.sleeps(here_, names_.told(depends_.foreseen(m))); }

  system& system_;
  observer& watcher_;
  ordering& ordering_;
  dependence& depends_;
  relation& relation_;
  tree& tree_;
  names names_;
  const names_in_use held_;
  happens_before order_;
  std::size_t longest_;
  step_index base_;
  node_id here_ = tree::root;
  message_slot first_ = no_message;  // what is to be run from here first, where nothing was planned
  const bool oldest_first_ = ordering_.begins_with_oldest();
  step_index analysed_ = base_;   // the steps before it were there in the last analysis
  std::vector<race> races_;       // of the last analysed execution, in the order of their second steps
  std::vector<known_step> path_;  // by depth
  sequence v_{relation_};
  std::vector<message_slot> deliverable_;
  std::vector<node_id> way_;
  bool must_be_complete_ = false;
  bool has_given_up_ = false;
  std::size_t reversed_in_ = 0;      // steps, since the watcher was polled
  std::vector<event_type> planned_;  // at one point of the path, while its branches are counted
};

template <class Parts>
bool search_optimally(search_context& s, const optimal_options& how) {
  const auto arranged = make_ordering(how.ordering, s.tested);
  const past_aborts guard(s.tested);
  typename Parts::dependence depends(s.tested);
  typename Parts::template tree<typename Parts::dependence> explored(depends);
  optimal_cursor<Parts> cursor(s.tested, s.watcher, *arranged, depends, depends, explored, how.longest_with_observers);
  s.branches = [&cursor](std::vector<branching>& list) { cursor.list_branches(list); };
  const bool ended = cursor.run();
  s.branches = nullptr;
  s.statistics.push_back({"steps planned at most", static_cast<double>(explored.most_planned())});
  arranged->tell(s.statistics);
  return ended;
}

}  // namespace harrier
