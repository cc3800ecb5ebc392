// Redpanda: a follower that recovers interrupts its own recovery, again and again.
//
// Source: redpanda-data/redpanda#30817. A follower that lags behind is sent what it misses, a part with each heartbeat.
// It starts its election timer anew only when it has everything: so the timer goes off in between, the follower asks
// for votes, and the leader begins from the start.
// Repaired: whatever the leader sends starts the timer anew.
#include "entries.hpp"

using namespace std::chrono_literals;

namespace zoo_redpanda_recovery {

constexpr int parts = 3;

struct leader;

struct follower {
  bool minds_every_part;
  harrier::ref<leader> follows = {};
  int has = 0;

  void meet(harrier::self& self, harrier::ref<leader> of) {
    follows = of;
    self.after<&follower::time_out>(250ms);
  }
  void append(harrier::self& self, int part) {
    if (part == has) ++has;
    if (has == parts || minds_every_part) self.cancel<&follower::time_out>();
    if (has < parts && minds_every_part) self.after<&follower::time_out>(250ms);
  }
  void time_out(harrier::self& self);
};

struct leader {
  harrier::ref<follower> to;
  int sent = 0;

  void lead(harrier::self& self) {
    self.send<&follower::meet>(to, self.me<leader>());
    self.after<&leader::heartbeat>(100ms);
  }
  void heartbeat(harrier::self& self) {
    self.send<&follower::append>(to, sent++);
    if (sent < parts) self.after<&leader::heartbeat>(100ms);
  }
  void ask_for_votes(harrier::self& self) {
    sent = 0;
    self.cancel<&leader::heartbeat>();
    self.after<&leader::heartbeat>(100ms);
  }
};

void follower::time_out(harrier::self& self) {
  has = 0;
  self.send<&leader::ask_for_votes>(follows);
  self.after<&follower::time_out>(250ms);
}

}  // namespace zoo_redpanda_recovery

harrier::catalogue_entry harrier::subjects::zoo::redpanda_recovery() {
  using namespace zoo_redpanda_recovery;
  return entry("redpanda-recovery", "a follower that recovers interrupts its own recovery", [](variant as) {
    auto tested = make_program([as](self& driver) {
      driver.send<&leader::lead>(driver.create<leader>(driver.create<follower>(as == variant::fixed)));
    });
    return with_faults(converges(over(delivery::fifo, std::move(tested)), "the follower has everything",
                                 [](const states& all) { return all.all<follower>().front().get().has == parts; }),
                       {.timeouts = 1});
  });
}
