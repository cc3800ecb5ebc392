// TruSt (Kokologiannakis et al., POPL 2022) as Must does it for messages (Enea
// et al., OOPSLA 2024), for macro-steps.
//
// A macro-step is two events: R(a, i), the i-th receive of actor a, and
// W(a, i), the bundle of its sends (absent if it sends nothing). A graph G is a
// set of them with the order in which they were inserted. Adding a receive
// branches over the messages it can read; adding a W may *revisit* an earlier
// receive R(b, j) that is not in its causal past: everything inserted after
// R(b, j) but that past is deleted, and R(b, j) reads the new message instead.
//
// Invariant: each execution class has exactly one graph, and each graph exactly
// one parent. A revisit is allowed only if every event deleted, and R(b, j),
// was *maximal*: it read the least of what there was to read. So of all graphs
// that differ in what is deleted, one alone makes the revisit.
//
// D1  The paper adds threads' events one by one; here the macro-step of a
//     receive is finished (its W added) before another receive is.
// D2  Whether a message can be read is its receiver's affair alone, and is asked
//     of the receiver as it was before that receive. It holds for guards, calls
//     and destroy. Races that are seen late (see dependence) have no place here.
// D3  A drawn value other than 0 is not maximal; a receive is tried with the
//     next draws as its own sibling.
// D4  A receive keeps its place in the insertion order when it is revisited,
//     but comes after the sending in the order in which the steps are run.
// D5  A stack of graphs instead of recursion; to look at a graph the system goes
//     back to what it shares with the last one and runs the rest.
// D6  Steps that end an execution end their actor only, as in optimal.hpp.
// D7  "The least" is by portable names, so that an item means the same to whoever
//     takes it up.
// D8  A graph is in names of its system, an item in slots. It becomes an item only
//     when it is given away or left: all of it but its last macro-step was run
//     before, so it is run again without that one, which says the slots.
// D9  Whether a message can be read may also depend on what others read, where a
//     class `Choice` says so (see receive_histories.cpp). Then only what it allows is
//     read, what is least is the least of that, and a revisit whose read it does not
//     allow in what is left makes no graph. It has to allow some read wherever a
//     receiver accepts one, and to allow in a part what it allows in the whole.
// D10 The graph looked at next is mostly the last one with one event more. Then all that is known of that one holds:
//     an execution of 10^5 steps is not gone through again at each of its steps.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <harrier/core/dependence.hpp>
#include <harrier/core/error.hpp>
#include <harrier/core/names_in_use.hpp>
#include <harrier/engine/trust.hpp>

#include "../depth_first.hpp"
#include "../take_again.hpp"

namespace harrier {

inline constexpr auto absent = static_cast<std::size_t>(-1);

struct graph_event {
  message_id label;  // of the macro-step
  bool is_write;     // W, else R
};

struct graph {
  std::vector<graph_event> inserted;
  std::vector<message_id> execution;  // the same macro-steps in an order that can be run
  bool receive_is_new = false;        // the last macro-step's draws are still to be varied
  bool goes_on = false;               // D10: it begins with the graph that was looked at before it
};

/// What a receiver accepts it can read.
struct any_accepted {
  template <class Part>
  [[nodiscard]] bool may_take(message_slot, step_index, const Part&) const {
    return true;
  }
};

template <class Parts, class Choice = any_accepted>
class trust {
public:
  trust(system& s, observer& watcher, Choice choice = {})
      : system_(s),
        watcher_(watcher),
        choice_(std::move(choice)),
        order_(s),
        depends_(s),
        told_(s),
        base_(static_cast<step_index>(s.setup_steps())),
        held_(s, [this](name_keeper& keep) {
          for (const auto& g : todo_) keep_names_of(g, keep);
          keep_names_of(current_, keep);
        }) {
    Parts::require(depends_.foresees_all(), "a receive's rivals are decided by its receiver");
  }

  /// Explores all that comes of `items`, last first. What is left when it is stopped
  /// is in `items` and, above them, in graphs: see leave().
  bool run(std::vector<trust_item>& items, const trust_sharing& sharing) {
    while (!todo_.empty() || !items.empty()) {
      if (watcher_.stopping()) return false;
      if (sharing.between) {
        give(sharing.between(items.size() + todo_.size()), items, sharing);
        if (todo_.empty() && items.empty()) break;
      }
      if (todo_.empty()) {
        forget_index();
        current_ = graph_of(items.back());
        items.pop_back();
      } else {
        current_ = std::move(todo_.back());
        todo_.pop_back();
        if (!current_.goes_on) forget_index();
        go_to(current_.execution, current_.receive_is_new, current_.goes_on ? system_.depth() : 0);
        current_.goes_on = false;
      }
      visit(std::move(current_));
    }
    while (system_.depth() > 0) undo();
    return true;
  }

