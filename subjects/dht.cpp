// A distributed hash table: nodes in a ring, each with the keys of its own, and clients that ask any of them.
//
// Source: DHT of E. Albert, P. Arenas, M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning Redundant
// State-Exploration in Testing", FORTE 2014, table 1: "a distributed hash table". Their program is not printed; this
// one is written from the name.
//
// A node keeps its keys in stripes, as a table with a lock for each stripe does. The stripes are tracked fields: what
// touches different stripes commutes, what touches one does not, whichever keys it is about. With a single stripe it is
// a node with one map. A message that is handed on touches none.
#include <map>
#include <optional>
#include <vector>

#include "entries.hpp"

namespace {

struct client;

using table = std::map<std::int64_t, std::int64_t>;

struct node {
  std::int64_t place;
  std::int64_t nodes;
  std::int64_t stripes;
  harrier::ref<node> successor;
  harrier::tracked<table> stripe_0;
  harrier::tracked<table> stripe_1;

  void join(harrier::ref<node> next) { successor = next; }
  void put(harrier::self& self, std::int64_t key, std::int64_t value, harrier::ref<client> from);
  void get(harrier::self& self, std::int64_t key, harrier::ref<client> from);

  [[nodiscard]] bool is_mine(std::int64_t key) const { return key % nodes == place; }
  harrier::tracked<table>& stripe_of(std::int64_t key) { return key / nodes % stripes == 0 ? stripe_0 : stripe_1; }
};

/// Stores a value of its own, looks up another's, and does not wait in between.
struct client {
  std::int64_t number;
  std::int64_t clients;
  harrier::ref<node> entry;
  harrier::tracked<int> stored = 0;
  harrier::tracked<std::optional<std::int64_t>> seen;

  void start(harrier::self& self) const {
    self.send<&node::put>(entry, number, 100 + number, self.me<client>());
    self.send<&node::get>(entry, (number + 1) % clients, self.me<client>());
  }
  void confirm() { ++stored; }
  void answer(std::optional<std::int64_t> value) { seen = value; }
};

void node::put(harrier::self& self, std::int64_t key, std::int64_t value, harrier::ref<client> from) {
  if (!is_mine(key)) return self.send<&node::put>(successor, key, value, from);
  stripe_of(key).write()[key] = value;
  self.send<&client::confirm>(from);
}

void node::get(harrier::self& self, std::int64_t key, harrier::ref<client> from) {
  if (!is_mine(key)) return self.send<&node::get>(successor, key, from);
  const table& stripe = stripe_of(key);
  const auto found = stripe.find(key);
  self.send<&client::answer>(from, found == stripe.end() ? std::optional<std::int64_t>() : found->second);
}

/// The set-up closes the ring; requests are what is explored.
struct network {
  std::int64_t nodes;
  std::int64_t clients;
  std::int64_t stripes;
  std::vector<harrier::ref<node>> ring;

  harrier::task set_up(harrier::self& self) {
    for (std::int64_t i = 0; i < nodes; ++i) ring.push_back(self.create<node>(i, nodes, stripes));
    for (std::int64_t i = 0; i < nodes; ++i) co_await self.call<&node::join>(ring[i], ring[(i + 1) % nodes]);
  }

  void test(harrier::self& self) {
    for (std::int64_t i = 0; i < clients; ++i)
      self.send<&client::start>(self.create<client>(i, clients, ring[i % nodes]));
  }
};

}  // namespace

harrier::catalogue_entry harrier::subjects::dht() {
  return {
      "dht",
      "a distributed hash table: each client stores a value and looks up another",
      {{.name = "clients", .value = 2, .about = "how many clients", .least = 1, .greatest = 1000},
       {.name = "nodes", .value = 2, .about = "how many nodes", .least = 1, .greatest = 1000},
       {.name = "stripes", .value = 2, .about = "in how many parts a node keeps its keys", .least = 1, .greatest = 2}},
      [](const arguments& given) {
        return make_program(network{.nodes = given.number("nodes"),
                                    .clients = given.number("clients"),
                                    .stripes = given.number("stripes"),
                                    .ring = {}});
      }};
}
