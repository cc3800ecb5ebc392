// What a delivery costs: exhaustive search beside the bare loop. See bench/README.md.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/engine/exhaustive.hpp>
#include <harrier/harrier.hpp>

#include "bare_kit.hpp"
#include "programs.hpp"

namespace harrier::bench {
namespace {

constexpr int rounds = 15;
constexpr std::size_t bare_deliveries = 200'000;  // of one round

/// Of this process: other programs do not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct native_kit {
  using self = harrier::self;
  template <class Actor>
  using ref = harrier::ref<Actor>;
};
struct bare_kit {
  using self = bare_self;
  template <class Actor>
  using ref = bare_ref<Actor>;
};

class nobody final : public observer {
public:
  void step_flagged(system&) override {}
  void poll(system&) override {}
  void execution_ended(system&) override {}
  void execution_blocked(system&) override {}
};

struct timing {
  double least_ns = std::numeric_limits<double>::infinity();  // a delivery
  std::uint64_t deliveries = 0;

  void add(double seconds, std::uint64_t made) {
    least_ns = std::min(least_ns, 1e9 * seconds / static_cast<double>(made));
    deliveries = made;
  }
};

void time_search(const program& tested, timing& so_far) {
  const auto system = tested.start();
  const auto before = system->deliveries();
  nobody watcher;
  const auto start = processor_seconds();
  explore_exhaustive(*system, watcher);
  so_far.add(processor_seconds() - start, system->deliveries() - before);
}

/// As a user runs it: polled, sampled for determinism, ends judged.
void time_explore(const program& tested, timing& so_far) {
  options how;
  how.engine = "exhaustive";
  const auto start = processor_seconds();
  const auto result = explore(tested, how);
  so_far.add(processor_seconds() - start, result.transitions);
}

/// Many executions in one queue, so that setting them up need not be timed. Neither is the first delivery of those that
/// begin with one: a search makes it once, and it creates the actors.
void time_bare(const std::function<void(bare_self&)>& start_one, std::size_t boots, timing& so_far) {
  static bare_self loop;
  constexpr std::size_t at_once = 64;  // stays in the cache, as a search does
  double seconds = 0;
  std::size_t made = 0;
  while (made < bare_deliveries) {
    loop.clear();
    for (std::size_t i = 0; i < at_once; ++i) start_one(loop);
    loop.run(boots * at_once);
    const auto start = processor_seconds();
    made += loop.run();
    seconds += processor_seconds() - start;
  }
  so_far.add(seconds, made);
}

/// A program to measure, for both kits.
struct measured {
  std::string name;
  program searched;
  std::function<void(bare_self&)> start_bare;
  /// How many first deliveries create actors and are not timed in the bare loop.
  std::size_t boots;
};

template <template <class> class Program>
measured measure(const std::string& name, std::int64_t n, std::size_t boots) {
  return {name, make_program([n](self& me) { Program<native_kit>::start(me, n); }),
          [n](bare_self& me) { Program<bare_kit>::start(me, n); }, boots};
}

std::vector<measured> all_programs() {
  return {measure<pi>("pi", 4, 1), measure<regsim>("regsim", 6, 1), measure<senders>("senders", 5, 0),
          measure<sink>("sink", 9, 0)};
}

void print_table() {
  fmt::print("{:<8} {:>10} {:>8} {:>16} {:>6} {:>10} {:>13}\n", "program", "deliveries", "bare ns", "deliver+undo ns",
             "ratio", "million/s", "explore() ns");
  for (const auto& each : all_programs()) {
    timing bare, search, explored;
    for (int i = 0; i < rounds; ++i) {
      time_bare(each.start_bare, each.boots, bare);
      time_search(each.searched, search);
      time_explore(each.searched, explored);
    }
    fmt::print("{:<8} {:>10} {:>8.2f} {:>16.1f} {:>6.1f} {:>10.1f} {:>13.1f}\n", each.name, search.deliveries,
               bare.least_ns, search.least_ns, search.least_ns / bare.least_ns, 1e3 / search.least_ns,
               explored.least_ns);
  }
}

/// For a profiler: nothing but the search of one program.
int search_only(std::string_view name) {
  for (const auto& each : all_programs()) {
    if (each.name != name) continue;
    timing search;
    time_search(each.searched, search);
    return 0;
  }
  fmt::print(stderr, "deliver [PROGRAM]: PROGRAM is pi, regsim, senders or sink\n");
  return 2;
}

}  // namespace
}  // namespace harrier::bench

int main(int argc, char** argv) {
  if (argc > 1) return harrier::bench::search_only(argv[1]);
  harrier::bench::print_table();
}
