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
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/engine/stateful.hpp>

#include "../item_pool.hpp"
#include "depth_first_states.hpp"
#include "states_in_common.hpp"

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
  explicit common_states(const stateful_options& how) : seen(how) { unfinished.put({}); }

  /// @pre nobody works
  void save(archive_writer& to) const {
    seen.save(to);
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
  }
  /// @pre nobody has worked yet
  void load(archive_reader& from) {
    seen.load(from);
    unfinished.clear();
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
  }

  states_in_common<Visited> seen;
  item_pool<unfinished_states> unfinished;
};

/// One of those who explore states together.
template <class Visited = shared_visited_set>
class state_worker : depth_first_states<state_search_of_worker<Visited>> {
  using base = depth_first_states<state_search_of_worker<Visited>>;

public:
  state_worker(search_context& s, common_states<Visited>& common, stateful_report& report)
      : base(s, common.seen, report), common_(common) {}
  using base::complete_report;
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
      common_.unfinished.put(std::move(given));
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
    common_.unfinished.put(std::move(given));
    while (base::is_busy()) base::pop();
    go_home();
  }

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

  common_states<Visited>& common_;
};

template <class Visited = shared_visited_set>
class shared_stateful final : public search_in_common<common_states<Visited>> {
  using base = search_in_common<common_states<Visited>>;
  using base::common_;
  using base::counts_;

public:
  explicit shared_stateful(const stateful_options& how) : base(how) {}

  void work(search_context& s) override {
    std::optional<past_aborts> guard;
    if (common_.seen.how.sleep_sets) guard.emplace(s.tested);
    join_search_of_states(s, common_.seen, counts_);
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
    counts_.add(counts, worker);
  }
};

}  // namespace harrier
