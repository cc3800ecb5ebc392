// Orleans: a grain calls another one, which calls back when it is activated.
//
// Source: dotnet/orleans#5331. A grain takes one call at a time. A calls B; to be activated, B asks A for something,
// and A is waiting for B. No order of messages avoids that.
// Repaired: A hands over with its call what B would ask for.
#include "entries.hpp"

namespace zoo_orleans_circle {

struct customer;

struct basket {
  harrier::ref<customer> of;
  bool is_active = false;
  int limit = 0;

  harrier::task_of<bool> add(harrier::self& self, int amount);
  bool add_within(int amount, int given_limit) {
    is_active = true;
    limit = given_limit;
    return amount <= limit;
  }
};

struct customer {
  bool hands_limit_over;
  harrier::ref<basket> mine = {};
  int limit = 10;

  int get_limit() const { return limit; }
  harrier::task buy(harrier::self& self) {
    mine = self.create<basket>(self.me<customer>());
    const bool is_allowed = hands_limit_over ? co_await self.call<&basket::add_within>(mine, 5, limit)
                                             : co_await self.call<&basket::add>(mine, 5);
    self.note(is_allowed ? "bought" : "refused");
  }
};

harrier::task_of<bool> basket::add(harrier::self& self, int amount) {
  if (!is_active) limit = co_await self.call<&customer::get_limit>(of);
  is_active = true;
  co_return amount <= limit;
}

}  // namespace zoo_orleans_circle

harrier::catalogue_entry harrier::subjects::zoo::orleans_circle() {
  using namespace zoo_orleans_circle;
  return entry("orleans-circle", "a grain calls another one, which calls back when it is activated", [](variant as) {
    return make_program(
        [as](self& driver) { driver.send<&customer::buy>(driver.create<customer>(as == variant::fixed)); });
  });
}
