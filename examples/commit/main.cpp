// Two participants commit a transaction, or neither does, though anybody may crash. Read README.md beside this file.
#include <cstdint>
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>
#include <set>
#include <vector>

enum class outcome { open, commit, abort };

struct coordinator;

struct participant {
  harrier::ref<coordinator> led_by;
  harrier::persistent<bool> prepared = false;
  harrier::persistent<outcome> decided = outcome::open;

  void prepare(harrier::self& self) {
    if (decided == outcome::open) prepared = true;
    self.sync();  // on disk before the vote is sent
    vote(self);
  }

  void decide(harrier::self& self, outcome what) {
    self.check(decided == outcome::open || decided == what, "a participant decides once");
    decided = what;
  }

  void on_restart(harrier::self& self) {
    if (decided != outcome::open) return;
    if (!prepared) decided = outcome::abort;  // whatever it was asked is forgotten: it says no
    self.sync();
    vote(self);
  }

private:
  void vote(harrier::self& self);
};

struct coordinator {
  /// The fix: what was decided is on disk before anybody is told.
  bool syncs = false;
  std::vector<harrier::ref<participant>> participants;
  harrier::persistent<outcome> decided = outcome::open;
  std::set<harrier::ref<participant>> in_favour;

  void meet(const std::vector<harrier::ref<participant>>& all) { participants = all; }

  void begin(harrier::self& self) {
    if (decided != outcome::open) return;  // it was begun, and the coordinator crashed
    for (const auto one : participants) self.send<&participant::prepare>(one);
  }

  void vote(harrier::self& self, harrier::ref<participant> from, bool yes) {
    if (decided != outcome::open) {
      self.send<&participant::decide>(from, decided);  // it has not heard
      return;
    }
    if (!yes) return decide(self, outcome::abort);
    in_favour.insert(from);
    if (in_favour.size() == participants.size()) decide(self, outcome::commit);
  }

  /// What was decided is said again. If nothing was, the votes are forgotten, so that the answer is no.
  void on_restart(harrier::self& self) { decide(self, decided == outcome::open ? outcome::abort : decided.get()); }

private:
  void decide(harrier::self& self, outcome what) {
    decided = what;
    if (syncs) self.sync();
    self.note(what == outcome::commit ? "committed" : "aborted");
    for (const auto one : participants) self.send<&participant::decide>(one, what);
  }
};

void participant::vote(harrier::self& self) {
  self.send<&coordinator::vote>(led_by, self.me<participant>(), decided != outcome::abort);
}

struct transaction {
  std::int64_t participants;
  bool syncs;
  std::vector<harrier::ref<coordinator>> leader;

  void set_up(harrier::self& self) {
    const auto coordinating = self.create<coordinator>(syncs);
    std::vector<harrier::ref<participant>> all;
    for (std::int64_t i = 0; i < participants; ++i) all.push_back(self.create<participant>(coordinating));
    self.send<&coordinator::meet>(coordinating, all);
    leader.push_back(coordinating);
  }
  void test(harrier::self& self) { self.send<&coordinator::begin>(leader.front()); }

  void finally(harrier::final_states& end) const {
    std::set<outcome> decisions;
    for (const participant& one : end.all<participant>()) decisions.insert(one.decided);
    end.check(decisions.size() == 1, "all participants decide the same");
    end.check(!decisions.contains(outcome::open), "every participant decides");
  }
};

int main(int argc, char** argv) {
  return harrier::main(
      argc, argv,
      {{"commit",
        "two-phase commit, with crashes (--crash 1)",
        {{.name = "variant",
          .value = "buggy",
          .about = "decides on disk after it has told, or before",
          .words = {"buggy", "fixed"}},
         {.name = "participants", .value = 2, .about = "how many participants", .least = 1, .greatest = 9}},
        [](const harrier::arguments& given) {
          return harrier::make_program(transaction{given.number("participants"), given.word("variant") == "fixed", {}});
        }}});
}
