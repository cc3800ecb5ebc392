// What a delivery costs: exhaustive search beside the bare loop. See bench/README.md.
#include <fmt/format.h>

#include <string_view>
#include <vector>

#include <harrier/engine/exhaustive.hpp>
#include <harrier/harrier.hpp>

#include "programs.hpp"
#include "timing.hpp"

namespace harrier::bench {
namespace {

constexpr int rounds = 15;

void time_search(const program& tested, timing& so_far) {
  const auto system = tested.start();
  const auto before = system->watch().deliveries();
  nobody watcher;
  search_context searched{*system, watcher};
  const auto start = processor_seconds();
  explore_alone(searched, share_exhaustive(made_by::one));
  so_far.add(processor_seconds() - start, system->watch().deliveries() - before);
}

/// As a user runs it: polled, sampled for determinism, ends judged.
void time_explore(const program& tested, timing& so_far) {
  options how;
  how.search.engine = "exhaustive";
  const auto start = processor_seconds();
  const auto result = explore(tested, how);
  so_far.add(processor_seconds() - start, result.transitions);
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
