// Whether an execution can be where actors have queues. Nodes: R(e), that step e takes its message, and S(m), that m
// comes into its queue. What must come before what:
//
//   E1  R(e), S of what e sends in that order, R of the next step of its actor; what comes later than it was sent, only
//       after R(e)
//   E2  S(m) before R(e) that takes m; R of the step that sent it, if it is in no queue
//   E3  S(m) before S(n), for each R(e) that takes m, and each n of the same queue that was not taken before e and
//   would
//       have been taken in its place
//
// It can be iff nothing comes before itself (arrival_order.hpp of the engines has the lemmas; E4 is not needed, since
// steps of the set-up are among these).
#include "queue_order.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace harrier::reexecution {

class execution_with_queues::order {
public:
  using node = std::size_t;

  explicit order(const execution_with_queues& of) : of_(of), after_(of.steps.size() + of.messages.size()) {
    order_sending();
    for (step_index e = 0; e < of_.steps.size(); ++e) order_taking(e);
  }

  /// @param accepts  null: everything is
  void order_queues(const std::function<bool(std::size_t, step_index)>& accepts) {
    std::map<std::uint64_t, std::vector<std::size_t>> queues;
    for (std::size_t m = 0; m < of_.messages.size(); ++m) queues[of_.messages[m].queue].push_back(m);
    for (const auto& [queue, all] : queues)
      for (const auto m : all)
        if (const auto e = of_.messages[m].taken_by; e != no_step)
          for (const auto n : all)
            if (is_left_by(n, e) && !overtakes(m, n) && (!accepts || accepts(n, e)))
              must_come_before(sending(m), sending(n));
  }

  /// A. Kahn: what has nothing left before it is done.
  [[nodiscard]] bool has_no_circle() const {
    std::vector<std::size_t> before(after_.size());
    for (const auto& all : after_)
      for (const auto b : all) ++before[b];
    std::vector<node> free;
    for (node n = 0; n < before.size(); ++n)
      if (before[n] == 0) free.push_back(n);
    std::size_t done = 0;
    for (; !free.empty(); ++done) {
      const auto n = free.back();
      free.pop_back();
      for (const auto b : after_[n])
        if (--before[b] == 0) free.push_back(b);
    }
    return done == after_.size();
  }

private:
  [[nodiscard]] static node taking(step_index e) { return e; }
  [[nodiscard]] node sending(std::size_t m) const { return of_.steps.size() + m; }
  void must_come_before(node a, node b) { after_[a].push_back(b); }

  /// Whether `n` was sent, and not taken before step `e`.
  [[nodiscard]] bool is_left_by(std::size_t n, step_index e) const {
    const auto by = of_.messages[n].taken_by;
    return by == no_step || by > e;
  }
  [[nodiscard]] bool overtakes(std::size_t m, std::size_t n) const {
    return of_.messages[m].is_urgent && !of_.messages[n].is_urgent;
  }

  void order_sending() {
    std::vector<node> last(of_.steps.size());
    for (step_index e = 0; e < last.size(); ++e) last[e] = taking(e);
    for (std::size_t m = 0; m < of_.messages.size(); ++m) {
      const auto& x = of_.messages[m];
      must_come_before(x.comes_later ? taking(x.sent_by) : last[x.sent_by], sending(m));
      if (!x.comes_later) last[x.sent_by] = sending(m);
    }
    for (step_index e = 0; e < last.size(); ++e)
      if (const auto p = of_.steps[e].previous; p != no_step) must_come_before(last[p], taking(e));
  }

  void order_taking(step_index e) {
    const auto& s = of_.steps[e];
    if (s.takes != nothing)
      must_come_before(sending(s.takes), taking(e));
    else if (s.cause != no_step)
      must_come_before(taking(s.cause), taking(e));
  }

  const execution_with_queues& of_;
  std::vector<std::vector<node>> after_;
};

bool execution_with_queues::can_be(const std::function<bool(std::size_t, step_index)>& accepts) const {
  if (is_in_order_of_sending()) return true;
  order all(*this), of_accepted(*this);
  all.order_queues(nullptr);
  if (all.has_no_circle()) return true;
  of_accepted.order_queues(accepts);
  return of_accepted.has_no_circle();
}

/// Whether the order in which all was sent here is an order of arrival: nothing was taken before what is older.
bool execution_with_queues::is_in_order_of_sending() const {
  struct waiting {
    std::deque<std::size_t> normal, urgent;  // what was sent, and came at once
  };
  std::map<std::uint64_t, waiting> queues;
  const auto is_behind = [](const std::deque<std::size_t>& all, std::size_t m) {
    return !all.empty() && all.front() < m;
  };
  std::size_t sent = 0;
  for (step_index e = 0; e < steps.size(); ++e) {
    if (const auto m = steps[e].takes; m != nothing) {
      const auto& x = messages[m];
      auto& queue = queues[x.queue];
      const auto came = x.comes_later ? sent : m;
      if (is_behind(queue.urgent, came) || (!x.is_urgent && is_behind(queue.normal, came))) return false;
      if (!x.comes_later) (x.is_urgent ? queue.urgent : queue.normal).pop_front();
    }
    for (; sent < messages.size() && messages[sent].sent_by == e; ++sent)
      if (const auto& x = messages[sent]; !x.comes_later)
        (x.is_urgent ? queues[x.queue].urgent : queues[x.queue].normal).push_back(sent);
  }
  return true;
}

}  // namespace harrier::reexecution
