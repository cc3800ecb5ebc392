// Dining philosophers by messages alone: a fork that is taken keeps a queue of those who want it.
//
// Source: J. Simsa, R. Bryant, G. Gibson, J. Hickey, "Scalable Dynamic Partial Order Reduction" (Eta), RV 2012:
// `phils`, in which everyone takes the left fork first and all may starve. In `message-philosophers` the last one takes
// the right fork first, and all eat.
#include <algorithm>
#include <vector>

#include "entries.hpp"

namespace {

struct philosopher;

struct fork {
  bool held = false;
  std::vector<harrier::ref<philosopher>> queue;

  void take(harrier::self& self, harrier::ref<philosopher> who);
  void put_back(harrier::self& self);
};

struct philosopher {
  harrier::ref<fork> first;
  harrier::ref<fork> second;
  int grants = 0;

  void start(harrier::self& self) { self.send<&fork::take>(first, self.me<philosopher>()); }
  void grant(harrier::self& self) {
    if (++grants == 1) {
      self.send<&fork::take>(second, self.me<philosopher>());
    } else {
      self.send<&fork::put_back>(first);
      self.send<&fork::put_back>(second);
    }
  }
  bool at_rest() const { return grants == 2; }
};

void fork::take(harrier::self& self, harrier::ref<philosopher> who) {
  if (held) {
    queue.push_back(who);
  } else {
    held = true;
    self.send<&philosopher::grant>(who);
  }
}

void fork::put_back(harrier::self& self) {
  if (queue.empty()) {
    held = false;
  } else {
    self.send<&philosopher::grant>(queue.front());
    queue.erase(queue.begin());
  }
}

enum class last_one { takes_left_first, takes_right_first };

void dine(harrier::self& self, std::int64_t n, last_one habit) {
  std::vector<harrier::ref<fork>> forks;
  for (std::int64_t i = 0; i < n; ++i) forks.push_back(self.create<fork>());
  std::vector<harrier::ref<philosopher>> table;
  for (std::int64_t i = 0; i < n; ++i) {
    auto first = forks[i];
    auto second = forks[(i + 1) % n];
    if (i == n - 1 && habit == last_one::takes_right_first) std::swap(first, second);
    table.push_back(self.create<philosopher>(first, second));
  }
  for (const auto p : table) self.send<&philosopher::start>(p);
}

/// All philosophers have asked for their first fork when the exploration begins.
struct dinner {
  std::int64_t n;

  void start_up(harrier::self& self) const { dine(self, n, last_one::takes_right_first); }
  void test() const {}
};

}  // namespace

harrier::catalogue_entry harrier::subjects::message_philosophers() {
  return {"message-philosophers",
          "dining philosophers by messages, the last one left-handed: all eat",
          {{.name = "n", .value = 3, .about = "how many philosophers", .least = 2, .greatest = 1000}},
          [](const arguments& given) { return make_program(dinner{given.number("n")}); }};
}

harrier::catalogue_entry harrier::subjects::phils() {
  return {"phils",
          "dining philosophers by messages, all alike: they can starve",
          {{.name = "n", .value = 2, .about = "how many philosophers", .least = 2, .greatest = 1000}},
          [](const arguments& given) {
            return make_program([n = given.number("n")](self& self) { dine(self, n, last_one::takes_left_first); });
          }};
}
