// Aleth: a periodic timer is deleted between its expiry and its handler.
//
// Source: ethereum/aleth#5495. A host keeps its timers in a list, from which it deletes from time to time those whose
// expiry has passed. One that has expired, but whose handler has not run yet, is deleted as well: the handler finds no
// timer, does not arm it again, and what was to happen every few seconds does not happen any more.
// Repaired: only timers whose handler has run are deleted.
#include "entries.hpp"

using namespace std::chrono_literals;

namespace zoo_aleth_reaper {

struct event_loop;

struct host {
  enum class timer { armed, expired, deleted };

  bool spares_expired;
  harrier::ref<event_loop> loop;
  timer discovery = timer::deleted;
  int rounds = 0;  ///< two are enough

  void start(harrier::self& self) {
    discovery = timer::armed;
    self.after<&host::expire>(7s);
  }
  void expire(harrier::self& self);
  void run_handler(harrier::self& self) {
    if (discovery == timer::deleted) return;
    if (++rounds < 2) start(self);
  }
  void reap() {
    if (discovery == timer::expired && !spares_expired) discovery = timer::deleted;
  }
};

struct event_loop {
  void post(harrier::self& self, harrier::ref<host> to) { self.send<&host::run_handler>(to); }
};

void host::expire(harrier::self& self) {
  discovery = timer::expired;
  self.send<&event_loop::post>(loop, self.me<host>());
}

}  // namespace zoo_aleth_reaper

harrier::catalogue_entry harrier::subjects::zoo::aleth_reaper() {
  using namespace zoo_aleth_reaper;
  return entry("aleth-reaper", "a periodic timer is deleted between its expiry and its handler", [](variant as) {
    auto tested = make_program([as](self& driver) {
      const auto h = driver.create<host>(as == variant::fixed, driver.create<event_loop>());
      driver.send<&host::start>(h);
      driver.send<&host::reap>(h);
    });
    return with_faults(specified(over(delivery::fifo, std::move(tested)),
                                 {eventually("the timer goes off twice", [](view<host> h) { return h->rounds == 2; })}),
                       {.timeouts = 2});
  });
}
