// The smallest programs on which a reduction for actors can be wrong: two messages of which only the first one
// delivered is taken. Both orders must be explored, though the second delivery never happens in either.
#include "entries.hpp"

namespace {

struct stoppable {
  void stop(harrier::self& self) { self.destroy(); }
  void work() {}
};

void stop_and_work(harrier::self& self) {
  const auto x = self.create<stoppable>();
  self.send<&stoppable::stop>(x);
  self.send<&stoppable::work>(x);
}

struct exclusive {
  bool fresh = true;

  void a() { fresh = false; }
  void b() { fresh = false; }
  bool accepts(harrier::handler<&exclusive::a>) const { return fresh; }
  bool accepts(harrier::handler<&exclusive::b>) const { return fresh; }
};

void a_or_b(harrier::self& self) {
  const auto x = self.create<exclusive>();
  self.send<&exclusive::a>(x);
  self.send<&exclusive::b>(x);
}

}  // namespace

harrier::catalogue_entry harrier::subjects::mini_stop_work() {
  return {"mini-stop-work", "an actor is told to stop and to work", {}, [](const arguments&) {
            return make_program(stop_and_work);
          }};
}

harrier::catalogue_entry harrier::subjects::mini_exclusive() {
  return {"mini-exclusive", "an actor takes one of two messages and refuses the other", {}, [](const arguments&) {
            return make_program(a_or_b);
          }};
}
