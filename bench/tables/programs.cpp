// The Scala columns of tables 3.1 and 3.2 are the same programs begun otherwise: there the main program, an actor, asks
// at once where ActorFoundry sends a `boot` first, or actors are created in another order.
#include "programs.hpp"

#include <optional>
#include <sstream>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/harrier.hpp>
#include <subjects/catalogue.hpp>

namespace harrier::tables {
namespace {

struct pi_master;

struct pi_worker {
  void intervals(self& self, ref<pi_master> to);
  void stop(self& self) { self.destroy(); }
};

struct pi_master {
  std::vector<ref<pi_worker>> workers;
  std::size_t sums = 0;

  void sum(self& self) {
    if (++sums < workers.size()) return;
    for (const auto w : workers) self.send<&pi_worker::stop>(w);
    self.destroy();
  }
};

void pi_worker::intervals(self& self, ref<pi_master> to) { self.send<&pi_master::sum>(to); }

/// pi with 4 workers, which the main program asks.
void pi_scala(self& self) {
  std::vector<ref<pi_worker>> workers;
  for (int i = 0; i < 4; ++i) workers.push_back(self.create<pi_worker>());
  const auto master = self.create<pi_master>(workers);
  for (const auto w : workers) self.send<&pi_worker::intervals>(w, master);
}

/// A node of quicksort's recursion: only its shape matters.
struct sorter {
  ref<sorter> caller;
  int parts = 0;

  /// `tree` in preorder: 1 for a split, 0 for a leaf.
  void sort(self& self, ref<sorter> for_whom, const std::string& tree) {
    caller = for_whom;
    if (tree == "0") return finish(self);
    const auto middle = end_of_tree(tree, 1);
    const auto left = self.create<sorter>();
    const auto right = self.create<sorter>();
    self.send<&sorter::sort>(left, self.me<sorter>(), tree.substr(1, middle - 1));
    self.send<&sorter::sort>(right, self.me<sorter>(), tree.substr(middle));
  }

  void done(self& self) {
    if (++parts == 2) finish(self);
  }

  void finish(self& self) const {
    if (caller) self.send<&sorter::done>(caller);
  }

  static std::size_t end_of_tree(const std::string& tree, std::size_t from) {
    if (tree[from] == '0') return from + 1;
    return end_of_tree(tree, end_of_tree(tree, from + 1));
  }
};

/// quicksort of four leaves, which the main program asks.
void quicksort_scala(self& self) {
  self.send<&sorter::sort>(self.create<sorter>(), ref<sorter>(), std::string("1101000"));
}

/// A process of the ring in subjects/leader.cpp.
struct process {
  int id;
  int max = id;
  int left = -1;
  bool active = true;
  ref<process> right;

  void init(ref<process> neighbour) { right = neighbour; }

  void first(self& self, int number) {
    if (!active) {
      self.send<&process::first>(right, number);
    } else if (number != max) {
      self.send<&process::second>(right, number);
      left = number;
    }
  }

  void second(self& self, int number) {
    if (!active) {
      self.send<&process::second>(right, number);
    } else if (left > number && left > max) {
      max = left;
      self.send<&process::first>(right, max);
    } else {
      active = false;
    }
  }
};

/// leader with n=3, process 1 created first.
struct leader_scala {
  std::vector<ref<process>> ring;

  task set_up(self& self) {
    const auto one = self.create<process>(1);
    const auto zero = self.create<process>(0);
    ring = {zero, one, self.create<process>(2)};
    for (std::size_t i = 0; i < 3; ++i) co_await self.call<&process::init>(ring[i], ring[(i + 1) % 3]);
  }

  void test(self& self) {
    for (int i = 0; i < 3; ++i) self.send<&process::first>(ring[static_cast<std::size_t>(i + 1) % 3], i);
  }
};

// What follows is compared by state ("Actor Comp."), so it has the fields that the programs measured had: in the Scala
// library each message carries its sender, and each actor remembers the sender of the message it took last.

/// A server of subjects/server.cpp, which one client talks to.
struct register_server {
  int value = 0;

  void set(int v) { value = v; }
  int get() const { return value; }
  void shutdown(self& self) { self.destroy(); }
};

/// The client that keeps what it read: as the fields that it has in Scala, and in ActorFoundry as what the Java virtual
/// machine keeps of its last call.
struct register_client {
  ref<register_server> server;
  int v1 = 0;
  int v2 = 0;

  task start(self& self) {
    self.send<&register_server::set>(server, 5);
    v1 = co_await self.call<&register_server::get>(server);
    v2 = co_await self.call<&register_server::get>(server);
    self.send<&register_server::shutdown>(server);
  }
};

void server_in_states(self& self) {
  const auto server = self.create<register_server>();
  self.send<&register_client::start>(self.create<register_client>(server));
}

/// The client is the main program.
struct server_in_states_scala {
  register_client client;

