// TransDPOR as it was measured: what reproduces Tasharofi et al., Table 1, all
// 27 rows, where their Fig. 2 (transdpor.cpp) gives other counts in 11. Their
// program is not published; this is inferred from its counts.
//
// There is no invariant to prove: it is unsound. A message that is never
// delivered is not looked at, so what only a destroyed actor, a guard or a
// call keeps from being delivered is not explored.
//
// D1  Line 3, "all messages pending": races are looked for at two events, the
//     sending of a message and the delivery of one.
// D2  Line 4, "i = max": every earlier step of the receiver, not the last one.
// D3  Lines 5-6: of E the element that sending needs first.
// D4  Lines 4' and 6: a frozen point refuses what a delivery adds, but what a
//     sending adds takes the place of the message that froze it.
// D5  Sleep sets, not in the figure: a sleeping candidate is ignored before D4.
//     So is one that is not deliverable at the point; table 1 has no guards, so
//     it does not tell what the authors' program did there.
#include <harrier/engine/transdpor_as_measured.hpp>

#include <algorithm>

#include "depth_first.hpp"
#include "sleep_set.hpp"

namespace harrier {
namespace {

// Paper -> code, as in transdpor.cpp. i ->S m: order_.before_sending.
class transdpor_as_measured {
public:
  transdpor_as_measured(system& s, observer& watcher, ordering& arranged, happens_before& order, bool sleep_sets)
      : system_(s),
        watcher_(watcher),
        ordering_(arranged),
        order_(order),
        depends_(s),
        sleep_sets_(sleep_sets),
        base_(static_cast<step_index>(s.setup_steps())) {}

  void enter() {  //  1
    auto& p = points_.push();
    p.backtrack.clear();
    p.position = 0;
    p.frozen = false;
    p.sleep.clear();
    if (sleep_sets_ && system_.depth() > 0)
      p.sleep.inherit(points_[points_.size() - 2].sleep, last_step_of(system_, depends_), depends_);
    list_deliverable(system_, ordering_, p.deliverable);
    if (p.deliverable.empty()) return watcher_.execution_ended(system_);  // 10
    const auto m = std::find_if(p.deliverable.begin(), p.deliverable.end(),
                                [&](message_slot x) { return !p.sleep.contains(system_.message_at(x).id); });
    if (m == p.deliverable.end()) return watcher_.execution_blocked(system_);
    p.backtrack.push_back(*m);  // 11
  }

  message_slot next() {
    auto& p = points_.back();
    if (p.position == p.backtrack.size()) return no_message;  // 13
    p.frozen = false;                                         // 14'
    return p.backtrack[p.position];
  }

  void stepped() {  //  3, D1
    const auto last = static_cast<step_index>(system_.step_count() - 1);
    const auto delivered = system_.step_at(last).message;
    look_for_races(delivered, system_.step_at(last).previous, [&](point& p, message_slot e) { add(p, e); });
    for (auto m = system_.step_at(last).first_sent; m < system_.sent_end(last); ++m)
      look_for_races(m, system_.actor_at(system_.message_at(m).receiver).last_step,
                     [&](point& p, message_slot e) { add_or_replace(p, e); });
  }

  void tried(message_slot m) {
    auto& p = points_.back();
    ++p.position;  // 14
    const auto& x = system_.message_at(m);
    if (sleep_sets_) p.sleep.insert(x.id, system_.actor_at(x.receiver).id);
  }

  void leave() { points_.pop(); }

private:
  struct point {
    std::vector<message_slot> deliverable;
    std::vector<message_slot> backtrack;  // in the order added; those before `position` are done
    std::size_t position = 0;
    bool frozen = false;  // then the last one of `backtrack` did it
    sleep_set sleep;
  };

  /// Calls `add` for each step `i` of m's receiver, from `from` back, that is in race with `m`.
  template <class Add>
  void look_for_races(message_slot m, step_index from, Add add) {
    for (auto i = from; is_explored(i); i = system_.step_at(i).previous) {  //  4, D2
      if (order_.before_sending(i, m)) continue;
      auto& p = points_[i - base_];
      const auto e = candidate(i, m);  //  5, D3
      if (contains(p.deliverable, e) && !contains(p.backtrack, e) && !p.sleep.contains(system_.message_at(e).id))  // D5
        add(p, e);
    }
  }

  static void add(point& p, message_slot e) {
    if (p.frozen) return;      //  4'
    p.backtrack.push_back(e);  //  6
    p.frozen = true;
  }

  static void add_or_replace(point& p, message_slot e) {
    if (p.frozen) p.backtrack.pop_back();  // D4
    p.frozen = false;
    add(p, e);
  }

  /// The message of the first step after `i` that happens before the sending of `m`, else `m`.
  [[nodiscard]] message_slot candidate(step_index i, message_slot m) const {
    for (auto j = i + 1; j < system_.step_count(); ++j)
      if (order_.before_sending(j, m)) return system_.step_at(j).message;
    return m;
  }

  [[nodiscard]] bool is_explored(step_index i) const { return i != no_step && i >= base_; }
  static bool contains(const std::vector<message_slot>& list, message_slot m) {
    return std::find(list.begin(), list.end(), m) != list.end();
  }

  system& system_;
  observer& watcher_;
  ordering& ordering_;
  happens_before& order_;
  dependence depends_;
  bool sleep_sets_;
  step_index base_;
  point_stack<point> points_;
};

}  // namespace

bool explore_transdpor_as_measured(system& system, observer& watcher, std::string_view ordering, bool sleep_sets) {
  const auto arranged = make_ordering(ordering, system);
  happens_before order(system);
  transdpor_as_measured algorithm(system, watcher, *arranged, order, sleep_sets);
  return search_depth_first(system, order, *arranged, watcher, algorithm);
}

}  // namespace harrier