  /// Puts the graphs that are left on top of `items`. What it takes to name them counts as no delivery.
  void leave(std::vector<trust_item>& items) {
    auto* const watching = system_.watch().observe(nullptr);
    const auto before = system_.watch().deliveries();
    for (const auto& g : todo_) items.push_back(item_of(g));
    todo_.clear();
    while (system_.depth() > 0) undo();
    system_.watch().made_before(system_.watch().deliveries() - before);
    system_.watch().observe(watching);
  }
  /// Takes the system to where one was that left items.
  void return_to(const schedule& where) {
    take_again(system_, where, [this] {
      order_.push(depends_);
      note_place(system_.step_at(system_.last_step()).label, system_.depth() - 1);
    });
  }

private:
  static constexpr std::size_t looks_between_polls = 1'000'000;

  /// Who looks on is told of a step that failed when that is run first: a graph's other steps were run in the one that
  /// it was made of, perhaps by another worker.
  class new_steps final : public observer {
  public:
    explicit new_steps(system& s) : system_(s), watching_(s.watch().observe(this)) {}
    new_steps(const new_steps&) = delete;
    new_steps& operator=(const new_steps&) = delete;
    ~new_steps() { system_.watch().observe(watching_); }

    void step_flagged(system& s) override {
      if (are_new && watching_ != nullptr) watching_->step_flagged(s);
    }
    void poll(system& s) override {
      if (watching_ != nullptr) watching_->poll(s);
    }
    void execution_ended(system&) override {}
    void execution_blocked(system&) override {}

    bool are_new = true;

  private:
    system& system_;
    observer* watching_;
  };

  /// Gives the `count` oldest away, or all if there are fewer.
  void give(std::size_t count, std::vector<trust_item>& items, const trust_sharing& sharing) {
    if (count == 0) return;
    const auto first = static_cast<std::ptrdiff_t>(std::min(count, items.size()));
    for (auto i = items.begin(); i != items.begin() + first; ++i) sharing.give(std::move(*i));
    items.erase(items.begin(), items.begin() + first);
    const auto then = std::min(count - static_cast<std::size_t>(first), todo_.size());
    for (std::size_t i = 0; i < then; ++i) sharing.give(item_of(todo_[i]));
    if (then > 0) todo_.back().goes_on = false;  // item_of went elsewhere
    todo_.erase(todo_.begin(), todo_.begin() + static_cast<std::ptrdiff_t>(then));
  }

  trust_item item_of(const graph& g) {  // D8
    trust_item item;
    if (g.execution.empty()) return item;
    const std::span all(g.execution);
    go_to(all.first(all.size() - 1), false);
    item.execution = system_.current_schedule();
    const auto last = all.back();
    item.execution.push_back({system_.names().code_of(last), system_.slot_of(system_.names().message_of(last))});
    note_place(last, all.size() - 1);
    for (const auto& e : g.inserted) item.inserted.push_back({static_cast<std::uint32_t>(place(e.label)), e.is_write});
    item.receive_is_new = g.receive_is_new;
    return item;
  }

  /// Goes to the end of what `item` says has been run.
  graph graph_of(const trust_item& item) {
    graph g;
    std::size_t shared = 0;
    while (shared < item.execution.size() && shared < system_.depth() &&
           system_.step_at(base_ + shared).message == item.execution[shared].message &&
           system_.step_at(base_ + shared).code == item.execution[shared].code)
      ++shared;
    while (system_.depth() > shared) undo();
    for (auto i = shared; i < item.execution.size(); ++i) {
      const auto [code, m] = item.execution[i];
      if (m == no_message || m > system_.message_count() || !system_.pending(m) || !system_.deliverable(m))
        throw error(fmt::format("a work item is not one of this program: its delivery {} cannot be made", i + 1));
      deliver(m, code, item.receive_is_new && i + 1 == item.execution.size());
    }
    for (std::size_t i = 0; i < item.execution.size(); ++i) g.execution.push_back(system_.step_at(base_ + i).label);
    for (const auto& e : item.inserted) {
      if (e.step >= g.execution.size())
        throw error(fmt::format("a work item is not one of this program: it has {} deliveries, and tells of number {}",
                                g.execution.size(), e.step + 1));
      g.inserted.push_back({g.execution[e.step], e.is_write});
    }
    g.receive_is_new = item.receive_is_new;
    return g;
  }

