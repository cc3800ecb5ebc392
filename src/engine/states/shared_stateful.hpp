// Explicit-state search depth first, by several workers.
//
// Each goes through states by itself (depth_first_states.hpp); what they have in
// common is the set of states seen. S1 holds for them together: whoever enters a
// state, with Z' sleeping, takes upon himself what slept there and does not sleep
// in Z', in one step with storing Z ∩ Z'. So of each state each delivery that is
// not in the last Z stored is made by one worker, once.
//
// No state is lost, whoever is faster: let w lead from a state to another, and Z be
// what slept in some visit of the first. If nothing that could be moved to the
// beginning of w is in Z, the end of w is reached. For all that could be moved there
// was made in this visit or in earlier ones; in the last one in which any of it was,
// let c be the first of it in the order of the list. What could be moved to the
// beginning of the rest and sleeps after c slept in that visit, so it was not made
// by then, or stands before c in its list: both cannot be. So the same holds after
// c, of what is shorter than w. (That what was made in *earlier* visits does not
// sleep in later ones is used here, too.)
//
// D5  Work is given away as what is still to be done in a state near the root: how
//     to come there, what sleeps there or is done, and what is to be done, in the
//     order of the list.
// D6  Contents and states are hashed with the names of actors, which are numbers:
//     the systems have them in common (actor_numbers).
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/core/error.hpp>
#include <harrier/engine/stateful.hpp>

#include "../item_pool.hpp"
#include "depth_first_states.hpp"
#include "recent_states.hpp"
#include "shared_visited_set.hpp"

namespace harrier {

/// What is still to be done in states that follow one another, in the last one of them first.
struct unfinished_states {
  /// See depth_first_states.
  struct state {
    std::uint32_t forced = 0;
    std::uint64_t steps = 0;
    std::uint64_t code = 0;
    std::vector<candidate> asleep;  ///< or done
    std::vector<candidate> todo;    ///< the first is being done, but for the last state
  };
  /// How to come to the last one; valid in each system of the program, as its slots are in the order of sending.
  schedule way;
  std::vector<state> states;  ///< none: nobody has entered where everything begins
};

/// What the workers have in common. `Visited` is shared_visited_set, or a wrong one.
template <class Visited = shared_visited_set>
struct common_states {
  explicit common_states(const stateful_options& options) : how(options) { unfinished.put({}); }

  /// @pre nobody works
  void save(archive_writer& to) const {
    to.list(actors->all(), [&](fingerprint name) { to.hash(name); });
    const auto write = [&](const candidate& c) {
      to.bytes(&c.content, sizeof c.content);
      to.number(static_cast<std::uint32_t>(c.receiver));
      to.number(c.message);
    };
    to.number(unfinished.size());
    unfinished.for_each([&](const unfinished_states& left) {
      to.deliveries(left.way);
      to.list(left.states, [&](const unfinished_states::state& s) {
        for (const auto n : {std::uint64_t{s.forced}, s.steps, s.code}) to.number(n);
        to.list(s.asleep, write);
        to.list(s.todo, write);
      });
    });
    to.number(new_states);
    visited.save(to);
  }
  /// @pre nobody has worked yet
  void load(archive_reader& from) {
    unfinished.clear();
    std::uint32_t number = 0;
    from.list([&] {
      if (!actors->claim(from.hash(), number++)) throw error("what was written down names an actor twice");
    });
    const auto read = [&] {
      candidate c{};
      from.bytes(&c.content, sizeof c.content);
      c.receiver = actor_id{static_cast<std::uint32_t>(from.number())};
      c.message = static_cast<message_slot>(from.number());
      return c;
    };
    from.list([&] {
      unfinished_states left;
      left.way = from.deliveries();
      from.list([&] {
        auto& s = left.states.emplace_back();
        s.forced = static_cast<std::uint32_t>(from.number());
        s.steps = from.number();
        s.code = from.number();
        from.list([&] { s.asleep.push_back(read()); });
        from.list([&] { s.todo.push_back(read()); });
      });
      unfinished.put(std::move(left));
    });
    new_states = from.number();
    visited.load(from);
  }

