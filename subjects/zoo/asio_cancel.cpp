// Asio: a timer's handler runs, with success, after the timer was cancelled.
//
// Source: chriskohlhoff/asio#878. Where a timer has expired, its handler stands in the queue of the event loop already,
// and to cancel the timer does not take it away from there. A session that cancels its time-out when the answer comes
// is then told that the time is over.
// Repaired: the handler asks whether it is still wanted.
#include "entries.hpp"

using namespace std::chrono_literals;

namespace zoo_asio_cancel {

struct session;

struct event_loop {
  harrier::ref<session> of = {};

  void arm(harrier::self& self, harrier::ref<session> by) {
    of = by;
    self.after<&event_loop::expire>(5s);
  }
  void expire(harrier::self& self);
  void cancel(harrier::self& self) { self.cancel<&event_loop::expire>(); }
};

struct session {
  bool asks_whether_wanted;
  harrier::ref<event_loop> loop;
  bool has_answer = false;

  void begin(harrier::self& self) { self.send<&event_loop::arm>(loop, self.me<session>()); }
  void answer(harrier::self& self) {
    has_answer = true;
    self.send<&event_loop::cancel>(loop);
  }
  void time_is_over(harrier::self& self) {
    if (has_answer && asks_whether_wanted) return;
    self.check(!has_answer, "no time-out after the answer");
    self.destroy();
  }
};

void event_loop::expire(harrier::self& self) { self.send<&session::time_is_over>(of); }

}  // namespace zoo_asio_cancel

harrier::catalogue_entry harrier::subjects::zoo::asio_cancel() {
  using namespace zoo_asio_cancel;
  return entry("asio-cancel", "a timer's handler runs after the timer was cancelled", [](variant as) {
    auto tested = make_program([as](self& driver) {
      const auto s = driver.create<session>(as == variant::fixed, driver.create<event_loop>());
      driver.send<&session::begin>(s);
      driver.send<&session::answer>(s);
    });
    return with_faults(over(delivery::fifo, std::move(tested)), {.timeouts = 1});
  });
}
