#pragma once

#include <list>
#include <memory>
#include <random>
#include <string_view>

#include <harrier/core/program.hpp>
#include <harrier/ordering/ordering.hpp>

#include <src/engine/optimal.hpp>

#include "observed.hpp"

namespace harrier::differential {

/// One of those who explore a tree together: a system of its own, and a cursor.
template <class Parts>
class hand {
public:
  using cursor = optimal_cursor<Parts, names_for_all>;

  hand(system& s, observer& watcher, std::string_view ordering, portable_dependence& shared,
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

  portable_dependence shared;
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

}  // namespace harrier::differential
