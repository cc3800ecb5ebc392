// Where remembering steps pays: handlers of different cost, without memory, with it, and as auto has it. See
// bench/README.md.
#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "timing.hpp"

namespace harrier::bench {
namespace {

/// Takes about `rounds` nanoseconds, and depends on nothing but its argument.
std::uint64_t work(std::uint64_t seed, std::uint64_t rounds) {
  for (std::uint64_t i = 0; i < rounds; ++i) seed = seed * 6364136223846793005U + 1442695040888963407U;
  return seed;
}

/// Few states: the order of additions does not show.
struct sum {
  std::uint64_t rounds;
  std::uint64_t value = 0;
  void add(std::uint64_t x) { value += work(x, rounds); }
};
/// A state for each order: no step comes twice.
struct list {
  std::uint64_t rounds;
  std::vector<std::uint64_t> values;
  void add(std::uint64_t x) { values.push_back(work(x, rounds)); }
};

constexpr std::uint64_t messages = 8;

template <class Actor>
program adding(std::uint64_t rounds) {
  return make_program([rounds](self& me) {
    const auto to = me.create<Actor>(rounds);
    for (std::uint64_t i = 1; i <= messages; ++i) me.send<&Actor::add>(to, i);
  });
}

struct search_timing {
  memoising how;
  double least_seconds = std::numeric_limits<double>::infinity();
  exploration result;
};

void print_row(std::string_view name, const program& tested, std::uint64_t rounds, int repetitions) {
  std::vector<search_timing> all{{.how = memoising::off, .result = {}},
                                 {.how = memoising::automatic, .result = {}},
                                 {.how = memoising::on, .result = {}}};
  for (int i = 0; i < repetitions; ++i)
    for (auto& t : all) {
      options how;
      how.search.engine = "exhaustive";
      how.search.memoise = t.how;
      const auto start = processor_seconds();
      t.result = explore(tested, how);
      t.least_seconds = std::min(t.least_seconds, processor_seconds() - start);
    }
  const auto recalled = [](const exploration& of) {
    for (const auto& s : of.statistics)
      if (s.name == "steps recalled") return s.value / static_cast<double>(of.transitions);
    return 0.0;
  };
  fmt::print("{:<6} {:>9} {:>10} {:>10.4f} {:>10.4f} {:>7.3f} {:>10.4f} {:>7.3f} {:>9.1f} %\n", name, rounds,
             all[0].result.transitions, all[0].least_seconds, all[1].least_seconds,
             all[1].least_seconds / all[0].least_seconds, all[2].least_seconds,
             all[2].least_seconds / all[0].least_seconds, 100 * recalled(all[2].result));
}

}  // namespace
}  // namespace harrier::bench

int main() {
  using namespace harrier::bench;
  fmt::print("{:<6} {:>9} {:>10} {:>10} {:>10} {:>7} {:>10} {:>7} {:>11}\n", "state", "rounds", "deliveries", "off s",
             "auto s", "ratio", "on s", "ratio", "recalled");
  for (const std::uint64_t rounds : {0, 1000, 10'000, 30'000}) {
    const int repetitions = rounds < 10'000 ? 15 : 2;
    print_row("sum", adding<sum>(rounds), rounds, repetitions);
    print_row("list", adding<list>(rounds), rounds, repetitions);
  }
}
