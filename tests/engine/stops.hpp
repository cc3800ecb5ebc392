#pragma once

#include "threads.hpp"

namespace harrier::differential {

/// What is counted beside what an observer sees.
struct counted {
  std::uint64_t deliveries = 0;
  std::uint64_t stops = 0;  ///< in the middle of the search
};

/// Explores by one worker that is stopped, now and then, wherever it is; what it
/// left is written down, and another one, in a system of its own, goes on with
/// what is read. When is drawn by a seed that the program decides.
inline void search_with_stops(const std::function<std::unique_ptr<shared_search>()>& make, const program& tested,
                              system& first, observer& watcher, counted& all_counted) {
  std::minstd_rand drawn(static_cast<std::minstd_rand::result_type>(first.configuration().low + 2));
  const auto below = [&drawn](long n) { return std::uniform_int_distribution<long>(0, n - 1)(drawn); };
  auto search = make();
  for (;;) {
    one_of_several::all_of_them all{watcher};
    // Deliveries that lead back to where the one before was count here too, so few often lead nowhere.
    all.deliveries_left = 1 + below(long{1} << below(10));
    one_of_several mine(all);
    const auto fresh = tested.start(first.model());
    fresh->limit_depth(deepest);
    fresh->watch().observe(&mine);
    fresh->watch().attach(&mine);
    search_context context{*fresh, mine};
    context.goes_on_later = true;
    search->work(context);
    all_counted.deliveries += fresh->watch().deliveries();
    if (fresh->depth() != 0) throw derailed{"a worker that returned is not where it began"};
    if (watcher.stopping() || search->is_explored() || !mine.stopping()) return;
    ++all_counted.stops;
    std::stringstream file;
    archive_writer to(file);
    search->save(to);
    search = make();
    archive_reader from(file);
    search->load(from);
  }
}

}  // namespace harrier::differential