  stateful_options how;
  Visited visited;
  item_pool<unfinished_states> unfinished;
  std::shared_ptr<actor_numbers> actors = std::make_shared<actor_numbers>();
  std::atomic<std::uint64_t> new_states = 0;  ///< counted only where their number is limited
};

/// What is known of states, to one worker of several: in the place of state_search.
template <class Visited>
class state_search_of_worker : protected state_follower {
public:
  state_search_of_worker(search_context& s, common_states<Visited>& common, stateful_report& report)
      : state_follower(s, common.how, report),
        common_(common),
        expects_(common.how.comparison != state_comparison::none &&
                 s.tested.order_of_pending() != execution::pending_order::causal) {}

protected:
  void deliver(message_slot m, std::uint64_t code) {
    state_follower::deliver(m, code);
    if (expects_ && !recent_.has(fingerprint_.value())) common_.visited.expect(fingerprint_.value());
  }
  void arrive_at_end() {
    const bool is_new = how_.comparison == state_comparison::as_measured || enter(0).is_new;
    note_state(is_new);
    report_.final_states += is_new ? 1 : 0;
    watcher_.execution_ended(system_);
  }
  template <class Asleep>
  state_store::entry arrive_with(bool, Asleep asleep) {
    const auto found = enter(asleep());
    note_state(found.is_new);
    slept_ = found.slept;
    return {found.is_new, &slept_};  // a copy: what is stored is changed already
  }
  [[nodiscard]] bool stopping() const {
    return watcher_.stopping() ||
           (how_.max_states != 0 && common_.new_states.load(std::memory_order_relaxed) >= how_.max_states);
  }

  common_states<Visited>& common_;

private:
  shared_visited_set::visit enter(std::uint32_t asleep) {
    if (how_.comparison == state_comparison::none) return {true, 0};
    const auto state = fingerprint_.value();
    if (recent_.has(state)) return {false, 0};
    const auto found = common_.visited.enter(state, asleep);
    if ((found.is_new ? asleep : found.slept & asleep) == 0) recent_.add(state);
    if (found.is_new && how_.max_states != 0) common_.new_states.fetch_add(1, std::memory_order_relaxed);
    return found;
  }

  recent_states recent_;  // nothing sleeps in them, which stays so
  std::uint32_t slept_ = 0;
  bool expects_;  // what stands for a state costs nothing to know
};

/// One of those who explore states together.
template <class Visited = shared_visited_set>
class state_worker : depth_first_states<state_search_of_worker<Visited>> {
  using base = depth_first_states<state_search_of_worker<Visited>>;

public:
  using base::base;
  using base::stopping;

  /// Takes up what another left. @pre has_nothing()
  void take(const unfinished_states& next) {
    go_to(next.way);
    if (next.states.empty()) return base::begin();
    for (const auto& s : next.states) {
      auto& p = base::push(static_cast<std::size_t>(s.steps), s.forced);
      for (const auto& c : s.asleep) base::listed_.push() = c;
      p.next = static_cast<std::uint32_t>(base::listed_.size());
      for (const auto& c : s.todo) base::listed_.push() = c;
      p.end = static_cast<std::uint32_t>(base::listed_.size());
      p.code = s.code;
    }
  }
  [[nodiscard]] bool has_nothing() const { return !base::is_busy(); }
  void advance() {
    base::advance();
    if (has_nothing()) go_home();
  }

  /// Gives away what is not begun yet in the state nearest to the root in which
  /// there is such. @return whether there is any.
  bool give() {
    auto& points = base::points_;
    for (std::size_t i = 0; i < points.size(); ++i) {
      auto& p = points[i];
      const auto begun = p.next + 1;  // of the last point it is not, but the worker keeps something
      if (begun >= p.end) continue;
      unfinished_states given;
      given.way = base::system_.current_schedule();
      given.way.resize(depth_of(i));
      given.states.push_back(what_is_left(p, begun, 0));
      base::common_.unfinished.put(std::move(given));
      p.end = begun;
      return true;
    }
    return false;
  }

  /// Gives away all there is, and goes back to the beginning.
  void give_all() {
    if (has_nothing()) return;
    unfinished_states given;
    given.way = base::system_.current_schedule();
    for (std::size_t i = 0; i < base::points_.size(); ++i) {
      const auto& p = base::points_[i];
      given.states.push_back(what_is_left(p, p.next, p.code));
    }
    base::common_.unfinished.put(std::move(given));
    while (base::is_busy()) base::pop();
    go_home();
  }