  void set_up(self& self) { client.server = self.create<register_server>(); }
  task test(self& self) { return client.start(self); }
};

/// fib-collector with variant=scala, which adds up.
struct fibonacci {
  ref<fibonacci> asker;
  int sum = 0;
  int results = 0;
  ref<fibonacci> last_sender;

  void compute(self& self, int n, ref<fibonacci> sender) {
    last_sender = sender;
    const auto me = self.me<fibonacci>();
    if (n <= 2) return self.send<&fibonacci::result>(sender, n == 0 ? 0 : 1, me);
    if (!asker) asker = sender;
    const auto child = self.create<fibonacci>();
    self.send<&fibonacci::compute>(child, n - 1, me);
    self.send<&fibonacci::compute>(child, n - 2, me);
  }

  void result(self& self, int value, ref<fibonacci> sender) {
    last_sender = sender;
    if (!asker) return;  // the main program
    sum += value;
    if (++results == 2) self.send<&fibonacci::result>(asker, sum, self.me<fibonacci>());
  }

  void test(self& self) { self.send<&fibonacci::compute>(self.create<fibonacci>(), 4, self.me<fibonacci>()); }
};

/// A process of leader-scala, which keeps the number that it took last.
struct ring_process {
  int id;
  int max = id;
  int left = -1;
  bool active = true;
  int number = -1;
  ref<ring_process> right;
  ref<ring_process> last_sender;

  void init(ref<ring_process> neighbour) { right = neighbour; }

  void first(self& self, int received, ref<ring_process> sender) {
    last_sender = sender;
    number = received;
    if (!active) {
      self.send<&ring_process::first>(right, number, self.me<ring_process>());
    } else if (number != max) {
      self.send<&ring_process::second>(right, number, self.me<ring_process>());
      left = number;
    }
  }

  void second(self& self, int received, ref<ring_process> sender) {
    last_sender = sender;
    number = received;
    if (!active) {
      self.send<&ring_process::second>(right, number, self.me<ring_process>());
    } else if (left > number && left > max) {
      max = left;
      self.send<&ring_process::first>(right, max, self.me<ring_process>());
    } else {
      active = false;
    }
  }
};

struct leader_in_states_scala {
  std::vector<ref<ring_process>> ring;

  task set_up(self& self) {
    const auto one = self.create<ring_process>(1);
    const auto zero = self.create<ring_process>(0);
    ring = {zero, one, self.create<ring_process>(2)};
    for (std::size_t i = 0; i < 3; ++i) co_await self.call<&ring_process::init>(ring[i], ring[(i + 1) % 3]);
  }

  void test(self& self) {
    for (int i = 0; i < 3; ++i)
      self.send<&ring_process::first>(ring[static_cast<std::size_t>(i + 1) % 3], i, ref<ring_process>());
  }
};

/// shortpath with graph=triangle.
struct place {
  struct neighbour {
    ref<place> who;
    int weight = 0;
  };
  std::vector<neighbour> neighbours;
  std::optional<int> distance;
  ref<place> last_sender;

  void connect(ref<place> who, int weight) { neighbours.push_back({who, weight}); }

  void receive(self& self, int from_start, int weight, ref<place> sender) {
    last_sender = sender;
    if (distance && *distance <= from_start + weight) return;
    distance = from_start + weight;
    for (const auto& n : neighbours) self.send<&place::receive>(n.who, *distance, n.weight, self.me<place>());
  }
};

struct triangle {
  std::vector<ref<place>> places;

  task set_up(self& self) {
    for (int i = 0; i < 3; ++i) places.push_back(self.create<place>());
    const auto connect = [&](std::size_t a, std::size_t b, int weight) {
      return self.call<&place::connect>(places[a], places[b], weight);
    };
    co_await connect(0, 1, 3);
    co_await connect(1, 0, 3);
    co_await connect(0, 2, 10);
    co_await connect(2, 0, 10);
    co_await connect(1, 2, 6);
    co_await connect(2, 1, 6);
  }

  void test(self& self) { self.send<&place::receive>(places[0], 0, 0, ref<place>()); }
};

}  // namespace

program program_named(const std::string& text) {
  if (text == "server-in-states") return make_program(server_in_states);
  if (text == "server-in-states-scala") return make_program(server_in_states_scala{});
  if (text == "fib-in-states-scala") return make_program(fibonacci{});
  if (text == "leader-in-states-scala") return make_program(leader_in_states_scala{});
  if (text == "shortpath-in-states-scala") return make_program(triangle{});
  if (text == "pi-scala") return make_program(pi_scala);
  if (text == "quicksort-scala") return make_program(quicksort_scala);
  if (text == "leader-scala") return make_program(leader_scala{});
  std::istringstream words(text);
  std::string name;
  words >> name;
  for (const auto& entry : subjects::catalogue()) {
    if (entry.name != name) continue;
    arguments given(entry.parameters);
    std::string word;
    while (words >> word) {
      const auto equals = word.find('=');
      given.set(word.substr(0, equals), word.substr(equals + 1));
    }
    return entry.make(given);
  }
  throw error("no program is called " + name);
}

}  // namespace harrier::tables
