#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <limits>
#include <string>

#include <harrier/harrier.hpp>

#include "bare_kit.hpp"

/// How the benchmarks of this folder measure: a search and the bare loop over
/// the same handlers by turns, in processor time, the fastest round counts.
namespace harrier::bench {

inline constexpr std::size_t bare_deliveries = 200'000;  // of one round

/// Of this process: other programs do not count.
inline double processor_seconds() {
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

/// Many executions in one queue, so that setting them up need not be timed. Neither is the first delivery of those that
/// begin with one: a search makes it once, and it creates the actors.
inline void time_bare(const std::function<void(bare_self&)>& start_one, std::size_t boots, timing& so_far) {
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

}  // namespace harrier::bench
