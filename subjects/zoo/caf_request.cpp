// CAF: a request to an actor that ends is never answered.
//
// Source: actor-framework/actor-framework#1466 (also #61, #2070). An actor quits while a request to it is on its way.
// Nobody answers in its place, so whoever asked without a limit waits for ever.
// Repaired: the request has a limit.
#include "entries.hpp"

using namespace std::chrono_literals;

namespace zoo_caf_request {

struct worker {
  int square(int n) { return n * n; }
  void quit(harrier::self& self) { self.destroy(); }
};

struct client {
  bool has_patience;
  harrier::ref<worker> of;

  harrier::task ask(harrier::self& self) {
    if (has_patience)
      co_await self.call<&worker::square>(of, 7);
    else
      co_await self.call<&worker::square>(of, 7).within(1s);
  }
};

}  // namespace zoo_caf_request

harrier::catalogue_entry harrier::subjects::zoo::caf_request() {
  using namespace zoo_caf_request;
  return entry("caf-request", "a request to an actor that ends is never answered", [](variant as) {
    return make_program([as](self& driver) {
      const auto w = driver.create<worker>();
      driver.send<&client::ask>(driver.create<client>(as == variant::buggy, w));
      driver.send<&worker::quit>(w);
    });
  });
}
