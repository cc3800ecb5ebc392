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
// D4  Under delivery::mailbox it is two sends to one actor that must be tried in
//     both orders; the later one asks for it where the earlier one was made.
#include <harrier/engine/dcute.hpp>

#include "dependence.hpp"
#include "depth_first.hpp"

namespace harrier {
namespace {

// Figure -> code. path_c[k]: points_[k] | choose(P): deliverable.front() | canSynchronize: not before_sending.
class dcute {
public:
  dcute(system& s, observer& watcher, ordering& arranged, happens_before& order)
      : system_(s), watcher_(watcher), ordering_(arranged), order_(order), depends_(s) {}

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
    const auto last = system_.step_count() - 1;
    const auto base = system_.setup_steps();
    const auto delay = [&](step_index k) { points_[k - base].needs_delay = true; };
    if (depends_.has_mailboxes()) return depends_.for_each_race(order_, static_cast<step_index>(last), delay);  // D4
    for (auto m = system_.step_at(last).first_sent; m < system_.sent_end(last); ++m) {
      const auto b = system_.message_at(m).receiver;
      for (auto k = system_.actor_at(b).last_step; k != no_step && k >= base; k = system_.step_at(k).previous)
        if (!order_.before_sending(k, m)) delay(k);
    }
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
  dependence depends_;
  point_stack<point> points_;
};

}  // namespace

bool explore_dcute(system& system, observer& watcher, std::string_view ordering) {
  const auto arranged = make_ordering(ordering, system);
  happens_before order(system);
  dcute algorithm(system, watcher, *arranged, order);
  return search_depth_first(system, order, *arranged, watcher, algorithm);
}

}  // namespace harrier
