// trust for delivery::mailbox_interleaved, by histories: what each actor takes.
//
// It searches the same program under `unordered`, where a message can be taken
// once its receiver accepts it, and lets a receiver take only what it could take
// first if it had a mailbox (arrival_order.hpp, which has the lemmas). So a history
// is found once, in however many orders its messages can arrive.
//
// A history that is found is then made an execution with mailboxes: its nodes are
// sorted so that they agree with what must come before what, the earliest first
// that can be, and run one after the other.
//
// The limit of depth counts arrivals too, so it is reached there, by histories
// that may differ in nothing before it.
#include "receive_histories.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/names_in_use.hpp>

#include "../../core/outside.hpp"
#include "../dpor/parts.hpp"
#include "arrival_order.hpp"
#include "shared_trust.hpp"
#include "trust.hpp"

namespace harrier {
namespace {

/// What step `e`'s handler sent, without what came from outside after it, or moves messages.
slot_range sent_in(const system& s, step_index e) {
  auto [first, last] = s.sent_by(e);
  while (last > first && is_from_outside(s, last - 1)) --last;
  return {first, last};
}

/// Where the messages of a history are in the system with mailboxes: each is there twice, as what was sent and as what
/// arrived, and once more as the word that brings the one to become the other.
class places {
public:
  /// @param there  the system with mailboxes
  explicit places(const system& there) : there_(&there) {}

  void make_room_for(std::size_t messages) {
    if (arrived_.size() >= messages) return;
    arrived_.resize(messages, no_message);
    arrival_.resize(messages, no_message);
  }
  /// The message in `m`'s mailbox; no_message before it arrives.
  [[nodiscard]] message_slot arrived(message_slot m) const { return arrived_[m]; }
  /// The word that brings `m`; no_message before it is on its way.
  [[nodiscard]] message_slot arrival(message_slot m) const { return arrival_[m]; }
  void is_in_mailbox(message_slot m, message_slot place) { arrived_[m] = place; }

  /// Step `e` of the history, which is step `f` there, was taken.
  /// @return whether both sent the same number of messages.
  bool took(const system& history, step_index e, step_index f) {
    const auto sent = sent_in(history, e);
    const auto here = sent_in(*there_, f);
    make_room_for(history.message_count() + 1);
    if (here.size() != sent.size() || there_->step_at(f).aborted != history.step_at(e).aborted) return false;
    if (!sent.empty() && !history.step_at(e).aborted) arrival_[sent.first] = here.last;
    return true;
  }

  /// Message `m` of the history arrived in step `f` there.
  /// @return the word that all have arrived, to be delivered next; no_message if there is none.
  message_slot arrives(const system& history, message_slot m, step_index f) {
    arrived_[m] = there_->step_at(f).first_sent;
    const auto next = arrived_[m] + 1;
    if (next == there_->sent_end(f) || is_from_outside(*there_, next)) return no_message;
    if (m + 1 == sent_in(history, history.message_at(m).sent_by).last) return next;
    arrival_[m + 1] = next;
    return no_message;
  }

  /// What the word in slot `word` there brings; no_message if nothing.
  [[nodiscard]] message_slot brought_by(message_slot word) const {
    const auto found = std::find(arrival_.begin(), arrival_.end(), word);
    return word == no_message || found == arrival_.end() ? no_message
                                                         : static_cast<message_slot>(found - arrival_.begin());
  }

private:
  const system* there_;
  std::vector<message_slot> arrived_, arrival_;  // by message of the history
};

/// How the set-ups of two systems fit.
struct fitting_setup {
  places at;
  arrivals_of_setup arrivals;
};

std::vector<message_slot> from_outside(const system& s) {
  std::vector<message_slot> all;
  for (message_slot m = 1; m <= s.message_count(); ++m)
    if (is_from_outside(s, m)) all.push_back(m);
  return all;
}

/// Nothing if they took other messages, or in other orders.
std::optional<fitting_setup> fit_setups(const system& there, const system& history) {
  fitting_setup fit{places(there), arrivals_of_setup(history.message_count() + 1, 0)};
  fit.at.make_room_for(history.message_count() + 1);
  std::uint32_t arrivals = 0;
  const auto arrive = [&](message_slot m) { fit.arrivals[m] = ++arrivals; };
  const auto outside_there = from_outside(there);
  const auto outside = from_outside(history);
  if (outside_there.size() != outside.size()) return {};
  std::size_t posted = 0;
  const auto post_up_to = [&](step_index f) {  // what came from outside before anything after step f
    for (; posted < outside.size() && there.message_at(outside_there[posted]).sent_by == f; ++posted) {
      fit.at.is_in_mailbox(outside[posted], outside_there[posted]);
      arrive(outside[posted]);
    }
  };

  post_up_to(no_step);
  step_index e = 0;
  for (step_index f = 0; f < there.setup_steps(); ++f) {
    const auto& step = there.step_at(f);
    if (is_visible(step.kind)) {
      if (e == history.setup_steps()) return {};
      const auto& same = history.step_at(e);
      if (fit.at.arrived(same.message) != step.message || same.code != step.code) return {};
      if (same.mode_before != step.mode_before || !fit.at.took(history, e, f)) return {};
      ++e;
    } else if (const auto m = fit.at.brought_by(step.message); m != no_message) {
      static_cast<void>(fit.at.arrives(history, m, f));
      arrive(m);
    }
    post_up_to(f);
  }
  if (e != history.setup_steps()) return {};
  return fit;
}

/// An execution's nodes, in an order that agrees with what must come before what.
class sorted_nodes {
public:
  using node = arrival_order::node;

