// Orleans: calls to a grain that ends go round in circles, and are given up.
//
// Source: dotnet/orleans#7637. An activation that deactivates forwards the calls that still arrive to whomever the
// directory names. As long as its own deregistration is under way, that is the activation itself: the call bounces
// between the two, and after two hops it is dropped.
// Repaired: it keeps such calls until the directory has confirmed.
#include "entries.hpp"

namespace zoo_orleans_forward {

struct directory;

struct activation {
  bool waits_for_directory;
  harrier::ref<directory> at;
  bool ends = false;
  bool is_registered = true;
  std::vector<int> kept = {};
  int handled = 0;

  void call(harrier::self& self, int hops);
  void deactivate(harrier::self& self);
  void deregistered(harrier::self& self);
};

struct directory {
  harrier::ref<activation> current = {};
  harrier::ref<activation> next = {};

  void registers(harrier::ref<activation> first, harrier::ref<activation> second) {
    current = first;
    next = second;
  }
  void forward(harrier::self& self, int hops) {
    self.check(hops < 2, "a call is not given up while the grain lives on");
    if (hops < 2) self.send<&activation::call>(current, hops + 1);
  }
  void deregister(harrier::self& self) {
    self.send<&activation::deregistered>(current);
    current = next;
  }
};

void activation::call(harrier::self& self, int hops) {
  if (!ends)
    ++handled;
  else if (waits_for_directory && is_registered)
    kept.push_back(hops);
  else
    self.send<&directory::forward>(at, hops);
}

void activation::deactivate(harrier::self& self) {
  ends = true;
  self.send<&directory::deregister>(at);
}

void activation::deregistered(harrier::self& self) {
  is_registered = false;
  for (const auto hops : kept) self.send<&directory::forward>(at, hops);
  kept.clear();
}

struct silo {
  bool waits;

  harrier::ref<activation> first = {};

  void set_up(harrier::self& self) {
    const auto names = self.create<directory>();
    first = self.create<activation>(waits, names);
    self.send<&directory::registers>(names, first, self.create<activation>(waits, names));
  }
  void test(harrier::self& self) const {
    self.send<&activation::deactivate>(first);
    self.send<&activation::call>(first, 0);
  }
};

}  // namespace zoo_orleans_forward

harrier::catalogue_entry harrier::subjects::zoo::orleans_forward() {
  return entry("orleans-forward", "calls to a grain that ends go round in circles, and are given up",
               [](variant as) { return make_program(zoo_orleans_forward::silo{as == variant::fixed}); });
}
