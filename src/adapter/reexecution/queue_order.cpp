// Whether an execution can be where actors have queues. Nodes: R(e), that step e takes its message, and S(m), that m
// comes into its queue. What must come before what:
//
//   E1  R(e), S of what e sends, in that order, R of the next step of its actor; what comes later than it was sent
//       only after R(e); what tells of its actor's end, after all that e sends, and before nothing; R of all steps that
//       were made later after all that e sends, if nobody takes anything before that
//   E2  S(m) before R(e) that takes m; R of the step that sent it, if it is in no queue
//   E3  S(m) before S(n), for each R(e) that takes m, and each n of the same queue that was not taken before e and
//       would have been taken in its place; not if m is urgent and n is not
//   E4  An actor that ends closes its queue, after S of all that its last step sends; answers for the requests that are
//       in it, in their order; is gone; and tells of that. Who asks later answers for the request himself, at once. So
//       for each answer either S of the request comes before the queue is closed, and S of the answer before the actor
//       is gone; or the queue is closed before S of the request, and S of the answer comes before what its sender does
//       next. What others do to the actor without a message (they watch it, say) is done before it is gone, and then S
//       of what that leads to comes after; or the actor is gone before, and S of that comes before what whoever does it
//       does next.
//   E5  An actor that closes its queue last does so in another order: it is gone, tells of that, closes its queue, and
//       answers. So S of an answer comes after S of all that tells of its end. It answers first, in the opposite order,
//       for what it has skipped when it took the last, then for what else it has fetched; it closes its queue after
//       that, and then answers, in the opposite order, for what it has not fetched.
//   E6  Where some messages of a queue are urgent, and some are not: its actor takes of what it has fetched what is
//       urgent first, and fetches all that has come by then. So it does not take what it has sent to itself and is not
//       urgent before what it has sent in the same step and is. Each R(e) of the queue fetches first, or does not. If f
//       is the last up to e that does: S of what e takes comes before R(f). If that is not urgent, R(f) comes before S
//       of what is, was not taken before e, and would have been taken in its place. If an actor fetches when nothing is
//       left, and e does: R of the last that did before e comes before S of all that was not taken before e and would
//       have been taken then.
//
// It can be iff nothing comes before itself, for one choice at each answer, and of the R(e) that fetch
// (arrival_order.hpp of the engines has the lemmas; its E4 is not needed, since steps of the set-up are among these).
#include "queue_order.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <utility>

namespace harrier::reexecution {

class execution_with_queues::order {
public:
  using node = std::size_t;
  static constexpr auto nobody = static_cast<node>(-1);
  static constexpr std::size_t most_tries = 2000;
  /// CAF 0.17 takes six of them at most before it takes something else.
  static constexpr std::ptrdiff_t most_urgent = 6;

  explicit order(const execution_with_queues& of)
      : of_(of),
        nodes_(of.steps.size() + of.messages.size()),
        last_(of.steps.size()),
        next_(of.messages.size(), nobody) {
    order_sending();
    for (step_index e = 0; e < of_.steps.size(); ++e) order_taking(e);
    for (step_index e = 0; e < of_.steps.size(); ++e)
      if (of_.steps[e].answers_for != nothing) find_answer(e);
    for (const auto& d : of_.debts) owe(d);
  }

  /// @param accepts  null: everything is
  void order_queues(const std::function<bool(std::size_t, step_index)>& accepts) {
    accepts_ = &accepts;
    std::map<std::uint64_t, std::vector<std::size_t>> queues;
    for (std::size_t m = 0; m < of_.messages.size(); ++m) queues[of_.messages[m].queue].push_back(m);
    for (auto& [queue, all] : queues) {
      const bool is_any_urgent =
          std::any_of(all.begin(), all.end(), [this](std::size_t m) { return of_.messages[m].is_urgent; });
      if (!accepts && !is_any_urgent)
        order_simply(all);
      else
        order_all_with_all(all);
      if (matters_when_it_fetches(queue, all)) fetched_.push_back({std::move(all), {}, {}});
    }
    for (auto& queue : fetched_) {
      queue.taken = taken_of(queue.messages);
      for (std::size_t a = 0; a < answers_.size(); ++a)
        if (of_.messages[answers_[a].request].queue == of_.messages[queue.messages.front()].queue)
          queue.answers.push_back(a);
    }
  }