  static void keep_names_of(const graph& g, name_keeper& keep) {
    for (const auto label : g.execution) keep(label);
  }

  void visit(graph g) {
    if (g.receive_is_new) vary_draws(g);
    if (const auto w = unfinished(g); w != absent) {  // finish macro-steps first
      g.receive_is_new = false;
      g.inserted.push_back({g.execution[w], true});
      const auto before = todo_.size();
      if (revisit_from(g, w)) {
        g.goes_on = true;
      } else {  // all of it is still to be done
        todo_.resize(before);
        g.inserted.pop_back();
      }
      todo_.push_back(std::move(g));
      return;
    }
    const auto first = system_.first_deliverable();
    if (first == no_message) return watcher_.execution_ended(system_);
    auto a = system_.message_at(first).receiver;  // the least actor that can take something
    for (auto m = first; m != no_message; m = system_.next_deliverable(m))
      if (name_of_actor(system_.message_at(m).receiver) < name_of_actor(a)) a = system_.message_at(m).receiver;
    auto taken = no_message;
    for (auto m = first; m != no_message; m = system_.next_deliverable(m)) {
      if (system_.message_at(m).receiver != a || !choice_.may_take(m, no_step, everything{})) continue;
      if (taken != no_message) todo_.push_back(with_receive(g, system_.message_at(taken).id));
      taken = m;
    }
    Parts::require(taken != no_message, "of what a receiver accepts it can read something");
    todo_.push_back(with_receive(std::move(g), system_.message_at(taken).id));
    todo_.back().goes_on = true;
  }

  /// Parts of the execution that a choice is asked about.
  struct everything {
    [[nodiscard]] bool taken(step_index) const { return true; }
    [[nodiscard]] bool sent(step_index) const { return true; }
  };
  /// What was inserted before event number `rank`, and w's past.
  struct seen_from {
    const trust& in;
    std::size_t rank, w;
    [[nodiscard]] bool taken(step_index e) const {
      const auto x = e - in.base_;
      return in.read_rank_[x] < rank || in.in_past_or_own(x, w);
    }
    [[nodiscard]] bool sent(step_index e) const { return in.has_write(e - in.base_, rank, w); }
  };
  /// What is kept when w revisits r, without r.
  struct kept_by_revisit {
    const trust& in;
    std::size_t r, w;
    [[nodiscard]] bool taken(step_index e) const {
      const auto x = e - in.base_;
      return x != r && is_kept(x, in.read_rank_[x]);
    }
    [[nodiscard]] bool sent(step_index e) const {
      const auto x = e - in.base_;
      return in.write_rank_[x] != absent && is_kept(x, in.write_rank_[x]);
    }
    [[nodiscard]] bool is_kept(std::size_t x, std::size_t rank) const {
      return rank <= in.read_rank_[r] || x == w || in.in_past(x, w);
    }
  };

  static graph with_receive(graph next, message_id m) {
    next.inserted.push_back({m, false});
    next.execution.push_back(m);
    next.receive_is_new = true;
    return next;
  }

  void vary_draws(const graph& g) {  // D3
    const auto code = system_.next_code();
    if (code == 0) return;
    auto sibling = g;
    const auto drawn = sibling.execution.back();
    const auto next = system_.names().alternative(system_.names().message_of(drawn), code);
    sibling.execution.back() = next;
    for (auto& e : sibling.inserted)
      if (e.label == drawn) e.label = next;
    todo_.push_back(std::move(sibling));
  }

  /// Where in the execution the macro-step stands, of those inserted first, whose W is missing.
  std::size_t unfinished(const graph& g) {
    index(g);
    for (; finished_ < g.inserted.size(); ++finished_) {
      const auto& e = g.inserted[finished_];
      if (const auto i = place(e.label); !e.is_write && write_rank_[i] == absent && sends(i)) return i;
    }
    return absent;
  }

