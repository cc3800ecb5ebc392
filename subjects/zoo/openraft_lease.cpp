// openraft: a leader that hands over its office still answers reads by its lease.
//
// Source: databendlabs/openraft#1747 (PR 1749). A leader may answer reads by itself as long as its lease lasts, since
// nobody else is elected before. But where it hands over its office, the next one is elected at once: a client reads
// what was there before a write that is complete.
// Repaired: who hands over gives up its lease first.
#include <optional>

#include "entries.hpp"

namespace zoo_openraft_lease {

struct node {
  bool gives_up_lease;
  bool leads;
  harrier::ref<node> next = {};
  bool has_lease = true;
  int value = 0;

  void hand_over(harrier::self& self) {
    if (gives_up_lease) has_lease = false;
    self.send<&node::timeout_now>(next);
  }
  void timeout_now() { leads = true; }
  bool write(int new_value) {
    if (leads) value = new_value;
    return leads;
  }
  std::optional<int> read() const { return has_lease ? std::optional(value) : std::nullopt; }
};

struct client {
  harrier::ref<node> former;
  harrier::ref<node> next;

  harrier::task write_and_read(harrier::self& self) {
    if (!co_await self.call<&node::write>(next, 5)) co_return;
    const auto seen = co_await self.call<&node::read>(former);
    self.check(!seen || *seen == 5, "a read sees the write that was complete before it");
  }
};

}  // namespace zoo_openraft_lease

harrier::catalogue_entry harrier::subjects::zoo::openraft_lease() {
  using namespace zoo_openraft_lease;
  return entry("openraft-lease", "a leader that hands over its office still answers reads by its lease",
               [](variant as) {
                 return make_program([as](self& driver) {
                   const auto next = driver.create<node>(as == variant::fixed, false);
                   const auto former = driver.create<node>(as == variant::fixed, true, next);
                   driver.send<&node::hand_over>(former);
                   driver.send<&client::write_and_read>(driver.create<client>(former, next));
                 });
               });
}
