// Two players count: Ping(v) is answered by Pong(v) if v is what the receiver has counted, which then grows; Pong(v) is
// answered by Ping(v + 1) likewise.
//
// Source: Stateright's example and test `ping_pong` (github.com/stateright/stateright, src/actor/actor_test_util.rs).
#include "entries.hpp"

namespace {

// What does not fit, or would pass `most`, is refused and stays where it is: there it is a step that changes nothing,
// and what lies beyond the bound is no state.
struct counting_player {
  std::int64_t most = 0;
  std::int64_t count = 0;

  [[nodiscard]] bool fits(std::int64_t value) const { return value == count && count < most; }

  void serve(harrier::self& self, harrier::ref<counting_player> to) {
    self.send<&counting_player::ping>(to, std::int64_t{0}, self.me<counting_player>());
  }
  void ping(harrier::self& self, std::int64_t value, harrier::ref<counting_player> from) {
    ++count;
    self.send<&counting_player::pong>(from, value, self.me<counting_player>());
  }
  void pong(harrier::self& self, std::int64_t value, harrier::ref<counting_player> from) {
    ++count;
    self.send<&counting_player::ping>(from, value + 1, self.me<counting_player>());
  }
  bool accepts(harrier::handler<&counting_player::ping>, std::int64_t value, harrier::ref<counting_player>) const {
    return fits(value);
  }
  bool accepts(harrier::handler<&counting_player::pong>, std::int64_t value, harrier::ref<counting_player>) const {
    return fits(value);
  }
};

struct counted_game {
  std::int64_t most;

  void start_up(harrier::self& self) {
    const auto first = self.create<counting_player>(most);
    self.send<&counting_player::serve>(first, self.create<counting_player>(most));
  }
  void test(harrier::self&) {}
};

}  // namespace

harrier::catalogue_entry harrier::subjects::pingpong_counted() {
  return {"pingpong-counted",
          "two players count how often a ball comes back",
          {{.name = "max", .value = 5, .about = "how far each counts", .least = 0, .greatest = 1'000'000}},
          [](const arguments& given) { return make_program(counted_game{given.number("max")}); }};
}
