// TransDPOR as it was measured: what reproduces Tasharofi et al., Table 1, all
// 27 rows, where their Fig. 2 (transdpor.hpp) gives other counts in 11. Their
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
#include "transdpor_as_measured.hpp"

#include <algorithm>

#include "listed_backtracking.hpp"
#include "parts.hpp"
#include "shared_depth_first.hpp"

namespace harrier {
namespace {

// Paper -> code, as in transdpor.hpp. i ->S m: order_.before_sending.
struct measured_point : listed_point<sleep_set> {
  using base = listed_point<sleep_set>;
  std::vector<message_slot> deliverable;
  bool frozen = false;  // then the last one of `backtrack` did it

  void begin() { frozen = false; }
  template <class Writer>
  void save(Writer& to) const {
    to.slots(deliverable);
    to.flag(frozen);
    base::save(to);
  }
  template <class Reader>
  void load(Reader& from) {
    from.slots(deliverable);
    frozen = from.flag();
    base::load(from);
  }
};

class transdpor_as_measured : public listed_backtracking<measured_point, dependence> {
public:
  using listed_backtracking::listed_backtracking;

  void enter() {  //  1
    auto& p = push_point();
    p.frozen = false;
    list_deliverable(system_, ordering_, p.deliverable);
    if (p.deliverable.empty()) return watcher_.execution_ended(system_);  // 10
    const auto m = first_awake(p, p.deliverable);
    if (m == no_message) return watcher_.execution_blocked(system_);
    p.backtrack.push_back(m);  // 11
  }

  message_slot next() {
    auto& p = points_.back();
    if (p.position == p.backtrack.size()) return no_message;  // 13
    p.frozen = false;                                         // 14'
    return p.backtrack[p.position];
  }

  void stepped() {  //  3, D1
    points_.back().sleep.note(depends_.last_event());
    const auto last = system_.last_step();
    const auto delivered = system_.step_at(last).message;
    look_for_races(delivered, system_.step_at(last).previous, [&](point& p, message_slot e) { add(p, e); });
    for (auto m = system_.step_at(last).first_sent; m < system_.sent_end(last); ++m)
      look_for_races(m, system_.actor_at(system_.message_at(m).receiver).last_step,
                     [&](point& p, message_slot e) { add_or_replace(p, e); });
  }

private:
  /// Calls `add` for each step `i` of m's receiver, from `from` back, that is in race with `m`.
  template <class Add>
  void look_for_races(message_slot m, step_index from, Add add) {
    depends_.for_each_conflict(order_, m, from, [&](step_index i) {  //  4, D2
      auto& p = points_[depth_of(i)];
      const auto e = candidate(i, m);  //  5, D3
      if (contains(p.deliverable, e) && !contains(p.backtrack, e) && !p.sleep.contains(system_.message_at(e).id))  // D5
        add(p, e);
    });
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

  static bool contains(const std::vector<message_slot>& list, message_slot m) {
    return std::find(list.begin(), list.end(), m) != list.end();
  }
};

}  // namespace

std::unique_ptr<shared_search> share_transdpor_as_measured(const transdpor_options& how) {
  return std::make_unique<shared_depth_first<parts, transdpor_as_measured, bool>>(how.ordering, how.sleep_sets);
}

}  // namespace harrier
