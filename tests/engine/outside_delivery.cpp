// The delivery models by their definitions, and every execution under them.
#include <algorithm>

#include "outside_oracle.hpp"
#include "outside_program.hpp"

namespace harrier::differential::outside {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class enumeration {
public:
  enumeration(const litmus::random_program& tables, delivery model, limits most, std::uint64_t may_be_lost)
      : tables_(tables), model_(model), most_(most), may_be_lost_(may_be_lost) {}

  everything run() {
    try {
      auto c = beginning();
      send_from_outside(c, content::set_up);
      run_set_up(c);
      send_from_outside(c, content::test);
      if (!start(c)) found_.is_untestable = true;
    } catch (const too_many_messages&) {
      found_.is_too_large = true;
    }
    return found_;
  }

private:
  /// Whether the receiver of `m` would take it now, were it the only message.
  [[nodiscard]] bool would_be_taken(const configuration& c, const message& m) const {
    if (m.taken || m.lost || m.since == nothing) return false;
    const auto& receiver = c.actors[at(m.to)];
    if (receiver.is_sending) return false;
    const bool is_reply = m.what == content::answer || m.what == content::failure;
    switch (receiver.mode) {
      case life::gone: return false;
      case life::waiting: return is_reply && m.answers == receiver.awaited;
      case life::open: return !is_reply && is_accepted(tables_, c, m);
    }
    return false;
  }

  /// Whether the model has the common receiver of `p` and `m` take `p` first, if it would take both.
  [[nodiscard]] bool comes_before(const configuration& c, int p, int m) const {
    const auto& first = c.messages[at(p)];
    const auto& second = c.messages[at(m)];
    switch (model_) {
      case delivery::unordered: return false;
      case delivery::fifo: return first.from == second.from && p < m;
      case delivery::causal: return second.past.test(at(p));
      case delivery::mailbox:
      case delivery::mailbox_interleaved: return first.since < second.since;
    }
    return false;
  }

  [[nodiscard]] bool can_be_taken(const configuration& c, int m) const {
    const auto& x = c.messages[at(m)];
    if (!would_be_taken(c, x)) return false;
    for (int p = 0; p < static_cast<int>(c.messages.size()); ++p) {
      const auto& other = c.messages[at(p)];
      if (p != m && other.to == x.to && comes_before(c, p, m) && would_be_taken(c, other)) return false;
    }
    return true;
  }

  /// The first of what actor `a` has in hand enters its receiver's queue; or there is nothing left, and it can go on.
  static void go_on_sending(configuration& c, std::size_t a) {
    auto& sender = c.actors[a];
    if (sender.in_hand.empty()) {
      sender.is_sending = false;
      return;
    }
    const auto m = sender.in_hand.front();
    sender.in_hand.erase(sender.in_hand.begin());
    c.messages[at(m)].since = ++c.clock;
    sender.sending_since = ++c.clock;
    sender.is_sending = !sender.in_hand.empty() || sender.mode != life::gone;
    c.told.put.push_back(m);
  }

  /// One macro-step, and, unless other actors can do something in between, what it sent is in the queues.
  std::vector<draw> step(configuration& c, int m, const std::vector<std::uint64_t>& script) {
    ++steps_;
    auto drawn = take(tables_, c, m, script);
    if (model_ == delivery::mailbox_interleaved) return drawn;
    auto& sender = c.actors[at(c.messages[at(m)].to)];
    for (const auto sent : sender.in_hand) c.messages[at(sent)].since = ++c.clock;
    sender.in_hand.clear();
    sender.is_sending = false;
    return drawn;
  }

