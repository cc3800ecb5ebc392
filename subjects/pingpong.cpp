// Two players, two balls: each ball goes to and fro n times.
//
// Source: J. Simsa, R. Bryant, G. Gibson, J. Hickey, "Scalable Dynamic Partial Order Reduction" (Eta), RV 2012.
#include "entries.hpp"

namespace {

struct player {
  void hit(harrier::self& self, std::int64_t times_left, harrier::ref<player> from) {
    if (times_left > 0) self.send<&player::hit>(from, times_left - 1, self.me<player>());
  }
};

void play(harrier::self& self, std::int64_t n) {
  const auto ping = self.create<player>();
  const auto pong = self.create<player>();
  self.send<&player::hit>(ping, n, pong);
  self.send<&player::hit>(pong, n, ping);
}

}  // namespace

harrier::catalogue_entry harrier::subjects::pingpong() {
  return {"pingpong",
          "two players hit two balls to and fro",
          {{.name = "n", .value = 10, .about = "how often each ball is hit back", .least = 0, .greatest = 1'000'000}},
          [](const arguments& given) { return make_program([n = given.number("n")](self& self) { play(self, n); }); }};
}
