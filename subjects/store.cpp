// A shop in three tiers: clients ask front ends, front ends ask back ends, and the answers go the way back.
//
// Source: J. Simsa, R. Bryant, G. Gibson, J. Hickey, "Scalable Dynamic Partial Order Reduction" (Eta), RV 2012.
#include <vector>

#include "entries.hpp"

namespace {

struct front_end;
struct client;

struct back_end {
  void look_up(harrier::self& self, harrier::ref<front_end> from, harrier::ref<client> buyer);
};

struct front_end {
  void buy(harrier::self& self, harrier::ref<client> buyer, harrier::ref<back_end> stock) {
    self.send<&back_end::look_up>(stock, self.me<front_end>(), buyer);
  }
  void found(harrier::self& self, harrier::ref<client> buyer);
};

struct client {
  harrier::ref<front_end> shop;

  void go(harrier::self& self, harrier::ref<back_end> stock) {
    self.send<&front_end::buy>(shop, self.me<client>(), stock);
  }
  void receive() {}
};

void back_end::look_up(harrier::self& self, harrier::ref<front_end> from, harrier::ref<client> buyer) {
  self.send<&front_end::found>(from, buyer);
}

void front_end::found(harrier::self& self, harrier::ref<client> buyer) { self.send<&client::receive>(buyer); }

struct sizes {
  std::int64_t frontends, backends, clients, requests;
};

void open_shop(harrier::self& self, const sizes& how_many) {
  std::vector<harrier::ref<back_end>> stocks;
  for (std::int64_t i = 0; i < how_many.backends; ++i) stocks.push_back(self.create<back_end>());
  std::vector<harrier::ref<front_end>> shops;
  for (std::int64_t i = 0; i < how_many.frontends; ++i) shops.push_back(self.create<front_end>());
  std::vector<harrier::ref<client>> clients;
  for (std::int64_t i = 0; i < how_many.clients; ++i)
    clients.push_back(self.create<client>(shops[i % how_many.frontends]));
  for (std::int64_t k = 0; k < how_many.requests; ++k)
    self.send<&client::go>(clients[k % how_many.clients], stocks[k * how_many.backends / how_many.requests]);
}

}  // namespace

harrier::catalogue_entry harrier::subjects::store() {
  const auto number = [](const char* name, std::int64_t value, const char* about) {
    return parameter{.name = name, .value = value, .about = about, .least = 1, .greatest = 1000};
  };
  return {
      "store",
      "a shop in three tiers",
      {number("frontends", 1, "how many front ends"), number("backends", 1, "how many back ends"),
       number("clients", 1, "how many clients"), number("requests", 3, "how many requests, by turns of the clients")},
      [](const arguments& given) {
        const sizes how_many{given.number("frontends"), given.number("backends"), given.number("clients"),
                             given.number("requests")};
        return make_program([how_many](self& self) { open_shop(self, how_many); });
      }};
}
