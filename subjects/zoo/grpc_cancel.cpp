// gRPC: a call is cancelled before it has been started.
//
// Source: grpc/grpc PR#18687. The reactor of a call is told by two threads that the call has started and that it was
// cancelled. If it is cancelled first, OnCancel uses what only OnStarted sets up.
// Repaired: that it was cancelled is remembered until it has started.
#include <optional>

#include "entries.hpp"

namespace zoo_grpc_cancel {

struct reactor {
  bool remembers;
  std::optional<int> stream = {};
  bool is_cancelled = false;

  void on_started() {
    stream = 7;
    if (is_cancelled) stream.reset();
  }
  void on_cancel(harrier::self& self) {
    is_cancelled = true;
    if (remembers && !stream) return;
    self.note("closed stream " + std::to_string(stream.value()));
    stream.reset();
  }
};

struct transport {
  harrier::ref<reactor> of;

  void peer_resets(harrier::self& self) { self.send<&reactor::on_cancel>(of); }
};

struct executor {
  harrier::ref<reactor> of;

  void run(harrier::self& self) { self.send<&reactor::on_started>(of); }
};

}  // namespace zoo_grpc_cancel

harrier::catalogue_entry harrier::subjects::zoo::grpc_cancel() {
  using namespace zoo_grpc_cancel;
  return entry("grpc-cancel", "a call is cancelled before it has been started", [](variant as) {
    return over(delivery::fifo, make_program([as](self& driver) {
                  const auto call = driver.create<reactor>(as == variant::fixed);
                  driver.send<&executor::run>(driver.create<executor>(call));
                  driver.send<&transport::peer_resets>(driver.create<transport>(call));
                }));
  });
}
