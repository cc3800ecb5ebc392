// NebulaGraph: a vote that was granted is refused when the same candidate asks again.
//
// Source: vesoft-inc/nebula#2419. A candidate whose request was not answered in time asks again, in the same term. The
// voter has voted in this term, and refuses; that it had voted for the same candidate makes no difference to it.
// Repaired: it does.
#include <optional>

#include "entries.hpp"

using namespace std::chrono_literals;

namespace zoo_nebula_vote {

struct candidate;

struct voter {
  bool knows_for_whom;
  bool has_voted = false;
  harrier::ref<candidate> voted_for = {};

  void ask(harrier::self& self, harrier::ref<candidate> by);
};

struct candidate {
  harrier::ref<voter> other;
  bool leads = false;

  void begin(harrier::self& self) {
    self.send<&voter::ask>(other, self.me<candidate>());
    self.after<&candidate::ask_again>(200ms);
  }
  void ask_again(harrier::self& self) {
    if (!leads) self.send<&voter::ask>(other, self.me<candidate>());
  }
  void granted() { leads = true; }
  void refused() {}
};

void voter::ask(harrier::self& self, harrier::ref<candidate> by) {
  const bool grants = !has_voted || (knows_for_whom && voted_for == by);
  if (!grants) return self.send<&candidate::refused>(by);
  has_voted = true;
  voted_for = by;
  self.send<&candidate::granted>(by);
}

}  // namespace zoo_nebula_vote

harrier::catalogue_entry harrier::subjects::zoo::nebula_vote() {
  using namespace zoo_nebula_vote;
  return entry("nebula-vote", "a vote is refused when the candidate that has it asks again", [](variant as) {
    auto tested = make_program([as](self& driver) {
      driver.send<&candidate::begin>(driver.create<candidate>(driver.create<voter>(as == variant::fixed)));
    });
    return with_faults(specified(std::move(tested), {eventually("the only candidate is elected",
                                                                [](view<candidate> c) { return c->leads; })}),
                       {.lose = 1, .in_all = 1, .timeouts = 1});
  });
}
