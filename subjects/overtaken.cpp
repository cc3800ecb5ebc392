// Letters that are all overtaken by a long way round: a bug that needs patience.
//
// The textbook case for sampling that is not a random walk (Burckhardt et al., ASPLOS 2010; Yuan et al., CAV 2018): at
// each hop a walk has to pass over all letters again. It passes them over to the end with chance
// (1 / (late + 1))^(hops + 1), where one random priority each, drawn once, makes it about 1 / (late + 1) at best.
#include "entries.hpp"

namespace {

struct office {
  std::int64_t letters = 0;

  void post(std::int64_t) { ++letters; }
  void close(harrier::self& self) const { self.check(letters > 0, "the office closes after a letter came"); }
};

struct messenger {
  harrier::ref<office> to;

  void walk(harrier::self& self, std::int64_t hops) {
    if (hops > 1)
      self.send<&messenger::walk>(self.me<messenger>(), hops - 1);
    else
      self.send<&office::close>(to);
  }
};

}  // namespace

harrier::catalogue_entry harrier::subjects::overtaken() {
  return {"overtaken",
          "letters that are overtaken by a long way round: a bug that needs patience",
          {{.name = "hops", .value = 5, .about = "how long the way is", .least = 1, .greatest = 1000},
           {.name = "late", .value = 2, .about = "how many letters must be late", .least = 1, .greatest = 100}},
          [](const arguments& given) {
            return make_program([hops = given.number("hops"), late = given.number("late")](self& me) {
              const auto to = me.create<office>();
              for (std::int64_t i = 0; i < late; ++i) me.send<&office::post>(to, i);
              me.send<&messenger::walk>(me.create<messenger>(to), hops);
            });
          }};
}
