#pragma once

#include <algorithm>
#include <list>
#include <mutex>
#include <optional>
#include <random>
#include <sstream>
#include <string_view>

#include <harrier/core/program.hpp>

#include <src/engine/dpor/shared_depth_first.hpp>

#include "stops.hpp"

namespace harrier::differential {

/// Explores by up to `most` workers (branch_worker, or a wrong one), which take turns of one step to some hundred. Now
/// and then one is asked to give a branch away, leaves its own to the others, or all do, what is left is written down,
/// and others go on with what is read. Who does what when is drawn by a seed that the program decides.
template <class Worker, class... How>
void search_branches_in_turns(const program& tested, system& first, observer& watcher, std::string_view ordering,
                              std::size_t most, counted& all_counted, How... how) {
  std::minstd_rand drawn(static_cast<std::minstd_rand::result_type>(first.configuration().low + 3));
  const auto one_in = [&drawn](unsigned n) { return std::uniform_int_distribution<unsigned>(1, n)(drawn) == n; };

  std::optional<shared_branches> all(std::in_place);
  std::list<search_context> contexts;
  std::list<system_handle> systems;
  std::list<Worker> workers;
  const auto hire = [&] {
    auto& fresh = *systems.emplace_back(tested.start(first.model()));
    fresh.limit_depth(deepest);
    fresh.watch().observe(&watcher);
    workers.emplace_back(contexts.emplace_back(search_context{fresh, watcher}), ordering, *all, how...);
  };
  const auto longest = 1 + drawn() % 9;  // as a power of two: short turns show other things than long ones
  while (!all->all.empty() && !watcher.stopping()) {
    if (workers.empty() || (workers.size() < most && one_in(3))) hire();
    auto& next = *std::next(workers.begin(),
                            std::uniform_int_distribution<long>(0, static_cast<long>(workers.size()) - 1)(drawn));
    if (!next.has_branch()) {
      std::unique_lock lock(all->workers.guard);
      if (all->waiting.empty()) continue;
      if (one_in(2)) std::swap(all->waiting.front(), all->waiting.back());
      next.take(lock);
      if (one_in(2)) continue;  // it is at the root of its branch while others go on
    }
    const auto steps = std::uniform_int_distribution<unsigned>(1, 1U << drawn() % longest)(drawn);
    for (unsigned i = 0; i < steps && next.has_branch() && !watcher.stopping(); ++i) {
      while (next.is_followed()) next.follow();
      if (one_in(4)) {
        ++all_counted.stops;
        next.give();
      }
      next.advance();
    }
    if (next.has_branch() && one_in(20)) next.hand_back();
    if (!one_in(30)) continue;
    for (auto& w : workers) {
      if (w.has_branch()) w.hand_back();
      w.go_home();
    }
    workers.clear();
    std::stringstream file;
    archive_writer to(file);
    all->save(to);
    all.emplace();
    archive_reader from(file);
    all->load(from);
  }
  for (const auto& s : systems) all_counted.deliveries += s->watch().deliveries();
}

}  // namespace harrier::differential
