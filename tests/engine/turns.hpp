#pragma once

#include <list>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string_view>

#include <harrier/core/program.hpp>
#include <harrier/ordering/ordering.hpp>

#include <src/engine/dpor/optimal.hpp>
#include <src/engine/dpor/shared_optimal.hpp>

#include "observed.hpp"

namespace harrier::differential {

/// One of those who explore a tree together: a system of its own, and a cursor.
template <class Parts>
class hand {
public:
  using cursor = optimal_cursor<Parts, names_for_all>;

  hand(system& s, observer& watcher, std::string_view ordering, typename cursor::relation& shared,
       typename cursor::tree& explored)
      : past_aborts_(s),
        ordering_(make_ordering(ordering, s)),
        depends_(s),
        cursor_(s, watcher, *ordering_, depends_, shared, explored) {}

  bool advance() { return cursor_.advance(); }
  void retire() { cursor_.retire(); }

private:
  past_aborts past_aborts_;
  std::unique_ptr<ordering> ordering_;
  typename Parts::dependence depends_;
  cursor cursor_;
};

/// Explores one tree by up to five cursors, each in a system of its own, which
/// take turns of one step to some hundred. Now and then one goes home in the
/// middle of an execution, and a new one comes. Who does what when is drawn, by a seed that
/// the program decides.
template <class Parts>
bool search_in_turns(const program& tested, system& first, observer& watcher, std::string_view ordering) {
  std::minstd_rand drawn(static_cast<std::minstd_rand::result_type>(first.configuration().low));
  const auto one_in = [&drawn](unsigned n) { return std::uniform_int_distribution<unsigned>(1, n)(drawn) == n; };

  typename hand<Parts>::cursor::relation shared;
  typename hand<Parts>::cursor::tree explored(shared);
  std::list<system_handle> systems;
  std::list<hand<Parts>> hands;
  const auto hire = [&](system& s) { hands.emplace_back(s, watcher, ordering, shared, explored); };
  hire(first);
  while (!explored.is_explored()) {
    if (watcher.stopping()) return false;
    if (hands.size() < 5 && one_in(4)) {
      auto& fresh = *systems.emplace_back(tested.start(first.model()));
      fresh.limit_depth(deepest);
      fresh.watch().observe(&watcher);
      hire(fresh);
    }
    const auto next =
        std::next(hands.begin(), std::uniform_int_distribution<long>(0, static_cast<long>(hands.size()) - 1)(drawn));
    const auto steps = std::uniform_int_distribution<unsigned>(1, 1U << drawn() % 9)(drawn);
    for (unsigned i = 0; i < steps && next->advance(); ++i) continue;
    if (hands.size() > 1 && one_in(30)) {
      next->retire();
      hands.erase(next);
    }
  }
  return true;
}

/// Explores one tree by up to four workers (optimal_worker), which take turns in
/// the same way. Now and then one is asked to give something away, or goes home;
/// or all do, the common tree is written down, and others go on with what is read.
template <class Parts, template <class, template <class> class> class Tree = worker_tree>
bool search_by_workers(const program& tested, system& first, observer& watcher, std::string_view ordering) {
  using worker = optimal_worker<Parts, Tree>;
  std::minstd_rand drawn(static_cast<std::minstd_rand::result_type>(first.configuration().low + 1));
  const auto one_in = [&drawn](unsigned n) { return std::uniform_int_distribution<unsigned>(1, n)(drawn) == n; };

  std::optional<typename worker::common> explored(std::in_place);
  std::list<search_context> contexts;
  std::list<system_handle> systems;
  std::list<worker> workers;
  const auto hire = [&] {
    auto& fresh = *systems.emplace_back(tested.start(first.model()));
    fresh.limit_depth(deepest);
    fresh.watch().observe(&watcher);
    workers.emplace_back(contexts.emplace_back(search_context{fresh, watcher}), optimal_options{.ordering = ordering},
                         *explored);
  };
  hire();
  const auto longest = 1 + drawn() % 9;  // as a power of two: short turns show other things than long ones
  // A worker in the root, which is its own, is in no branch that the others know of.
  const auto can_go_on = [&] {
    bool any = false;
    for (auto& w : workers)
      for (unsigned i = 0; i < 3 && !any; ++i) any = w->advance();
    return any;
  };
  for (;;) {
    if (watcher.stopping()) return false;
    if (workers.size() < 4 && one_in(4)) hire();
    const auto next = std::next(workers.begin(),
                                std::uniform_int_distribution<long>(0, static_cast<long>(workers.size()) - 1)(drawn));
    const auto steps = std::uniform_int_distribution<unsigned>(1, 1U << drawn() % longest)(drawn);
    bool goes_on = true;
    for (unsigned i = 0; i < steps && goes_on; ++i) goes_on = (*next)->advance();
    if (!goes_on && !can_go_on()) return explored->is_explored();
    if (one_in(2)) (*next)->give();
    if (one_in(20)) (*next)->give_all();
    if (one_in(30)) {
      for (auto& w : workers) w->give_all();
      workers.clear();
      std::stringstream file;
      archive_writer to(file);
      explored->save(to);
      explored.emplace();
      archive_reader from(file);
      explored->load(from);
      hire();
    }
  }
}

}  // namespace harrier::differential
