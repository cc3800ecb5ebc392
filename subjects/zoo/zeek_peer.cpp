// Zeek: data of a peer arrives before the news that there is such a peer.
//
// Source: zeek/zeek PR#1156. Status events and data come through two subscribers, each with its own queue. A peer is
// added and publishes something; who looks into the data queue first handles data of a peer that it does not know.
// Repaired: one subscriber for both.
#include <set>

#include "entries.hpp"

namespace zoo_zeek_peer {

struct application {
  std::set<int> peers = {};

  void peer_added(int peer) { peers.insert(peer); }
  void data(harrier::self& self, int from) {
    self.check(peers.contains(from), "data comes from a peer that was added");
  }
};

struct subscriber {
  harrier::ref<application> to;

  void status(harrier::self& self, int peer) { self.send<&application::peer_added>(to, peer); }
  void publish(harrier::self& self, int peer) { self.send<&application::data>(to, peer); }
};

struct endpoint {
  harrier::ref<subscriber> of_status;
  harrier::ref<subscriber> of_data;

  void peer_connects(harrier::self& self, int peer) {
    self.send<&subscriber::status>(of_status, peer);
    self.send<&subscriber::publish>(of_data, peer);
  }
};

}  // namespace zoo_zeek_peer

harrier::catalogue_entry harrier::subjects::zoo::zeek_peer() {
  using namespace zoo_zeek_peer;
  return entry("zeek-peer", "data of a peer arrives before the news that there is such a peer", [](variant as) {
    return over(delivery::fifo, make_program([as](self& driver) {
                  const auto app = driver.create<application>();
                  const auto status = driver.create<subscriber>(app);
                  const auto data = as == variant::fixed ? status : driver.create<subscriber>(app);
                  driver.send<&endpoint::peer_connects>(driver.create<endpoint>(status, data), 1);
                }));
  });
}
