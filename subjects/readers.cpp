// Actors read one variable, another writes it.
//
// Source: S. Aronis, B. Jonsson, M. Lång, K. Sagonas, "Optimal Dynamic Partial Order Reduction with Observers", TACAS
// 2018, and Concuerror's `readers`: a program dominated by queries. Each read sees the variable before it is written or
// after, so of (n + 1)! orders in which it takes the messages 2^n differ.
#include "entries.hpp"

namespace {

struct variable {
  bool is_written = false;

  void write() { is_written = true; }
  void read() const {}
};

struct writer {
  harrier::ref<variable> of;

  void start(harrier::self& self) const { self.send<&variable::write>(of); }
};

struct reader {
  harrier::ref<variable> of;

  void start(harrier::self& self) const { self.send<&variable::read>(of); }
};

}  // namespace

harrier::catalogue_entry harrier::subjects::readers() {
  return {"readers",
          "actors read one variable, another writes it",
          {{.name = "readers", .value = 6, .about = "how many actors read", .least = 0, .greatest = 1000}},
          [](const arguments& given) {
            return make_program([readers = given.number("readers")](self& self) {
              const auto x = self.create<variable>();
              self.send<&writer::start>(self.create<writer>(x));
              for (std::int64_t i = 0; i < readers; ++i) self.send<&reader::start>(self.create<reader>(x));
            });
          }};
}
