// Acceptors agree on one value of several that are proposed: single-decree Paxos. Read README.md beside this file.
#include <cstdint>
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>
#include <map>
#include <set>
#include <vector>

struct proposer;

/// What an acceptor has accepted: a ballot, and the value that was proposed there.
struct proposal {
  int ballot = 0;
  int value = 0;
  bool operator==(const proposal&) const = default;
};

struct acceptor {
  /// The fix: what it promises is on disk before it says so.
  bool syncs = false;
  harrier::persistent<int> promised = 0;
  harrier::persistent<std::vector<proposal>> accepted;  // all of them, for the check; the last one counts

  void prepare(harrier::self& self, int ballot, harrier::ref<proposer> from);
  void accept(proposal what) {
    if (what.ballot < promised) return;
    promised = what.ballot;
    auto all = accepted.get();
    all.push_back(what);
    accepted = all;
  }
};

struct proposer {
  std::vector<harrier::ref<acceptor>> asked;  ///< a majority of all
  int ballot = 0;
  int value = 0;
  proposal newest;  ///< of what the acceptors that promised have accepted
  std::size_t promises = 0;

  void propose(harrier::self& self) {
    for (const auto one : asked) self.send<&acceptor::prepare>(one, ballot, self.me<proposer>());
  }
  void promise(harrier::self& self, proposal accepted) {
    if (accepted.ballot > newest.ballot) newest = accepted;
    if (++promises != asked.size()) return;
    if (newest.ballot > 0) value = newest.value;  // it may have been chosen
    for (const auto one : asked) self.send<&acceptor::accept>(one, proposal{ballot, value});
  }
};

void acceptor::prepare(harrier::self& self, int ballot, harrier::ref<proposer> from) {
  if (ballot <= promised) return;
  promised = ballot;
  if (syncs) self.sync();
  self.send<&proposer::promise>(from, accepted.get().empty() ? proposal{} : accepted.get().back());
}

struct council {
  std::int64_t acceptors;
  bool syncs;
  std::vector<harrier::ref<proposer>> proposers;

  /// The first proposer asks the first acceptors, and the second one the last: two majorities have one in common.
  void set_up(harrier::self& self) {
    std::vector<harrier::ref<acceptor>> all;
    for (std::int64_t i = 0; i < acceptors; ++i) all.push_back(self.create<acceptor>(syncs));
    const auto majority = acceptors / 2 + 1;
    proposers.push_back(self.create<proposer>(std::vector(all.begin(), all.begin() + majority), 1, 10));
    proposers.push_back(self.create<proposer>(std::vector(all.end() - majority, all.end()), 2, 20));
  }
  void test(harrier::self& self) {
    for (const auto one : proposers) self.send<&proposer::propose>(one);
  }

  void finally(harrier::final_states& end) const {
    std::map<int, std::int64_t> accepted_by;  // ballot -> how many
    std::map<int, int> proposed;              // ballot -> value
    for (const acceptor& one : end.all<acceptor>())
      for (const auto& [ballot, value] : one.accepted.get()) {
        ++accepted_by[ballot];
        proposed[ballot] = value;
      }
    std::set<int> chosen;
    for (const auto& [ballot, times] : accepted_by)
      if (times > acceptors / 2) chosen.insert(proposed[ballot]);
    end.check(chosen.size() <= 1, "one value is chosen at most");
  }
};

int main(int argc, char** argv) {
  return harrier::main(
      argc, argv,
      {{"paxos",
        "two proposers and single-decree Paxos, with crashes (--crash 1)",
        {{.name = "variant",
          .value = "buggy",
          .about = "a promise is on disk after it was sent, or before",
          .words = {"buggy", "fixed"}},
         {.name = "acceptors", .value = 3, .about = "how many acceptors", .least = 1, .greatest = 9}},
        [](const harrier::arguments& given) {
          return harrier::make_program(council{given.number("acceptors"), given.word("variant") == "fixed", {}});
        }}});
}
