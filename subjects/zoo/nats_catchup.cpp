// NATS: a server that has given up its log votes for one that misses what was acknowledged.
//
// Source: nats-io/nats-server#5939 (found by Antithesis). A follower that cannot catch up deletes its log, to be sent
// all of it anew. With an empty log any candidate's is good enough for it: it votes for one that misses entries which
// it had acknowledged itself.
// Repaired: it keeps the log until it has the new one.
#include "entries.hpp"

using namespace std::chrono_literals;

namespace zoo_nats_catchup {

struct server {
  bool keeps_log;
  int last;  ///< how many entries it has
  bool leads = false;

  void catch_up(harrier::self& self) { self.after<&server::give_up>(5s); }
  void give_up() {
    if (!keeps_log) last = 0;
  }
  void campaign(harrier::self& self, harrier::ref<server> at) {
    self.send<&server::ask_vote>(at, last, self.me<server>());
  }
  void ask_vote(harrier::self& self, int last_of_candidate, harrier::ref<server> by) {
    if (last_of_candidate >= last) self.send<&server::vote>(by);
  }
  void vote(harrier::self& self) {
    leads = true;
    self.check(last >= 3, "a leader has what was acknowledged");
  }
};

}  // namespace zoo_nats_catchup

harrier::catalogue_entry harrier::subjects::zoo::nats_catchup() {
  using namespace zoo_nats_catchup;
  return entry("nats-catchup", "a server that has given up its log votes for one that misses entries", [](variant as) {
    auto tested = make_program([as](self& driver) {
      // The third one, which has three entries too, has crashed.
      const auto follows = driver.create<server>(as == variant::fixed, 3);
      const auto outdated = driver.create<server>(as == variant::fixed, 1);
      driver.send<&server::catch_up>(follows);
      driver.send<&server::campaign>(outdated, follows);
    });
    return with_faults(std::move(tested), {.timeouts = 1});
  });
}
