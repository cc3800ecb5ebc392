// Erlang/OTP: a server that was stopped is still registered.
//
// Source: erlang/otp#4259 (ERL-1291; once in thousands of runs of a QuickCheck test). `stop` answers its caller before
// the name of the server is given back, so to start it again may fail with `already_started`.
// Repaired: the name is given back before the answer.
#include <utility>

#include "entries.hpp"

namespace zoo_otp_restart {

struct registry {
  bool is_taken = true;

  void unregister_name() { is_taken = false; }
  bool give_back() {
    is_taken = false;
    return true;
  }
  bool register_name() { return !std::exchange(is_taken, true); }
};

struct server {
  bool gives_back_first;
  harrier::ref<registry> names;

  harrier::task_of<bool> stop(harrier::self& self) {
    if (gives_back_first)
      co_await self.call<&registry::give_back>(names);
    else
      self.send<&registry::unregister_name>(names);
    co_return true;
  }
};

struct supervisor {
  harrier::ref<registry> names;
  harrier::ref<server> child;

  harrier::task restart_child(harrier::self& self) {
    co_await self.call<&server::stop>(child);
    const bool is_started = co_await self.call<&registry::register_name>(names);
    self.check(is_started, "a server that was stopped can be started (already_started)");
  }
};

}  // namespace zoo_otp_restart

harrier::catalogue_entry harrier::subjects::zoo::otp_restart() {
  using namespace zoo_otp_restart;
  return entry("otp-restart", "a server that was stopped is still registered", [](variant as) {
    return over(delivery::fifo, make_program([as](self& driver) {
                  const auto names = driver.create<registry>();
                  const auto child = driver.create<server>(as == variant::fixed, names);
                  driver.send<&supervisor::restart_child>(driver.create<supervisor>(names, child));
                }));
  });
}