  /// Revisits(G, w): w is the macro-step at place `w` of the execution, its W the last event of G.
  /// @return false if the search was stopped before it was done.
  bool revisit_from(const graph& g, std::size_t w) {
    index(g);
    gave_up_ = false;
    const auto last = step_of(w);
    for (auto s = system_.step_at(last).first_sent; s < system_.sent_end(last) && !gave_up_; ++s)
      depends_.for_each_conflict(order_, s, [&](step_index r) {
        if (!gives_up_after(1) && system_.was_deliverable(s, r) && all_maximal(g, r - base_, w) &&
            choice_.may_take(s, r, kept_by_revisit{*this, r - base_, w}))
          todo_.push_back(revisit(g, r - base_, w, s));
      });
    if (gave_up_) forget_index();
    return !gave_up_;
  }

  /// Whether the search is over, however much is left to be looked at: of an execution of
  /// 10^5 steps that may be very much.
  bool gives_up_after(std::size_t looks) {
    looked_at_ += looks;
    if (looked_at_ < looks_between_polls) [[likely]]
      return gave_up_;
    looked_at_ = 0;
    watcher_.poll(system_);
    return gave_up_ = gave_up_ || watcher_.stopping();
  }

  /// Whether event number `rank` of `g`, inserted after receive `r`, is deleted when w revisits r.
  bool deleted(const graph& g, std::size_t rank, std::size_t r, std::size_t w) {
    const auto x = place(g.inserted[rank].label);
    return rank > read_rank_[r] && x != w && !in_past(x, w);
  }

  bool all_maximal(const graph& g, std::size_t r, std::size_t w) {
    if (!is_maximal(g, read_rank_[r], w)) return false;
    for (auto rank = read_rank_[r] + 1; rank < g.inserted.size(); ++rank)
      if (deleted(g, rank, r, w) && (!is_maximal(g, rank, w) || gives_up_after(system_.message_count()))) return false;
    return true;
  }

  /// Maximal(x): seen from x, only what was inserted before it and w's past exist.
  bool is_maximal(const graph& g, std::size_t rank, std::size_t w) {
    const auto x = place(g.inserted[rank].label);
    return g.inserted[rank].is_write ? write_is_unread(x, rank, w) : reads_the_least(x, rank, w);
  }

  bool write_is_unread(std::size_t x, std::size_t rank, std::size_t w) {
    for (std::size_t reader = 0; reader < read_rank_.size(); ++reader) {
      const auto by = system_.message_at(system_.step_at(step_of(reader)).message).sent_by;
      if (by == step_of(x) && (read_rank_[reader] < rank || in_past_or_own(reader, w))) return false;
    }
    return true;
  }

  bool reads_the_least(std::size_t x, std::size_t rank, std::size_t w) {
    const auto& step = system_.step_at(step_of(x));
    if (step.code != 0) return false;  // D3
    const auto read = system_.names().name_of(system_.message_at(step.message).id);
    for (message_slot m = 1; m <= system_.message_count(); ++m) {
      const auto& other = system_.message_at(m);
      if (other.receiver != step.receiver || !(system_.names().name_of(other.id) < read)) continue;
      if (system_.is_explored(other.sent_by)) {
        const bool exists = has_write(other.sent_by - base_, rank, w);
        if (!exists) continue;
      }
      if (!consumed_before(m, step_of(x)) && system_.was_deliverable(m, step_of(x)) &&
          choice_.may_take(m, step_of(x), seen_from{*this, rank, w}))
        return false;
    }
    return true;
  }

  /// Whether the W of the macro-step at place `x` exists, seen from event number `rank`.
  [[nodiscard]] bool has_write(std::size_t x, std::size_t rank, std::size_t w) const {
    return write_rank_[x] != absent && (write_rank_[x] < rank || in_past(x, w));
  }

  [[nodiscard]] bool consumed_before(message_slot m, step_index x) const {
    if (system_.pending(m)) return false;
    for (auto i = system_.step_at(x).previous; i != no_step; i = system_.step_at(i).previous)
      if (system_.step_at(i).message == m) return true;
    return false;
  }

  graph revisit(const graph& g, std::size_t r, std::size_t w, message_slot s) {
    graph next;
    const auto read = system_.message_at(s).id;
    std::vector<bool> kept(g.execution.size(), false);
    for (std::size_t rank = 0; rank < g.inserted.size(); ++rank) {
      if (deleted(g, rank, r, w)) continue;
      const auto x = place(g.inserted[rank].label);
      next.inserted.push_back(rank == read_rank_[r] ? graph_event{read, false} : g.inserted[rank]);  // D4
      if (!g.inserted[rank].is_write) kept[x] = true;
    }
    for (std::size_t x = 0; x < g.execution.size(); ++x)
      if (kept[x] && x != r) next.execution.push_back(g.execution[x]);
    next.execution.push_back(read);
    next.receive_is_new = true;
    return next;
  }

