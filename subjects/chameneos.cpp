// Chameneos meet in pairs, by a broker, and take the colour that neither has.
//
// Source: C. Kaiser, J.-F. Pradat-Peyre, "Chameneos, a Concurrency Game for Java, Ada and Others", AICCSA 2003; as in
// TransDPOR (FMOODS/FORTE 2012).
#include "entries.hpp"

namespace {

enum class colour { blue, red, yellow };

colour complement(colour a, colour b) {
  if (a == b) return a;
  for (const auto third : {colour::blue, colour::red})
    if (third != a && third != b) return third;
  return colour::yellow;
}

struct broker;

struct chameneo {
  harrier::ref<broker> place;
  colour own;

  void start(harrier::self& self);
  void hook(harrier::self& self, harrier::ref<chameneo>, colour other) {
    own = complement(own, other);
    start(self);
  }
  void stop() {}
};

struct broker {
  std::int64_t meetings = 0;
  harrier::ref<chameneo> waiting;
  colour colour_of_waiting = colour::blue;

  void boot(harrier::self& self, std::int64_t how_many) {
    meetings = how_many;
    for (const auto c : {colour::blue, colour::red, colour::yellow}) {
      const auto one = self.create<chameneo>(self.me<broker>(), c);
      self.send<&chameneo::start>(one);
    }
  }

  void hook(harrier::self& self, harrier::ref<chameneo> who, colour its) {
    if (meetings == 0) {
      self.send<&chameneo::stop>(who);
    } else if (!waiting) {
      waiting = who;
      colour_of_waiting = its;
    } else {
      self.send<&chameneo::hook>(waiting, who, its);
      self.send<&chameneo::hook>(who, waiting, colour_of_waiting);
      waiting = {};
      --meetings;
    }
  }
};

void chameneo::start(harrier::self& self) { self.send<&broker::hook>(place, self.me<chameneo>(), own); }

}  // namespace

harrier::catalogue_entry harrier::subjects::chameneos() {
  return {"chameneos",
          "three chameneos meet in pairs and change colour",
          {{.name = "meetings", .value = 2, .about = "how many meetings", .least = 0, .greatest = 1000}},
          [](const arguments& given) {
            return make_program(
                [k = given.number("meetings")](self& self) { self.send<&broker::boot>(self.create<broker>(), k); });
          }};
}
