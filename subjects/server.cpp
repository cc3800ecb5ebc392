// A client stores a value in a server and reads it twice: do both reads agree?
//
// Source: S. Lauterburg, "Systematic Testing for Actor Programs", dissertation, University of Illinois 2011,
// figures 3.1 and 3.3.
//
// The bug is an atomicity violation: `set` is sent without waiting, so it can arrive between the two reads. It can also
// arrive after `shutdown`, and then it is never delivered.
#include "entries.hpp"

namespace {

struct server {
  int value = 0;

  void set(int v) { value = v; }
  int get() const { return value; }
  void shutdown(harrier::self& self) { self.destroy(); }
};

struct client {
  harrier::ref<server> store;

  harrier::task start(harrier::self& self) {
    self.send<&server::set>(store, 5);
    const int first = co_await self.call<&server::get>(store);
    const int second = co_await self.call<&server::get>(store);
    self.check(first == second, "two reads in a row agree");
    self.send<&server::shutdown>(store);
  }
};

void client_server(harrier::self& self) {
  const auto store = self.create<server>();
  const auto user = self.create<client>(store);
  self.send<&client::start>(user);
}

// In Scala an actor runs from its creation on, and the program's main is an actor: here it is the client.
harrier::task client_is_the_driver(harrier::self& self) {
  client user{self.create<server>()};
  co_await user.start(self);
}

}  // namespace

harrier::catalogue_entry harrier::subjects::server() {
  return {"server",
          "a client sets a value and reads it twice: an atomicity violation",
          {{.name = "variant", .value = "foundry", .about = "whose figures", .words = {"foundry", "scala"}}},
          [](const arguments& given) {
            return given.word("variant") == "scala" ? make_program(client_is_the_driver) : make_program(client_server);
          }};
}
