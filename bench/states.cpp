// Engine stateful beside optimal: states a second, bytes a state. See bench/README.md.
#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "tables/programs.hpp"
#include "timing.hpp"

namespace harrier::bench {
namespace {

struct search_timing {
  double least_seconds = std::numeric_limits<double>::infinity();
  exploration result;

  void run(const program& tested, const options& how) {
    const auto start = processor_seconds();
    result = explore(tested, how);
    least_seconds = std::min(least_seconds, processor_seconds() - start);
  }
};

struct row {
  std::string_view name;
  delivery model;
  int rounds;
};

constexpr row rows[] = {{"message-philosophers n=6", delivery::fifo, 9},
                        {"message-philosophers n=6", delivery::unordered, 9},
                        {"two-phase-commit participants=7", delivery::unordered, 9},
                        {"two-phase-commit participants=9", delivery::unordered, 3},
                        {"senders n=8", delivery::unordered, 9},
                        {"leader n=4", delivery::unordered, 9}};
constexpr std::uint64_t most_executions = 2'000'000;

void print_row(const row& which) {
  const auto tested = tables::program_named(std::string(which.name));
  options by_states;
  by_states.search.engine = "stateful";
  by_states.search.delivery = which.model;
  options by_classes;
  by_classes.search.delivery = which.model;
  by_classes.limits.max_executions = most_executions;
  search_timing states;
  search_timing classes;
  for (int i = 0; i < which.rounds; ++i) {
    states.run(tested, by_states);
    if (i < 3) classes.run(tested, by_classes);
  }
  const auto& s = states.result;
  const auto& c = classes.result;
  fmt::print("{:<32} {:<9} {:>8} {:>10} {:>7.4f} {:>10.0f} {:>6.1f} {:>9} {:>10} {:>8.4f} {}\n", which.name,
             to_string(which.model), s.states->states, s.transitions, states.least_seconds,
             static_cast<double>(s.states->states) / states.least_seconds, s.states->bytes_per_state, c.executions,
             c.transitions, classes.least_seconds, c.exhausted ? "" : "(not all)");
}

void print_table(std::string_view only) {
  fmt::print("{:<32} {:<9} {:>8} {:>10} {:>7} {:>10} {:>6} {:>9} {:>10} {:>8}\n", "program", "delivery", "states",
             "deliveries", "seconds", "states/s", "B", "classes", "deliveries", "seconds");
  for (const auto& r : rows)
    if (only.empty() || r.name == only) print_row(r);
}

}  // namespace
}  // namespace harrier::bench

int main(int argc, char** argv) { harrier::bench::print_table(argc > 1 ? argv[1] : ""); }
