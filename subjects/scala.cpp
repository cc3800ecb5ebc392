// The programs in Scala of the dissertation's table 3.1, as straight-line actors: they receive in the middle of their
// code and keep what they know in local variables, as the originals do with `react`.
//
// Source: S. Lauterburg, "Systematic Testing for Actor Programs", dissertation, University of Illinois 2011,
// section 2.3, table 3.1. In Scala an actor runs from its creation on, up to where it receives: here the drivers'
// start_up does that.
#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "entries.hpp"
#include "java_random.hpp"

namespace {

using harrier::ref;
using harrier::self;
using harrier::task;

// ==== server

struct store_client;
struct set {
  int value = 0;
};
struct get {
  ref<store_client> asker = {};
};
struct shutdown {};
struct answer {
  int value = 0;
};

struct store {
  task run(self& me) {
    int value = 0;
    for (;;) {
      const auto m = co_await me.receive<set, get, shutdown>();
      if (const auto* s = std::get_if<set>(&m)) value = s->value;
      if (const auto* g = std::get_if<get>(&m)) me.send(g->asker, answer{value});
      if (std::holds_alternative<shutdown>(m)) co_return;
    }
  }
};
struct store_client {
  task run(self& me, ref<store> at) {
    me.send(at, set{5});
    me.send(at, get{me.me<store_client>()});
    const auto first = co_await me.receive<answer>();
    me.send(at, get{me.me<store_client>()});
    const auto second = co_await me.receive<answer>();
    me.check(first.value == second.value, "two reads in a row agree");
    me.send(at, shutdown{});
  }
};
struct client_and_server {
  void start_up(self& me) {
    const auto client = me.create<store_client>();
    me.send<&store_client::run>(client, me.spawn<&store::run>());
  }
  void test(self&) {}
};

// ==== pi

constexpr std::int64_t billion = 1'000'000'000;

struct master;
struct intervals {
  ref<master> to = {};
};
struct sum {
  std::int64_t billionths = 0;
};
struct stop {};

struct worker {
  std::int64_t number;
  std::int64_t workers;
  task run(self& me) {
    const auto asked = co_await me.receive<intervals>();
    const auto middle = 2 * number + 1;  // of the interval, in units of 1 / (2 * workers)
    me.send(asked.to, sum{16 * billion * workers / (4 * workers * workers + middle * middle)});
    co_await me.receive<stop>();
  }
};
struct master {
  std::vector<ref<worker>> workers;
  task run(self& me) {
    for (const auto w : workers) me.send(w, intervals{me.me<master>()});
    std::int64_t all = 0;
    for (std::size_t i = 0; i < workers.size(); ++i) {
      const auto part = co_await me.receive<sum>();
      all += part.billionths;
    }
    me.check(3 * billion < all && all < 4 * billion, "the sum is near pi");
    for (const auto w : workers) me.send(w, stop{});
  }
};
struct integration {
  std::int64_t n;
  void start_up(self& me) {
    std::vector<ref<worker>> workers;
    for (std::int64_t i = 0; i < n; ++i) workers.push_back(me.spawn<&worker::run>(i, n));
    me.spawn<&master::run>(workers);
  }
  void test(self&) {}
};

// ==== mergesort

using numbers = std::vector<int>;

struct merge {
  numbers half = {};
};

struct sorter {
  task sort(self& me, ref<sorter> caller, numbers all) {
    if (all.size() > 1) {
      const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
      const auto left = me.create<sorter>();
      const auto right = me.create<sorter>();
      me.send<&sorter::sort>(left, me.me<sorter>(), numbers(all.begin(), middle));
      me.send<&sorter::sort>(right, me.me<sorter>(), numbers(middle, all.end()));
      const auto first = co_await me.receive<merge>();
      const auto second = co_await me.receive<merge>();
      all.clear();
      std::merge(first.half.begin(), first.half.end(), second.half.begin(), second.half.end(), std::back_inserter(all));
      me.check(std::is_sorted(all.begin(), all.end()), "two sorted halves are merged");
    }
    if (caller) me.send(caller, merge{all});
  }
};

// ==== spinsort

struct push {
  int value = 0;
};

struct stage {
  ref<stage> next;
  std::int64_t to_hand_on;
  task run(self& me) {
    auto kept = (co_await me.receive<push>()).value;
    for (auto left = to_hand_on; left > 0; --left) {
      const auto value = (co_await me.receive<push>()).value;
      me.send(next, push{std::max(value, kept)});
      kept = std::min(value, kept);
    }
    for (;;) co_await me.receive<push>();
  }
};
struct pipeline {
  std::int64_t n;
  ref<stage> first = {};
  void start_up(self& me) {
    for (std::int64_t behind = 0; behind < n; ++behind) {
      first = me.create<stage>(first, behind);
      me.send<&stage::run>(first);
    }
  }
  void test(self& me) {
    auto random = harrier::subjects::java_random::seeded(n);
    for (std::int64_t i = 0; i < n; ++i) me.send(first, push{random.next_int(1000)});
  }
};

// ==== leader

struct first_round {
  std::int64_t number = 0;
};
struct second_round {
  std::int64_t number = 0;
};

struct process {
  std::int64_t id;
  task run(self& me, ref<process> right) {
    me.send(right, first_round{id});
    auto max = id;
    std::int64_t left = -1;
    for (bool is_active = true; is_active;) {
      const auto m = co_await me.receive<first_round, second_round>();
      if (const auto* one = std::get_if<first_round>(&m)) {
        if (one->number == max) continue;  // the leader
        left = one->number;
        me.send(right, second_round{left});
      } else {
        const auto number = std::get<second_round>(m).number;
        is_active = left > number && left > max;
        if (!is_active) continue;
        max = left;
        me.send(right, first_round{max});
      }
    }
    for (;;) {
      const auto m = co_await me.receive<first_round, second_round>();
      if (const auto* one = std::get_if<first_round>(&m))
        me.send(right, *one);
      else
        me.send(right, std::get<second_round>(m));
    }
  }
};
/// The ring of three, the second of which was created first.
struct election {
  void start_up(self& me) {
    std::vector<ref<process>> ring(3);
    for (const auto i : {1, 0, 2}) ring[static_cast<std::size_t>(i)] = me.create<process>(i);
    for (std::size_t i = 0; i < 3; ++i) me.send<&process::run>(ring[i], ring[(i + 1) % 3]);
  }
  void test(self&) {}
};

// ==== philosophers

struct philosopher;
struct take {
  ref<philosopher> who = {};
};
struct release {};
struct grant {};

struct fork {
  task run(self& me) {
    for (;;) {
      const auto asked = co_await me.receive<take>();
      me.send(asked.who, grant{});
      co_await me.receive<release>();
    }
  }
};
struct philosopher {
  static constexpr bool must_end = true;
  ref<fork> left;
  ref<fork> right;
  task run(self& me) {
    me.send(left, take{me.me<philosopher>()});
    me.send(right, take{me.me<philosopher>()});
    co_await me.receive<grant>();
    co_await me.receive<grant>();
    me.send(left, release{});
    me.send(right, release{});
  }
};
struct dinner {
  std::int64_t n;
  std::vector<ref<philosopher>> table = {};
  void start_up(self& me) {
    std::vector<ref<fork>> forks;
    for (std::int64_t i = 0; i < n; ++i) forks.push_back(me.spawn<&fork::run>());
    for (std::int64_t i = 0; i < n; ++i) {
      const auto own = static_cast<std::size_t>(i);
      table.push_back(me.create<philosopher>(forks[own], forks[(own + 1) % forks.size()]));
    }
  }
  void test(self& me) {
    for (const auto p : table) me.send<&philosopher::run>(p);
  }
};

numbers random_numbers(std::int64_t n) {
  auto random = harrier::subjects::java_random::seeded(19 + n);
  numbers all;
  for (std::int64_t i = 0; i < n; ++i) all.push_back(random.next_int(100));
  return all;
}

harrier::program make(const harrier::arguments& given) {
  const auto& which = given.word("program");
  if (which == "pi") return harrier::make_program(integration{4});
  if (which == "mergesort")
    return harrier::make_program(
        [all = random_numbers(4)](self& me) { me.send<&sorter::sort>(me.create<sorter>(), ref<sorter>(), all); });
  if (which == "spinsort") return harrier::make_program(pipeline{4});
  if (which == "leader") return harrier::make_program(election{});
  if (which == "philosophers") return harrier::make_program(dinner{3});
  return harrier::make_program(client_and_server{});
}

}  // namespace

harrier::catalogue_entry harrier::subjects::scala() {
  return {"scala",
          "the dissertation's programs in Scala, as actors that receive in the middle of their code",
          {{.name = "program",
            .value = "server",
            .about = "which",
            .words = {"server", "pi", "mergesort", "spinsort", "leader", "philosophers"}}},
          make};
}
