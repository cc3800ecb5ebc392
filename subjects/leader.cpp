// Election of a leader in a ring whose messages go one way.
//
// Source: D. Dolev, M. Klawe, M. Rodeh, "An O(n log n) Unidirectional Distributed Algorithm for Extrema Finding in a
// Circle", Journal of Algorithms 3, 1982; as in S. Lauterburg's dissertation, University of Illinois 2011, tables 3.1
// and 4.2.
//
// The algorithm wants channels that keep the order of messages. The actor model does not promise that, so there are
// more executions here than the algorithm was made for.
#include <vector>

#include "entries.hpp"

namespace {

struct process {
  std::int64_t id;
  std::int64_t max = id;
  std::int64_t left = -1;
  bool active = true;
  bool leader = false;
  harrier::ref<process> right;

  void init(harrier::ref<process> neighbour) { right = neighbour; }

  void first(harrier::self& self, std::int64_t number) {
    if (!active) {
      self.send<&process::first>(right, number);
    } else if (number != max) {
      self.send<&process::second>(right, number);
      left = number;
    } else {
      leader = true;
    }
  }

  void second(harrier::self& self, std::int64_t number) {
    if (!active) {
      self.send<&process::second>(right, number);
    } else if (left > number && left > max) {
      max = left;
      self.send<&process::first>(right, max);
    } else {
      active = false;
    }
  }
};

/// The set-up closes the ring; the election is what is explored.
struct election {
  std::int64_t n;
  std::vector<harrier::ref<process>> ring;

  harrier::task set_up(harrier::self& self) {
    for (std::int64_t i = 0; i < n; ++i) ring.push_back(self.create<process>(i));
    for (std::int64_t i = 0; i < n; ++i) co_await self.call<&process::init>(ring[i], right_of(i));
  }

  void test(harrier::self& self) {
    for (std::int64_t i = 0; i < n; ++i) self.send<&process::first>(right_of(i), i);
  }

  harrier::ref<process> right_of(std::int64_t i) const { return ring[(i + 1) % n]; }
};

}  // namespace

harrier::catalogue_entry harrier::subjects::leader() {
  return {"leader",
          "election of a leader in a one-way ring",
          {{.name = "n", .value = 3, .about = "how many processes", .least = 1, .greatest = 1000}},
          [](const arguments& given) { return make_program(election{.n = given.number("n"), .ring = {}}); }};
}
