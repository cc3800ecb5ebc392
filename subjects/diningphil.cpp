// Dining philosophers who take their forks by calls, the left one first: all may wait for the right one for ever.
//
// Source: S. Tasharofi et al., "TransDPOR", FMOODS/FORTE 2012, table 2: 2^n - 1 traces, of which one is the deadlock.
#include <vector>

#include "entries.hpp"

namespace {

struct fork {
  bool held = false;

  void take() { held = true; }
  void release() { held = false; }
  bool accepts(harrier::handler<&fork::take>) const { return !held; }
};

struct philosopher {
  harrier::ref<fork> left;
  harrier::ref<fork> right;

  harrier::task start(harrier::self& self) {
    co_await self.call<&fork::take>(left);
    co_await self.call<&fork::take>(right);
    co_await self.call<&fork::release>(right);
    co_await self.call<&fork::release>(left);
  }
};

void dine(harrier::self& self, std::int64_t n) {
  std::vector<harrier::ref<fork>> forks;
  for (std::int64_t i = 0; i < n; ++i) forks.push_back(self.create<fork>());
  std::vector<harrier::ref<philosopher>> table;
  for (std::int64_t i = 0; i < n; ++i) table.push_back(self.create<philosopher>(forks[i], forks[(i + 1) % n]));
  for (const auto p : table) self.send<&philosopher::start>(p);
}

}  // namespace

harrier::catalogue_entry harrier::subjects::diningphil() {
  return {"diningphil",
          "dining philosophers who call for their forks: a deadlock",
          {{.name = "n", .value = 5, .about = "how many philosophers", .least = 2, .greatest = 1000}},
          [](const arguments& given) { return make_program([n = given.number("n")](self& self) { dine(self, n); }); }};
}