  sorted_nodes(const system& history, const arrival_order& order) : history_(history), order_(order) {}

  /// The earliest first that can be, by step and place among its sends.
  const std::vector<node>& sort() {
    list_nodes();
    std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> ready;
    for (const auto n : all_)
      if (waits_for_[number(n)] == 0) ready.push(key(n));
    sorted_.clear();
    while (!ready.empty()) {
      const auto n = node_of(ready.top());
      ready.pop();
      sorted_.push_back(n);
      for (const auto later : after_[number(n)])
        if (--waits_for_[number(later)] == 0) ready.push(key(later));
    }
    HARRIER_INVARIANT(sorted_.size() == all_.size(), "in a history that was found nothing comes before itself");
    return sorted_;
  }

private:
  struct everything {
    [[nodiscard]] bool taken(step_index) const { return true; }
    [[nodiscard]] bool sent(step_index) const { return true; }
  };

  void list_nodes() {
    all_.clear();
    for (message_slot m = 1; m <= history_.message_count(); ++m)
      if (!history_.message_at(m).dead && !order_.is_there_from_start(m)) all_.push_back({node::kind::arrival, m});
    for (auto e = static_cast<step_index>(history_.setup_steps()); e < history_.step_count(); ++e)
      all_.push_back({node::kind::receive, e});
    const auto numbers = history_.message_count() + 1 + history_.step_count();
    waits_for_.assign(numbers, 0);
    if (after_.size() < numbers) after_.resize(numbers);
    for (auto& later : after_) later.clear();
    for (const auto n : all_)
      order_.for_each_before(n, everything{}, [&](node before) {
        after_[number(before)].push_back(n);
        ++waits_for_[number(n)];
      });
  }

  [[nodiscard]] std::size_t number(node n) const {
    return n.is == node::kind::arrival ? n.index : history_.message_count() + 1 + n.index;
  }
  [[nodiscard]] std::uint64_t key(node n) const {
    if (n.is == node::kind::receive) return static_cast<std::uint64_t>(n.index + 1) << 32;
    return static_cast<std::uint64_t>(history_.message_at(n.index).sent_by + 1) << 32 | n.index;
  }
  static node node_of(std::uint64_t key) {
    const auto m = static_cast<std::uint32_t>(key);
    if (m == no_message) return {node::kind::receive, static_cast<std::uint32_t>(key >> 32) - 1};
    return {node::kind::arrival, m};
  }

  const system& history_;
  const arrival_order& order_;
  std::vector<node> all_, sorted_;
  std::vector<std::uint32_t> waits_for_;  // by number
  std::vector<std::vector<node>> after_;
};

/// Of a system in its initial configuration.
std::size_t depth_limit_of(system& s) {
  const auto beginning = s.begin_here();
  s.begin_at(beginning);
  return beginning.depth_limit;
}

/// Watches the search for histories, and runs each in the system with mailboxes.
class histories final : public observer {
public:
  histories(system& s, observer& watcher, const system& found, fitting_setup fit)
      : system_(s),
        watcher_(watcher),
        base_(static_cast<step_index>(s.setup_steps())),
        at_start_(fit.at),
        at_(std::move(fit.at)),
        order_(found, std::move(fit.arrivals)),
        nodes_(found, order_),
        limit_(depth_limit_of(s)) {}

  void step_flagged(system&) override {}  // it is found again when the history is run
  void poll(system&) override {
    tell([&] { watcher_.poll(system_); });
  }
  void execution_ended(system& found) override {
    tell([&] { run(found); });
  }
  void execution_blocked(system&) override {}

  void go_back() { go_back_to(0); }

  /// Whether what was thrown came from who watches, or the system with mailboxes.
  [[nodiscard]] bool is_telling() const { return is_telling_; }

private:
  template <class Tell>
  void tell(Tell tell) {
    is_telling_ = true;
    tell();
    is_telling_ = false;
    stopping_ = watcher_.stopping();
  }