  /// Whether nothing comes before itself. Called once, when all else is in order.
  [[nodiscard]] bool can_end() { return can_end(0); }

private:
  [[nodiscard]] bool has_no_circle() {
    if (edges_.size() == in_order_) return true;
    if (!can_be_sorted()) return false;
    in_order_ = edges_.size();
    return true;
  }
  /// Back to those first edges.
  void take_back(std::size_t edges) {
    edges_.resize(edges);
    in_order_ = std::min(in_order_, edges);
  }
  /// A. Kahn: what has nothing left before it is done.
  [[nodiscard]] bool can_be_sorted() const {
    std::vector<std::size_t> before(nodes_);
    std::vector<std::size_t> first(nodes_ + 1);  // of those that come after a node, among all sorted by that
    for (const auto& [a, b] : edges_) ++before[b], ++first[a + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<node> after(edges_.size());
    auto next = first;
    for (const auto& [a, b] : edges_) after[next[a]++] = b;
    std::vector<node> free;
    for (node n = 0; n < nodes_; ++n)
      if (before[n] == 0) free.push_back(n);
    std::size_t done = 0;
    for (; !free.empty(); ++done) {
      const auto n = free.back();
      free.pop_back();
      for (auto i = first[n]; i < first[n + 1]; ++i)
        if (--before[after[i]] == 0) free.push_back(after[i]);
    }
    return done == nodes_;
  }

  /// For a request to an actor that has ended.
  struct answer {
    std::size_t request;
    std::size_t given;
    step_index end;
    node closing;  // of its queue; gone() and told() are the next
    bool is_owed = false;
    bool is_in_time = false;
  };

  void find_answer(step_index e) {
    const auto end = end_before(of_.steps[e].previous);
    if (end == no_step) return;
    const auto closing = closing_at(end);
    must_come_before(of_.steps[end].closes_last ? gone(closing) : closing, taking(e));
    answer a{.request = of_.steps[e].answers_for, .given = nothing, .end = end, .closing = closing};
    for (std::size_t m = 0; m < of_.messages.size() && a.given == nothing; ++m)
      if (of_.messages[m].sent_by == e) a.given = m;
    if (a.given != nothing) answers_.push_back(a);
  }
  /// It has no step yet, but others may have taken what comes after it.
  void owe(const debt& d) {
    const auto end = end_before(d.last_of_receiver);
    if (end == no_step) return;
    const answer a{.request = d.request, .given = d.answer, .end = end, .closing = closing_at(end), .is_owed = true};
    must_come_before(of_.steps[end].closes_last ? gone(a.closing) : a.closing, sending(a.given));
    answers_.push_back(a);
  }
  [[nodiscard]] step_index end_before(step_index last) const {
    while (last != no_step && of_.steps[last].answers_for != nothing) last = of_.steps[last].previous;
    return last;
  }
  node closing_at(step_index end) {
    const auto [closing, is_new] = closing_.try_emplace(end, nodes_);
    if (is_new) end_at(end, closing->second);
    return closing->second;
  }

  void end_at(step_index last, node closing) {
    nodes_ += 3;
    const bool closes_last = of_.steps[last].closes_last;
    must_come_before(last_[last], closes_last ? gone(closing) : closing);
    must_come_before(gone(closing), told(closing));
    if (closes_last)
      must_come_before(told(closing), closing);
    else
      must_come_before(closing, gone(closing));
    for (std::size_t m = 0; m < of_.messages.size(); ++m)
      if (of_.messages[m].sent_by == last && of_.messages[m].as_sender_ends) tell_of_end(closing, m);
  }
  void tell_of_end(node closing, std::size_t m) {
    must_come_before(gone(closing), sending(m));
    must_come_before(sending(m), told(closing));
  }
  static node gone(node closing) { return closing + 1; }
  static node told(node closing) { return closing + 2; }  // of its end, who hears of it

  /// For the answers from number `i` on, those before being decided.
  bool can_end(std::size_t i) {
    if (++tries_ > most_tries) return true;  // not known
    if (!has_no_circle()) return false;
    if (i == answers_.size()) return can_fetch({});
    auto& a = answers_[i];
    const auto try_with = [&](bool is_in_time) {
      a.is_in_time = is_in_time;
      const auto before = edges_.size();
      if (is_in_time)
        come_in_time(i);
      else
        come_late(a);
      const bool can = can_end(i + 1);
      take_back(before);  // without those to which this has led
      return can;
    };
    return try_with(true) || try_with(false);
  }
  void come_in_time(std::size_t i) {
    const auto& a = answers_[i];
    if (of_.messages[a.request].is_no_message) {
      must_come_before(sending(a.request), gone(a.closing));
      return tell_of_end(a.closing, a.given);
    }
    must_come_before(sending(a.request), a.closing);
    if (of_.steps[a.end].closes_last)
      must_come_before(told(a.closing), sending(a.given));
    else
      must_come_before(sending(a.given), gone(a.closing));
    if (of_.messages[a.request].is_answered_by_place || a.is_owed) return;
    for (std::size_t k = 0; k < i; ++k) {  // what was answered before
      const auto& b = answers_[k];
      if (!b.is_in_time || b.closing != a.closing || of_.messages[b.request].is_no_message) continue;
      if (!overtakes(b.request, a.request)) must_come_before(sending(b.request), sending(a.request));
    }
  }
  void come_late(const answer& a) {
    must_come_before(of_.messages[a.request].is_no_message ? gone(a.closing) : a.closing, sending(a.request));
    if (next_[a.request] != nobody) must_come_before(sending(a.given), next_[a.request]);
  }
  /// E3
  void order_all_with_all(const std::vector<std::size_t>& all) {
    for (const auto m : all)
      if (const auto e = of_.messages[m].taken_by; e != no_step)
        for (const auto n : all)
          if (is_left_by(n, e) && !overtakes(m, n) && would_take(n, e)) must_come_before(sending(m), sending(n));
  }
  /// The same where nothing is urgent and all is accepted: what was taken as it was taken, then the others.
  void order_simply(const std::vector<std::size_t>& all) {
    const auto taken = taken_of(all);
    for (std::size_t i = 1; i < taken.size(); ++i) must_come_before(sending(taken[i - 1]), sending(taken[i]));
    if (taken.empty()) return;
    const auto last = taken.back();
    for (const auto n : all)
      if (of_.messages[n].taken_by == no_step && would_take(n, of_.messages[last].taken_by))
        must_come_before(sending(last), sending(n));
  }
  /// In order.
  [[nodiscard]] std::vector<std::size_t> taken_of(const std::vector<std::size_t>& all) const {
    std::vector<std::size_t> taken;
    for (const auto m : all)
      if (of_.messages[m].taken_by != no_step) taken.push_back(m);
    std::sort(taken.begin(), taken.end(),
              [this](auto m, auto n) { return of_.messages[m].taken_by < of_.messages[n].taken_by; });
    return taken;
  }

  // E6, and in which order who ends answers.

  [[nodiscard]] bool matters_when_it_fetches(std::uint64_t queue, const std::vector<std::size_t>& all) const {
    const auto urgent =
        std::count_if(all.begin(), all.end(), [this](std::size_t m) { return of_.messages[m].is_urgent; });
    if (urgent > 0 && urgent < static_cast<std::ptrdiff_t>(all.size()))
      return urgent <= most_urgent || of_.fetches_when_nothing_is_left;
    return std::count_if(answers_.begin(), answers_.end(), [&](const answer& a) {
             return of_.messages[a.request].queue == queue && of_.messages[a.request].is_answered_by_place;
           }) > 1;
  }

  struct fetching {
    std::size_t queue = 0;  // of fetched_
    std::size_t next = 0;   // that is taken from it
    step_index last = no_step;
  };

  bool can_fetch(fetching at) {
    if (++tries_ > most_tries) return true;  // not known
    if (!has_no_circle()) return false;
    if (at.queue == fetched_.size()) return true;
    if (at.next == fetched_[at.queue].taken.size()) return can_answer(at, 0, place::skipped, nothing);
    const auto e = of_.messages[fetched_[at.queue].taken[at.next]].taken_by;
    const auto try_with = [&](bool fetches) {
      const auto before = edges_.size();
      if (fetches && at.last != no_step && of_.fetches_when_nothing_is_left) have_nothing_left(at, e);
      take_of_what_came_before(fetches ? e : at.last, at, e);
      const bool can = can_fetch({at.queue, at.next + 1, fetches ? e : at.last});
      take_back(before);
      return can;
    };
    return try_with(true) || (at.last != no_step && try_with(false));
  }

  /// Where a request is when its receiver ends, in the order in which they are answered.
  enum class place : std::uint8_t { skipped, fetched, unfetched };

  /// For the answers from number `i` on.
  /// @param before  the request that was answered before; it was at `from`
  bool can_answer(const fetching& at, std::size_t i, place from, std::size_t before) {
    if (++tries_ > most_tries) return true;  // not known
    if (!has_no_circle()) return false;
    const auto& all = fetched_[at.queue].answers;
    const auto counts = [this](const answer& a) {
      return a.is_in_time && !a.is_owed && of_.messages[a.request].is_answered_by_place;
    };
    while (i < all.size() && !counts(answers_[all[i]])) ++i;
    if (i == all.size()) return can_fetch({at.queue + 1});
    const auto& a = answers_[all[i]];
    for (const auto where : {place::skipped, place::fetched, place::unfetched}) {
      if (where < from || !can_be_at(where, a, at.last)) continue;
      const auto edges = edges_.size();
      be_at(where, a, at.last);
      if (where == from && before != nothing) come_in_order(where, before, a.request);
      const bool can = can_answer(at, i + 1, where, a.request);
      take_back(edges);
      if (can) return true;
    }
    return false;
  }

  [[nodiscard]] bool can_be_at(place where, const answer& a, step_index last_fetch) const {
    if (where == place::unfetched) return true;
    if (last_fetch == no_step) return false;
    if (where == place::skipped) return !would_take(a.request, a.end);
    const auto x = of_.steps[a.end].takes;
    return x == nothing || !overtakes(a.request, x);
  }
  void be_at(place where, const answer& a, step_index last_fetch) {
    if (where == place::unfetched) {
      if (last_fetch != no_step) must_come_before(taking(last_fetch), sending(a.request));
      return;
    }
    must_come_before(sending(a.request), taking(last_fetch));
    if (of_.steps[a.end].closes_last) must_come_before(sending(a.given), a.closing);
    const auto x = of_.steps[a.end].takes;
    if (x == nothing || of_.messages[x].is_urgent != of_.messages[a.request].is_urgent) return;
    if (where == place::skipped)
      must_come_before(sending(a.request), sending(x));
    else
      must_come_before(sending(x), sending(a.request));
  }
  /// @param m  was answered before n
  void come_in_order(place where, std::size_t m, std::size_t n) {
    if (where == place::unfetched) return must_come_before(sending(n), sending(m));
    if (of_.messages[m].is_urgent != of_.messages[n].is_urgent) return;
    if (where == place::skipped)
      must_come_before(sending(n), sending(m));
    else
      must_come_before(sending(m), sending(n));
  }

  /// Nothing that would be taken came before the last fetched.
  void have_nothing_left(const fetching& at, step_index e) {
    for (const auto n : fetched_[at.queue].messages)
      if (is_left_by(n, e) || of_.messages[n].taken_by == e)
        if (would_take(n, e)) must_come_before(taking(at.last), sending(n));
  }

  void take_of_what_came_before(step_index fetched, const fetching& at, step_index e) {
    const auto& queue = fetched_[at.queue];
    const auto m = queue.taken[at.next];
    must_come_before(sending(m), taking(fetched));
    if (of_.messages[m].is_urgent) return;
    for (const auto n : queue.messages)
      if (of_.messages[n].is_urgent && is_left_by(n, e) && would_take(n, e))
        must_come_before(taking(fetched), sending(n));
  }

  [[nodiscard]] bool would_take(std::size_t m, step_index e) const {
    if (of_.messages[m].sent_by == no_step) {
      const auto owed = [m](const debt& d) { return d.answer == m; };
      return std::find_if(of_.debts.begin(), of_.debts.end(), owed)->is_taken_at_once;
    }
    return !*accepts_ || of_.messages[m].taken_by == e || (*accepts_)(m, e);
  }

  [[nodiscard]] static node taking(step_index e) { return e; }
  [[nodiscard]] node sending(std::size_t m) const { return of_.steps.size() + m; }
  void must_come_before(node a, node b) { edges_.emplace_back(a, b); }

  /// Whether `n` was sent, and not taken before step `e`.
  [[nodiscard]] bool is_left_by(std::size_t n, step_index e) const {
    const auto by = of_.messages[n].taken_by;
    return by == no_step || by > e;
  }
  [[nodiscard]] bool overtakes(std::size_t m, std::size_t n) const {
    return of_.messages[m].is_urgent && !of_.messages[n].is_urgent;
  }

  void order_sending() {
    std::vector<std::size_t> last_sent(of_.steps.size(), nothing);
    for (step_index e = 0; e < last_.size(); ++e) last_[e] = taking(e);
    for (std::size_t m = 0; m < of_.messages.size(); ++m) {
      const auto& x = of_.messages[m];
      if (x.as_sender_ends || x.sent_by == no_step) continue;
      must_come_before(x.comes_later ? taking(x.sent_by) : last_[x.sent_by], sending(m));
      if (x.comes_later) continue;
      if (const auto before = std::exchange(last_sent[x.sent_by], m); before != nothing) next_[before] = sending(m);
      last_[x.sent_by] = sending(m);
    }
    order_ends(last_);
    for (std::size_t m = 0; m < of_.messages.size(); ++m)
      if (of_.messages[m].before_all)
        for (auto later = of_.messages[m].sent_by + 1; later < of_.steps.size(); ++later)
          must_come_before(sending(m), taking(later));
    for (step_index e = 0; e < last_.size(); ++e) {
      const auto p = of_.steps[e].previous;
      if (p == no_step) continue;
      must_come_before(last_[p], taking(e));
      if (last_sent[p] != nothing) next_[last_sent[p]] = taking(e);
    }
  }

  void order_ends(std::vector<node> last) {
    for (std::size_t m = 0; m < of_.messages.size(); ++m) {
      const auto& x = of_.messages[m];
      if (!x.as_sender_ends) continue;
      must_come_before(last[x.sent_by], sending(m));
      last[x.sent_by] = sending(m);
    }
  }

  void order_taking(step_index e) {
    const auto& s = of_.steps[e];
    if (const auto m = s.takes != nothing ? s.takes : s.answers_for; m != nothing)
      must_come_before(sending(m), taking(e));
    else if (s.cause != no_step)
      must_come_before(taking(s.cause), taking(e));
  }

  const execution_with_queues& of_;
  std::size_t nodes_;
  std::vector<std::pair<node, node>> edges_;
  std::size_t in_order_ = 0;  // so many of the first have no circle
  std::vector<node> last_;    // of a step: what comes right before the next of its actor
  std::vector<node> next_;    // of a message: what its sender does next, or nobody
  std::map<step_index, node> closing_;
  std::vector<answer> answers_;
  struct queue_with_urgent {
    std::vector<std::size_t> messages;
    std::vector<std::size_t> taken;    // of those, in order
    std::vector<std::size_t> answers;  // of answers_, in order
  };
  std::vector<queue_with_urgent> fetched_;
  const std::function<bool(std::size_t, step_index)>* accepts_ = nullptr;  // null in it: everything is
  std::size_t tries_ = 0;
};

bool execution_with_queues::can_be(const std::function<bool(std::size_t, step_index)>& accepts) const {
  const auto can_be_if = [this](const std::function<bool(std::size_t, step_index)>& accepted) {
    order all(*this);
    all.order_queues(accepted);
    return all.can_end();
  };
  return is_in_order_of_sending() || can_be_if(nullptr) || can_be_if(accepts);
}

/// Whether the order in which all was sent here is an order of arrival: nothing was taken before what is older.
bool execution_with_queues::is_in_order_of_sending() const {
  struct waiting {
    std::deque<std::size_t> normal, urgent;  // what was sent, and came at once
    std::size_t fetched = 0;                 // all before that number
  };
  if (!debts.empty()) return false;
  std::map<std::uint64_t, waiting> queues;
  const auto is_behind = [](const std::deque<std::size_t>& all, std::size_t m) {
    return !all.empty() && all.front() < m;
  };
  std::size_t sent = 0;
  for (step_index e = 0; e < steps.size(); ++e) {
    if (steps[e].answers_for != nothing) return false;  // who answers may be another
    if (const auto m = steps[e].takes; m != nothing) {
      const auto& x = messages[m];
      auto& queue = queues[x.queue];
      const auto came = x.comes_later ? sent : m;
      if (is_behind(queue.urgent, came) || (!x.is_urgent && is_behind(queue.normal, came))) return false;
      const bool is_any_left = is_behind(queue.urgent, queue.fetched) || is_behind(queue.normal, queue.fetched);
      if (came >= queue.fetched || !is_any_left) {
        if (is_any_left && fetches_when_nothing_is_left) return false;
        queue.fetched = sent;
      }
      if (!x.is_urgent && is_behind(queue.urgent, queue.fetched)) return false;
      if (!x.comes_later) (x.is_urgent ? queue.urgent : queue.normal).pop_front();
    }
    for (; sent < messages.size() && messages[sent].sent_by == e; ++sent)
      if (const auto& x = messages[sent]; !x.comes_later)
        (x.is_urgent ? queues[x.queue].urgent : queues[x.queue].normal).push_back(sent);
  }
  return true;
}

}  // namespace harrier::reexecution
