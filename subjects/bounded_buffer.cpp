// Producers and consumers with a bounded buffer between them, and somebody who counts what passes.
//
// Source: BB of E. Albert, P. Arenas, M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning Redundant
// State-Exploration in Testing", FORTE 2014, table 1: "a classical producer-consumer". Their program is not printed;
// this one is written from the name.
//
// With guards the buffer accepts no item when it is full and no request when it is empty. Whether it accepts a message
// depends on all of its state, so no two of its messages that change it commute. The other buffer has a counter where
// to write and one where to read, and cells of which each keeps who waits for it, as in D. Vyukov's bounded queue for
// many producers and consumers: there an item and a request commute unless they are for one cell.
#include <vector>

#include "entries.hpp"

namespace {

struct statistics {
  harrier::tracked<int> produced = 0;
  harrier::tracked<int> consumed = 0;

  void count_produced() { ++produced; }
  void count_consumed() { ++consumed; }
};

template <class Buffer>
struct producer {
  std::int64_t number;
  harrier::ref<Buffer> into;
  harrier::ref<statistics> counted_by;

  void start(harrier::self& self) const {
    self.send<&Buffer::put>(into, self.me<producer>(), static_cast<int>(number));
  }
  void stored(harrier::self& self) const { self.send<&statistics::count_produced>(counted_by); }
};

template <class Buffer>
struct consumer {
  harrier::ref<Buffer> from;
  harrier::ref<statistics> counted_by;
  std::vector<int> items;

  void start(harrier::self& self) const { self.send<&Buffer::get>(from, self.me<consumer>()); }
  void take(harrier::self& self, int item) {
    items.push_back(item);
    self.send<&statistics::count_consumed>(counted_by);
  }
};

struct guarded_buffer {
  std::int64_t capacity;
  harrier::tracked<std::vector<int>> items;

  void put(harrier::self& self, harrier::ref<producer<guarded_buffer>> from, int item) {
    items.write().push_back(item);
    self.send<&producer<guarded_buffer>::stored>(from);
  }
  void get(harrier::self& self, harrier::ref<consumer<guarded_buffer>> who) {
    self.send<&consumer<guarded_buffer>::take>(who, items[0]);
    items.write().erase(items->begin());
  }
  bool accepts(harrier::handler<&guarded_buffer::put>) const { return std::ssize(*items) < capacity; }
  bool accepts(harrier::handler<&guarded_buffer::get>) const { return !items->empty(); }
};

struct counting_buffer {
  using from_producer = harrier::ref<producer<counting_buffer>>;
  using to_consumer = harrier::ref<consumer<counting_buffer>>;

  struct offer {
    from_producer from;
    int item;
  };
  /// The first offer lies in it, the others wait until it is taken.
  struct cell {
    std::vector<offer> offers;
    std::vector<to_consumer> waiting;
  };

  std::int64_t capacity;
  harrier::tracked<std::int64_t> write_next = 0;
  harrier::tracked<std::int64_t> read_next = 0;
  // Each a field of its own: the elements of an array would be one.
  harrier::tracked<cell> cell_0;
  harrier::tracked<cell> cell_1;
  harrier::tracked<cell> cell_2;
  harrier::tracked<cell> cell_3;

  void put(harrier::self& self, from_producer from, int item) {
    auto& into = at(write_next++).write();
    if (into.waiting.empty()) {
      into.offers.push_back({from, item});
      if (into.offers.size() == 1) tell_stored(self, from);
      return;
    }
    self.send<&consumer<counting_buffer>::take>(into.waiting.front(), item);
    into.waiting.erase(into.waiting.begin());
    tell_stored(self, from);
  }
  void get(harrier::self& self, to_consumer who) {
    auto& from = at(read_next++).write();
    if (from.offers.empty()) {
      from.waiting.push_back(who);
      return;
    }
    self.send<&consumer<counting_buffer>::take>(who, from.offers.front().item);
    from.offers.erase(from.offers.begin());
    if (!from.offers.empty()) tell_stored(self, from.offers.front().from);
  }

  harrier::tracked<cell>& at(std::int64_t ticket) {
    harrier::tracked<cell>* const cells[] = {&cell_0, &cell_1, &cell_2, &cell_3};
    return *cells[ticket % capacity];
  }
  static void tell_stored(harrier::self& self, from_producer who) {
    self.send<&producer<counting_buffer>::stored>(who);
  }
};

struct sizes {
  std::int64_t producers, consumers, capacity;
};

template <class Buffer>
void produce_and_consume(harrier::self& self, const sizes& how_many) {
  const auto counted_by = self.create<statistics>();
  const auto buffer = self.create<Buffer>(how_many.capacity);
  for (std::int64_t i = 0; i < how_many.producers; ++i)
    self.send<&producer<Buffer>::start>(self.create<producer<Buffer>>(i, buffer, counted_by));
  for (std::int64_t i = 0; i < how_many.consumers; ++i)
    self.send<&consumer<Buffer>::start>(self.create<consumer<Buffer>>(buffer, counted_by));
}

}  // namespace

harrier::catalogue_entry harrier::subjects::bounded_buffer() {
  return {
      "bounded-buffer",
      "producers and consumers with a bounded buffer between them",
      {{.name = "producers", .value = 2, .about = "how many producers, of an item each", .least = 1, .greatest = 1000},
       {.name = "consumers", .value = 2, .about = "how many consumers, of an item each", .least = 1, .greatest = 1000},
       {.name = "capacity", .value = 2, .about = "how many items the buffer holds", .least = 1, .greatest = 4},
       {.name = "buffer", .value = "counters", .about = "how it is written", .words = {"counters", "guards"}}},
      [](const arguments& given) {
        const sizes how_many{given.number("producers"), given.number("consumers"), given.number("capacity")};
        const bool has_guards = given.word("buffer") == "guards";
        return make_program([how_many, has_guards](self& self) {
          if (has_guards)
            produce_and_consume<guarded_buffer>(self, how_many);
          else
            produce_and_consume<counting_buffer>(self, how_many);
        });
      }};
}
