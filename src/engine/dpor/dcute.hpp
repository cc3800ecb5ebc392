// dCUTE's partial-order reduction, S. Lauterburg's Fig. 2.5.
//
// Invariant: when a point is left, for every execution class that starts there,
// some message tried there is first in an execution of that class. A point
// holds all messages of one actor a; if a send to a is met later that the
// delivery made at the point does not happen before, another actor's messages
// are tried too, since one of them may lead to that send.
//
// D1  The figure re-executes each path; we go back (its section 2.7 allows it).
// D2  next(a, msg_id) is the next entry of the deliverable messages as the
//     ordering arranged them on entry; that is what the published program does.
// D3  compute_next_schedule of the figure leaves needs_delay set when it moves
//     on inside an actor, and reads next_schedule of a point it may not leave;
//     what is meant, and counted in the tables, is `may_advance` below.
// D4  Two steps that are seen late (see dependence) to race must be tried in both
//     orders too; the later one asks for it where the earlier one was made.
#pragma once

#include <utility>
#include <vector>

#include "../depth_first.hpp"

namespace harrier {

// Figure -> code. path_c[k]: points_[k] | choose(P): deliverable.front() | canSynchronize:
// dependence::for_each_conflict, for_each_late_race.
template <class Parts>
class dcute {
public:
  using dependence = typename Parts::dependence;

  dcute(system& s, observer& watcher, ordering& arranged, happens_before& order, dependence& depends)
      : system_(s), watcher_(watcher), ordering_(arranged), order_(order), depends_(depends) {}

  void enter() {
    auto& p = points_.push();
    p = {.deliverable = std::move(p.deliverable)};
    list_deliverable(system_, ordering_, p.deliverable);
    if (p.deliverable.empty()) watcher_.execution_ended(system_);
  }

  message_slot next() {
    auto& p = points_.back();
    return p.position < p.deliverable.size() ? p.deliverable[p.position] : no_message;
  }

  void stepped() {  // the inner while loop: if s is send(b, v)
    const auto last = system_.last_step();
    const auto delay = [&](step_index k) { points_[k - system_.setup_steps()].needs_delay = true; };
    for (auto m = system_.step_at(last).first_sent; m < system_.sent_end(last); ++m)
      depends_.for_each_conflict(order_, m, delay);
    depends_.for_each_late_race(order_, last, delay);  // D4
  }

  void tried(message_slot m) {  // compute_next_schedule
    auto& p = points_.back();
    ++p.position;
    const auto next = this->next();
    if (next == no_message) return;
    if (receiver_of(next) == receiver_of(m)) return;        // a == b
    if (!p.needs_delay) p.position = p.deliverable.size();  // neither a == b nor needs_delay
    p.needs_delay = false;                                  // a != b
  }

  void leave() { points_.pop(); }

  /// Planned are the other messages of the same receiver; if it needs delay, those of the next one too.
  [[nodiscard]] branching branching_at(std::size_t i) const {
    const auto& p = points_[i];
    auto last = p.position;
    const auto skip_receiver = [&] {
      const auto a = receiver_of(p.deliverable[last]);
      while (last < p.deliverable.size() && receiver_of(p.deliverable[last]) == a) ++last;
    };
    skip_receiver();
    if (p.needs_delay && last < p.deliverable.size()) skip_receiver();
    return {p.position + 1, last - p.position - 1};
  }
  void keep_names(name_keeper&) {}  // points hold messages of the current execution only

  /// Writes what it holds at its points, and takes over what was written: see shared_depth_first.hpp.
  template <class Writer>
  void save(Writer& to) const {
    points_.save(to, [&](const point& p) {
      to.slots(p.deliverable);
      to.number(p.position);
      to.flag(p.needs_delay);
    });
  }
  template <class Reader>
  void load(Reader& from) {
    points_.load(from, [&](point& p) {
      from.slots(p.deliverable);
      p.position = static_cast<std::size_t>(from.number());
      p.needs_delay = from.flag();
    });
  }

private:
  struct point {
    std::vector<message_slot> deliverable;
    std::size_t position = 0;
    bool needs_delay = false;
  };
  [[nodiscard]] actor_slot receiver_of(message_slot m) const { return system_.message_at(m).receiver; }

  system& system_;
  observer& watcher_;
  ordering& ordering_;
  happens_before& order_;
  dependence& depends_;
  point_stack<point> points_;
};

}  // namespace harrier
