// Dining philosophers who ask for both forks at once and are sent a grant for each.
//
// Source: S. Lauterburg, "Systematic Testing for Actor Programs", dissertation, University of Illinois 2011, table 3.1
// (Scala).
//
// Nobody is blocked in a call, and yet all may starve. `at_rest` says in which states an execution may end: without it
// an idle actor is taken for one that has nothing to do.
#include <vector>

#include "entries.hpp"

namespace {

struct philosopher;

struct fork {
  bool held = false;

  void take(harrier::self& self, harrier::ref<philosopher> who);
  void release() { held = false; }
  bool accepts(harrier::handler<&fork::take>) const { return !held; }
};

struct philosopher {
  harrier::ref<fork> left;
  harrier::ref<fork> right;
  int grants = 0;

  void start(harrier::self& self) {
    self.send<&fork::take>(left, self.me<philosopher>());
    self.send<&fork::take>(right, self.me<philosopher>());
  }
  void grant(harrier::self& self) {
    if (++grants < 2) return;
    self.send<&fork::release>(left);
    self.send<&fork::release>(right);
  }
  bool at_rest() const { return grants == 2; }
};

void fork::take(harrier::self& self, harrier::ref<philosopher> who) {
  held = true;
  self.send<&philosopher::grant>(who);
}

void dine(harrier::self& self, std::int64_t n) {
  std::vector<harrier::ref<fork>> forks;
  for (std::int64_t i = 0; i < n; ++i) forks.push_back(self.create<fork>());
  std::vector<harrier::ref<philosopher>> table;
  for (std::int64_t i = 0; i < n; ++i) table.push_back(self.create<philosopher>(forks[i], forks[(i + 1) % n]));
  for (const auto p : table) self.send<&philosopher::start>(p);
}

}  // namespace

harrier::catalogue_entry harrier::subjects::philosophers() {
  return {"philosophers",
          "dining philosophers who ask for both forks at once: they can starve",
          {{.name = "n", .value = 3, .about = "how many philosophers", .least = 2, .greatest = 1000}},
          [](const arguments& given) { return make_program([n = given.number("n")](self& self) { dine(self, n); }); }};
}
