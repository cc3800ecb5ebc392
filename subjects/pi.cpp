// A master has workers integrate 4 / (1 + x^2), one interval each, and adds up what they send.
//
// Source: S. Lauterburg, "Systematic Testing for Actor Programs", dissertation, University of Illinois 2011,
// figures 4.1, 4.2.
//
// Each order of the n sums at the master is a trace of its own, and nothing else matters: n! of them. After the last
// sum the master stops the workers and itself.
#include <vector>

#include "entries.hpp"

namespace {

constexpr std::int64_t billion = 1'000'000'000;

struct master;

struct worker {
  std::int64_t number;
  std::int64_t workers;

  void intervals(harrier::self& self, harrier::ref<master> to);
  void stop(harrier::self& self) { self.destroy(); }
};

struct master {
  std::vector<harrier::ref<worker>> workers;
  std::size_t sums = 0;
  std::int64_t billionths = 0;  // integers, so that the order of additions does not show

  void boot(harrier::self& self) {
    for (const auto w : workers) self.send<&worker::intervals>(w, self.me<master>());
  }

  void sum(harrier::self& self, std::int64_t partial) {
    billionths += partial;
    if (++sums < workers.size()) return;
    self.check(3 * billion < billionths && billionths < 4 * billion, "the sum is near pi");
    for (const auto w : workers) self.send<&worker::stop>(w);
    self.destroy();
  }
};

void worker::intervals(harrier::self& self, harrier::ref<master> to) {
  const auto middle = 2 * number + 1;  // of the interval, in units of 1 / (2 * workers)
  self.send<&master::sum>(to, 16 * billion * workers / (4 * workers * workers + middle * middle));
}

void compute_pi(harrier::self& self, std::int64_t n) {
  std::vector<harrier::ref<worker>> workers;
  for (std::int64_t i = 0; i < n; ++i) workers.push_back(self.create<worker>(i, n));
  const auto root = self.create<master>(workers);
  self.send<&master::boot>(root);
}

}  // namespace

harrier::catalogue_entry harrier::subjects::pi() {
  return {"pi",
          "a master adds up what its workers integrate",
          {{.name = "workers", .value = 5, .about = "how many workers", .least = 1, .greatest = 1000}},
          [](const arguments& given) {
            return make_program([n = given.number("workers")](self& self) { compute_pi(self, n); });
          }};
}
