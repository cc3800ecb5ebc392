// The Scala columns of tables 3.1 and 3.2 are the same programs begun otherwise: there the main program, an actor, asks
// at once where ActorFoundry sends a `boot` first, or actors are created in another order.
#include "programs.hpp"

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

}  // namespace

program program_named(const std::string& text) {
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
