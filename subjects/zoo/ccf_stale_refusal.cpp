// CCF: an old refusal takes back what was acknowledged since.
//
// Source: microsoft/CCF PR#6000 (rollback_safety). A follower that is sent an entry too early refuses it and says what
// it has. The entry that it missed arrives and is acknowledged. If the refusal arrives after that, the leader believes
// it, and forgets that the follower has the entry.
// Repaired: a refusal of what was acknowledged meanwhile is ignored.
#include <algorithm>

#include "entries.hpp"

namespace zoo_ccf_stale_refusal {

struct follower;

struct leader {
  bool ignores_stale;
  harrier::ref<follower> to = {};
  int sent = 0;
  int matched = 0;

  void meet(harrier::ref<follower> other) { to = other; }
  void request(harrier::self& self);
  void acknowledge(int index) {
    matched = std::max(matched, index);
    sent = std::max(sent, matched);
  }
  void refuse(harrier::self& self, int has);
};

struct follower {
  int has = 0;

  void append(harrier::self& self, int index, harrier::ref<leader> by) {
    if (index > has + 1) return self.send<&leader::refuse>(by, has);
    has = std::max(has, index);
    self.send<&leader::acknowledge>(by, has);
  }
};

void leader::request(harrier::self& self) { self.send<&follower::append>(to, ++sent, self.me<leader>()); }

void leader::refuse(harrier::self& self, int has) {
  if (ignores_stale && has < matched) return;
  sent = has;
  self.check(sent >= matched, "what was acknowledged counts as sent");
  request(self);
}

struct cluster {
  bool ignores_stale;

  harrier::ref<leader> leads = {};

  void set_up(harrier::self& self) {
    leads = self.create<leader>(ignores_stale);
    self.send<&leader::meet>(leads, self.create<follower>());
  }
  void test(harrier::self& self) const {
    for (int i = 0; i < 2; ++i) self.send<&leader::request>(leads);
  }
};

}  // namespace zoo_ccf_stale_refusal

harrier::catalogue_entry harrier::subjects::zoo::ccf_stale_refusal() {
  return entry("ccf-stale-refusal", "an old refusal takes back what was acknowledged since",
               [](variant as) { return make_program(zoo_ccf_stale_refusal::cluster{as == variant::fixed}); });
}