  /// What can happen is done, always that which could be done first for the longest time, until nothing can.
  void run_set_up(configuration& c) {
    for (;;) {
      int oldest = nothing;
      int since = c.clock + 1;
      for (int m = 0; m < static_cast<int>(c.messages.size()); ++m)
        if (c.messages[at(m)].since < since && can_be_taken(c, m)) {
          since = c.messages[at(m)].since;
          oldest = m;
        }
      const auto is_earlier = [&](const actor& a, const actor& b) {
        return a.is_sending && (!b.is_sending || a.sending_since < b.sending_since);
      };
      const auto a = std::min_element(c.actors.begin(), c.actors.end(), is_earlier);
      if (a->is_sending && a->sending_since < since)
        go_on_sending(c, static_cast<std::size_t>(a - c.actors.begin()));
      else if (oldest != nothing)
        step(c, oldest, {});
      else
        return;
    }
  }

  /// The driver's test is a part of the set-up unless it draws. @return whether nothing went wrong before.
  bool start(configuration& c) {
    for (const auto& e : c.told.events)
      if (e.findings > 0 || !e.drawn.empty()) return false;
    const auto test = c.told.from_outside.back();
    c.told.put.clear();
    c.told.explored = c.told.events.size();
    if (tables_.driver_draws == 0) {
      step(c, test, {});
      c.told.explored = c.told.events.size();
    }
    first_to_be_lost_ = static_cast<int>(c.messages.size());
    go_on_from(c);
    return true;
  }

  void go_on_from(const configuration& c) {
    if (found_.is_too_large) return;
    bool is_end = true;
    for (int m = 0; m < static_cast<int>(c.messages.size()); ++m)
      if (can_be_taken(c, m)) {
        is_end = false;
        take_with_all_draws(c, m);
      }
    for (std::size_t a = 0; a < c.actors.size(); ++a)
      if (c.actors[a].is_sending) {
        is_end = false;
        auto next = c;
        go_on_sending(next, a);
        ++steps_;
        go_on_from(next);
      }
    if (is_end) end(c);
    for (int m = 0; m < static_cast<int>(c.messages.size()); ++m)
      if (can_be_lost(c, m)) {
        auto next = c;
        next.messages[at(m)].lost = true;
        next.told.lost.push_back(m);
        ++steps_;
        go_on_from(next);
      }
    found_.is_too_large = found_.is_too_large || found_.executions > most_.executions || steps_ > most_.transitions;
  }

  /// A message that one actor sent to another after the set-up, while its channel has something left to lose.
  [[nodiscard]] bool can_be_lost(const configuration& c, int m) const {
    const auto& x = c.messages[at(m)];
    if (x.taken || x.lost || x.from == nobody || x.from == driver || x.from == x.to || m < first_to_be_lost_)
      return false;
    const auto is_of_channel = [&](int other) {
      return c.messages[at(other)].from == x.from && c.messages[at(other)].to == x.to;
    };
    return static_cast<std::uint64_t>(std::count_if(c.told.lost.begin(), c.told.lost.end(), is_of_channel)) <
           may_be_lost_;
  }

  void take_with_all_draws(const configuration& c, int m) {
    std::vector<std::uint64_t> script;
    do {
      auto next = c;
      auto drawn = step(next, m, script);
      go_on_from(next);
      while (!drawn.empty() && drawn.back().value + 1 == drawn.back().among) drawn.pop_back();
      script.clear();
      for (const auto& d : drawn) script.push_back(d.value);
      if (!script.empty()) ++script.back();
    } while (!script.empty());
  }

  void end(const configuration& c) {
    ++found_.executions;
    auto told = c.told;
    for (const auto& a : c.actors) told.ends.push_back({a.mode, a.awaited, a.local});
    found_.traces.insert(text_of(told, model_));
  }

  const litmus::random_program& tables_;
  delivery model_;
  limits most_;
  std::uint64_t may_be_lost_;
  int first_to_be_lost_ = 0;
  everything found_;
  std::uint64_t steps_ = 0;
};

}  // namespace

everything by_definition(const litmus::random_program& tables, delivery model, limits most, std::uint64_t may_be_lost) {
  return enumeration(tables, model, most, may_be_lost).run();
}

}  // namespace harrier::differential::outside
