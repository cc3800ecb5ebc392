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

#include <span>
#include <utility>
#include <vector>

#include "backtracking.hpp"

namespace harrier {

// Figure -> code. path_c[k]: points_[k] | choose(P): deliverable.front() | canSynchronize:
// dependence::for_each_conflict, for_each_late_race.
struct dcute_point {
  std::vector<message_slot> deliverable;
  std::size_t position = 0;
  bool needs_delay = false;

  void begin() {}
  template <class Writer>
  void save(Writer& to) const {
    to.slots(deliverable);
    to.number(position);
    to.flag(needs_delay);
  }
  template <class Reader>
  void load(Reader& from) {
    from.slots(deliverable);
    position = static_cast<std::size_t>(from.number());
    needs_delay = from.flag();
  }
  // Nothing sleeps, and it holds messages of the current execution only.
  template <class Dependence>
  void keep_names(const Dependence& /*depends*/, name_keeper& /*keep*/) const {}
  template <class Writer>
  void save_ran(Writer& /*to*/) const {}
  template <class Reader>
  void load_ran(Reader& /*from*/) {}
  void take_ran(dcute_point& /*other*/) {}
};

template <class Parts>
class dcute : public backtracking<dcute_point, typename Parts::dependence> {
  using base = backtracking<dcute_point, typename Parts::dependence>;

public:
  using base::base;
  using typename base::point;

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
    const auto delay = [&](step_index k) { plan(this->depth_of(k), {}); };
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

  /// B: the other messages of the same receiver, and those of the next one once it is known that they are tried too.
  [[nodiscard]] message_slot certain(std::size_t depth, std::size_t n) const {
    const auto& p = points_[depth];
    bool needs_delay = p.needs_delay;
    auto i = p.position;
    for (; n > 0; --n, ++i) {
      if (i + 1 == p.deliverable.size()) return no_message;
      if (receiver_of(p.deliverable[i + 1]) == receiver_of(p.deliverable[i])) continue;
      if (!std::exchange(needs_delay, false)) return no_message;
    }
    return p.deliverable[i];
  }
  [[nodiscard]] point branch(std::size_t depth, std::size_t n) const {
    const auto& p = points_[depth];
    return {.deliverable = {p.deliverable[p.position + n]}};
  }
  /// Another receiver is to be tried there.
  void plan(std::size_t depth, std::span<const std::uint32_t> /*nothing*/, bool /*is_late*/ = false) {
    if (points_.is_own(depth))
      points_[depth].needs_delay = true;
    else
      points_.outside.add(depth, {}, false);
  }

private:
  using base::depends_;
  using base::order_;
  using base::ordering_;
  using base::points_;
  using base::system_;
  using base::watcher_;

  [[nodiscard]] actor_slot receiver_of(message_slot m) const { return system_.message_at(m).receiver; }
};

}  // namespace harrier