  void complete_report(growth& all) const { all.join(base::growth_); }

private:
  /// Deliveries before point `i`: the last one is where the system is.
  [[nodiscard]] std::size_t depth_of(std::size_t i) const {
    return base::system_.depth() - (base::points_.size() - 1 - i);
  }
  /// In a state of the path, from `first` on, which draws `code`.
  [[nodiscard]] unfinished_states::state what_is_left(const typename base::point& p, std::uint32_t first,
                                                      std::uint64_t code) const {
    unfinished_states::state s{.forced = p.forced, .steps = p.steps, .code = code, .asleep = {}, .todo = {}};
    for (auto i = p.first; i < p.end; ++i) (i < first ? s.asleep : s.todo).push_back(base::listed_[i]);
    return s;
  }
  /// Deliveries that somebody made before, and told of.
  void go_to(const schedule& way) {
    auto& s = base::system_;
    auto* const watching = s.watch().observe(nullptr);
    for (const auto& next : way) base::deliver(next.message, next.code);
    s.watch().observe(watching);
    s.watch().made_before(way.size());
  }
  void go_home() {
    while (base::system_.depth() > 0) base::go_back();
  }
};

template <class Visited = shared_visited_set>
class shared_stateful final : public shared_states {
public:
  explicit shared_stateful(const stateful_options& how) : common_(how) {}

  void work(search_context& s) override {
    if (const auto why_not = objection(common_.how, s.tested.model()); !why_not.empty()) throw error(why_not);
    if (!s.tested.names().number_actors_by(common_.actors))
      throw error("the actors of this system have other numbers than those of the others that explore it");
    std::optional<past_aborts> guard;
    if (common_.how.sleep_sets) guard.emplace(s.tested);
    check_beginning(s.tested);
    const workforce::shift present(common_.unfinished.workers);
    stateful_report counts;
    state_worker<Visited> worker(s, common_, counts);
    for (unfinished_states next; !worker.stopping() && common_.unfinished.take(next, s);) {
      worker.take(next);
      while (!worker.has_nothing()) {
        if (worker.stopping()) [[unlikely]]
          worker.give_all();
        else
          worker.advance();
        if (common_.unfinished.workers.is_anyone_waiting()) [[unlikely]]
          worker.give();
      }
    }
    const std::lock_guard lock(guard_);
    counts_.states += counts.states;
    counts_.final_states += counts.final_states;
    counts_.revisits += counts.revisits;
    counts_.depth = std::max(counts_.depth, counts.depth);
    worker.complete_report(growth_);
  }

  [[nodiscard]] bool is_explored() const override { return common_.unfinished.size() == 0; }

  [[nodiscard]] stateful_report report() const override {
    const std::lock_guard lock(guard_);
    auto all = counts_;
    if (common_.how.comparison != state_comparison::none) {
      all.bytes = common_.visited.bytes();
      all.expected_misses = visited_set::expected_misses(common_.visited.size());
    }
    growth_.report(all);
    return all;
  }

  void save(archive_writer& to) const override {
    to.hash(beginning_);
    for (const auto n : {counts_.states, counts_.final_states, counts_.revisits, counts_.depth}) to.number(n);
    common_.save(to);
  }

  void load(archive_reader& from) override {
    beginning_ = from.hash();
    for (auto* n : {&counts_.states, &counts_.final_states, &counts_.revisits, &counts_.depth}) *n = from.number();
    common_.load(from);
  }

private:
  /// The states that were written down are those of this program, made by this binary.
  void check_beginning(const system& s) {
    const auto here = state_fingerprint(s, order_kept(s, common_.how), common_.how.gone_actors).value();
    const std::lock_guard lock(guard_);
    if (beginning_ == fingerprint{}) beginning_ = here;
    if (beginning_ != here) throw error("the search is one of another program, or was written down by another binary");
  }

  common_states<Visited> common_;
  mutable std::mutex guard_;  // for what follows
  fingerprint beginning_;
  stateful_report counts_;
  growth growth_;
};

}  // namespace harrier
