// Two-phase commit: participants vote, and a coordinator commits only what all voted for.
//
// Source: J. Gray, "Notes on Data Base Operating Systems", 1978.
//
// A vote is a data choice: `choose` returns both values, each in executions of its own.
#include <vector>

#include "entries.hpp"

namespace {

struct coordinator;

struct participant {
  enum class state { working, ready, committed, aborted };
  state now = state::working;
  bool voted_yes = false;

  void prepare(harrier::self& self, harrier::ref<coordinator> who);
  void commit(harrier::self& self) {
    self.check(now == state::ready && voted_yes, "only what everyone voted for is committed");
    now = state::committed;
  }
  void abort(harrier::self& self) {
    self.check(now == state::ready, "a decision comes after the vote, once");
    now = state::aborted;
  }
};

struct coordinator {
  std::vector<harrier::ref<participant>> participants;
  std::size_t votes = 0;
  bool all_said_yes = true;

  void begin(harrier::self& self) {
    for (const auto p : participants) self.send<&participant::prepare>(p, self.me<coordinator>());
  }

  void vote(harrier::self& self, bool yes) {
    all_said_yes = all_said_yes && yes;
    if (++votes < participants.size()) return;
    for (const auto p : participants)
      if (all_said_yes)
        self.send<&participant::commit>(p);
      else
        self.send<&participant::abort>(p);
  }
};

void participant::prepare(harrier::self& self, harrier::ref<coordinator> who) {
  voted_yes = self.choose(2) == 1;
  now = state::ready;
  self.send<&coordinator::vote>(who, voted_yes);
}

void transact(harrier::self& self, std::int64_t n) {
  std::vector<harrier::ref<participant>> participants;
  for (std::int64_t i = 0; i < n; ++i) participants.push_back(self.create<participant>());
  const auto root = self.create<coordinator>(participants);
  self.send<&coordinator::begin>(root);
}

}  // namespace

harrier::catalogue_entry harrier::subjects::two_phase_commit() {
  return {"two-phase-commit",
          "participants vote, a coordinator commits or aborts",
          {{.name = "participants", .value = 3, .about = "how many participants", .least = 1, .greatest = 1000}},
          [](const arguments& given) {
            return make_program([n = given.number("participants")](self& self) { transact(self, n); });
          }};
}