  /// The macro-step at place x happens before the one at w.
  [[nodiscard]] bool in_past(std::size_t x, std::size_t w) const {
    return x != w && order_.before(step_of(x), step_of(w));
  }
  [[nodiscard]] bool in_past_or_own(std::size_t x, std::size_t w) const { return x == w || in_past(x, w); }

  /// Finds for each macro-step when its R and W were inserted.
  void index(const graph& g) {
    read_rank_.resize(g.execution.size(), absent);
    write_rank_.resize(g.execution.size(), absent);
    for (; indexed_ < g.inserted.size(); ++indexed_)
      (g.inserted[indexed_].is_write ? write_rank_ : read_rank_)[place(g.inserted[indexed_].label)] = indexed_;
  }
  void forget_index() {
    read_rank_.clear();
    write_rank_.clear();
    indexed_ = finished_ = 0;
  }

  /// @param is_new  the last step was not run before.
  /// @param shared  so many steps are known to be there.
  void go_to(std::span<const message_id> execution, bool is_new, std::size_t shared = 0) {
    while (shared < execution.size() && shared < system_.depth() &&
           system_.step_at(base_ + shared).label == execution[shared])
      ++shared;
    while (system_.depth() > shared) undo();
    for (auto i = shared; i < execution.size(); ++i) {
      const auto label = execution[i];
      const auto m = system_.slot_of(system_.names().message_of(label));
      Parts::require(system_.pending(m) && system_.deliverable(m), "a graph's execution can be run");
      deliver(m, system_.names().code_of(label), is_new && i + 1 == execution.size());
    }
  }
  void deliver(message_slot m, std::uint64_t code, bool is_new) {
    told_.are_new = is_new;
    Parts::deliver(system_, m, code);
    order_.push(depends_);
    note_place(system_.step_at(system_.last_step()).label, system_.depth() - 1);
  }
  void undo() {
    system_.undo();
    order_.pop();
  }

  /// The place in the current execution of the macro-step called `label`.
  [[nodiscard]] std::size_t place(message_id label) const { return places_[static_cast<std::size_t>(label)]; }
  void note_place(message_id label, std::size_t i) {
    const auto name = static_cast<std::size_t>(label);
    if (name >= places_.size()) places_.resize(name + 1);
    places_[name] = i;
  }
  [[nodiscard]] step_index step_of(std::size_t i) const { return base_ + static_cast<step_index>(i); }
  [[nodiscard]] bool sends(std::size_t i) const {
    return system_.step_at(step_of(i)).first_sent != system_.sent_end(step_of(i));
  }
  [[nodiscard]] fingerprint name_of_actor(actor_slot a) const {
    return system_.names().name_of(system_.actor_at(a).id);
  }

  system& system_;
  observer& watcher_;
  Choice choice_;
  happens_before order_;
  typename Parts::dependence depends_;
  new_steps told_;
  step_index base_;
  std::vector<graph> todo_;
  graph current_;
  std::vector<std::size_t> places_;  // by label
  std::vector<std::size_t> read_rank_, write_rank_;
  std::size_t indexed_ = 0;    // so many events of the last graph are in them
  std::size_t finished_ = 0;   // the macro-steps of so many events have their W, or send nothing
  std::size_t looked_at_ = 0;  // messages and steps, since the watcher was polled
  bool gave_up_ = false;
  names_in_use held_;  // last: it looks at the others
};

template <class Parts>
bool search_by_revisits(system& s, observer& watcher) {
  const past_aborts guard(s);
  std::vector<trust_item> todo(1);
  return trust<Parts>(s, watcher).run(todo, {});
}

template <class Parts>
bool search_items(system& s, observer& watcher, std::vector<trust_item>& todo, const trust_sharing& sharing,
                  schedule* where) {
  const past_aborts guard(s);
  trust<Parts> search(s, watcher);
  if (where != nullptr) search.return_to(*where);
  if (search.run(todo, sharing)) return true;
  if (where != nullptr) *where = s.current_schedule();
  search.leave(todo);
  return false;
}

}  // namespace harrier