  /// To its end, even if the search is to stop: what is left is told by what was not begun.
  void run(const system& found) {
    at_ = at_start_;
    taken_ = 0;
    shares_ = true;
    for (const auto n : nodes_.sort())
      if (!(n.is == arrival_order::node::kind::receive ? take(found, n.index) : arrive(found, n.index))) return;
    go_back_to(taken_);  // its end, if it was begun like the one before
    HARRIER_INVARIANT(system_.first_deliverable() == no_message,
                      "where a history ends nothing more can be taken with mailboxes");
    watcher_.execution_ended(system_);
  }

  /// @return whether the execution goes on.
  bool take(const system& found, step_index e) {
    const auto& step = found.step_at(e);
    const auto f = next(at_.arrived(step.message), step.code);
    if (f == no_step) return false;
    HARRIER_INVARIANT(at_.took(found, e, f), "a handler does the same with mailboxes as without");
    return true;
  }
  bool arrive(const system& found, message_slot m) {
    const auto f = next(at_.arrival(m), 0);
    if (f == no_step) return false;
    const auto all_arrived = at_.arrives(found, m, f);
    return all_arrived == no_message || next(all_arrived, 0) != no_step;
  }

  /// Makes the next delivery, if the execution before did not begin with it.
  /// @return the step; no_step if the limit of depth was reached, which was told.
  step_index next(message_slot m, std::uint64_t code) {
    const auto f = base_ + static_cast<step_index>(taken_);
    if (shares_ && taken_ < system_.depth()) {
      const auto& before = system_.step_at(f);
      if (before.message == m && before.code == code) {
        ++taken_;
        return f;
      }
    }
    if (std::exchange(shares_, false)) go_back_to(taken_);
    if (taken_ >= limit_) {
      watcher_.execution_ended(system_);
      return no_step;
    }
    HARRIER_INVARIANT(m != no_message && system_.pending(m) && system_.deliverable(m),
                      "a history that was found can be run with mailboxes");
    system_.deliver(m, code);
    ++taken_;
    return f;
  }

  void go_back_to(std::size_t depth) {
    while (system_.depth() > depth) system_.undo();
  }

  system& system_;
  observer& watcher_;
  const step_index base_;
  const places at_start_;
  places at_;
  arrival_order order_;
  sorted_nodes nodes_;
  const std::size_t limit_;
  std::size_t taken_ = 0;  // deliveries of the history that is run
  bool shares_ = false;    // so far they are those of the one before
  bool is_telling_ = false;
};

/// What a receiver may take is what it can find first in its mailbox.
class first_in_mailbox {
public:
  first_in_mailbox(const system& s, arrivals_of_setup setup) : order_(s, std::move(setup)) {}
  template <class Part>
  bool may_take(message_slot m, step_index x, const Part& part) {
    return order_.may_take(m, x, part);
  }

private:
  arrival_order order_;
};

/// @param where  of the system with mailboxes: see explore_trust.
bool search_histories(search_context& s, system& unordered, std::vector<trust_item>& todo, const trust_sharing& sharing,
                      schedule* where) {
  auto fit = fit_setups(s.tested, unordered);
  if (!fit) throw error("the set-up depends on the delivery model, so histories cannot be told from it");
  const past_aborts here(s.tested);
  const past_aborts there(unordered);
  const names_in_use held(s.tested, [](name_keeper&) {});
  unordered.limit_depth(depth_limit_of(s.tested));  // arrivals count, so that is reached here first
  const first_in_mailbox choice(unordered, fit->arrivals);
  histories executions(s.tested, s.watcher, unordered, std::move(*fit));
  unordered.watch().observe(&executions);
  bool ended = false;
  if (where != nullptr) take_again(s.tested, *where, [] {});
  try {
    trust<parts, first_in_mailbox> search(unordered, executions, choice);
    ended = search.run(todo, sharing);
    if (!ended && where != nullptr) *where = s.tested.current_schedule();
    if (!ended) search.leave(todo);
  } catch (...) {
    if (executions.is_telling()) throw;
    // A handler or guard failed where nobody looks on: a search of the system itself meets that too, and tells of it.
    executions.go_back();
    if (explore_alone(s, harrier::share_trust(made_by::one))) throw;
    return false;
  }
  executions.go_back();
  return ended;
}

}  // namespace

bool have_same_setup(const system& interleaved, const system& unordered) {
  return fit_setups(interleaved, unordered).has_value();
}

std::unique_ptr<shared_search> share_receive_histories(std::function<system_handle()> start_unordered) {
  return std::make_unique<shared_trust>([start = std::move(start_unordered)]() -> shared_trust::explorer {
    const std::shared_ptr<system> unordered = start();
    return [unordered](search_context& s, std::vector<trust_item>& todo, const trust_sharing& sharing,
                       schedule* where) { return search_histories(s, *unordered, todo, sharing, where); };
  });
}

}  // namespace harrier
