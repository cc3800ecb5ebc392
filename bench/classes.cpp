// Execution classes a second: the optimal search beside the bare loop. See bench/README.md.
#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "programs.hpp"
#include "timing.hpp"

namespace harrier::bench {
namespace {

struct search_timing {
  double least_seconds = std::numeric_limits<double>::infinity();
  exploration result;
};

void time_optimal(const program& tested, search_timing& so_far) {
  options how;
  how.search.engine = "optimal";
  const auto start = processor_seconds();
  so_far.result = explore(tested, how);
  so_far.least_seconds = std::min(so_far.least_seconds, processor_seconds() - start);
}

struct row {
  measured what;
  int rounds;
};

std::vector<row> all_rows() {
  return {{measure<senders>("senders n=8", 8, 0), 15},
          {measure<senders>("senders n=9", 9, 0), 5},
          {measure<pi>("pi workers=7", 7, 1), 15},
          {measure<two_phase_commit>("two-phase-commit participants=6", 6, 1), 9},
          {measure<two_phase_commit>("two-phase-commit participants=7", 7, 1), 3}};
}

void print_table(std::string_view only) {
  fmt::print("{:<32} {:>8} {:>10} {:>9} {:>9} {:>13} {:>12} {:>8} {:>6} {:>8}\n", "program", "classes", "deliveries",
             "blocked", "seconds", "classes/s", "deliveries/s", "bare ns", "ratio", "peak MiB");
  for (const auto& [what, rounds] : all_rows()) {
    if (!only.empty() && what.name != only) continue;
    timing bare;
    search_timing search;
    for (int i = 0; i < rounds; ++i) {
      time_bare(what.start_bare, what.boots, bare);
      time_optimal(what.searched, search);
    }
    const auto& r = search.result;
    const auto per_second = [&](std::uint64_t n) { return static_cast<double>(n) / search.least_seconds; };
    fmt::print("{:<32} {:>8} {:>10} {:>9} {:>9.4f} {:>13.0f} {:>12.0f} {:>8.2f} {:>6.1f} {:>8.1f}\n", what.name,
               r.executions, r.transitions, r.blocked, search.least_seconds, per_second(r.executions),
               per_second(r.transitions), bare.least_ns, 1e9 / per_second(r.transitions) / bare.least_ns,
               r.peak_rss_mib);
  }
}

}  // namespace
}  // namespace harrier::bench

int main(int argc, char** argv) { harrier::bench::print_table(argc > 1 ? argv[1] : ""); }
