// Servers elect a leader by votes, as in Raft. Read README.md beside this file.
#include <algorithm>
#include <cstdint>
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>
#include <optional>
#include <set>
#include <vector>

enum class role { follower, candidate, leader };

/// The rules: a term has at most one leader, a server has one vote a term, and a majority wins.
struct server {
  /// Nothing depends on which server is which: used by `--state-comparison canonical`.
  static constexpr bool interchangeable = true;

  /// The bug: a vote counts whenever it comes, be it of a term that is over.
  bool counts_late_votes = false;
  std::vector<harrier::ref<server>> others;
  role now = role::follower;
  int term = 0;
  std::optional<harrier::ref<server>> voted_for;
  std::size_t votes = 0;
  std::set<int> led;

  void meet(const std::vector<harrier::ref<server>>& all_others) { others = all_others; }

  /// A timer is a message to oneself that comes some time: before, between or after the others.
  void time_out(harrier::self& self, int more) {
    if (more > 0) self.send<&server::time_out>(self.me<server>(), more - 1);
    if (now == role::leader) return;
    if (now == role::candidate) self.note("a candidate tries again");
    begin_term(term + 1);
    now = role::candidate;
    voted_for = self.me<server>();
    votes = 1;
    for (const auto other : others) self.send<&server::ask_for_vote>(other, term, self.me<server>());
  }

  void ask_for_vote(harrier::self& self, int in_term, harrier::ref<server> candidate) {
    if (in_term > term) begin_term(in_term);
    if (in_term < term || voted_for) return;
    voted_for = candidate;
    self.send<&server::vote>(candidate, in_term);
  }

  void vote(harrier::self& self, int in_term) {
    if (now != role::candidate) return;
    if (in_term != term && !counts_late_votes) return;
    if (++votes <= (others.size() + 1) / 2) return;
    now = role::leader;
    led.insert(term);
    self.note("a leader is elected");
  }

private:
  void begin_term(int next) {
    term = next;
    now = role::follower;
    voted_for.reset();
    votes = 0;
  }
};

/// Which servers time out, and how often each, is drawn.
struct election {
  std::int64_t servers;
  std::int64_t timeouts;
  bool counts_late_votes;
  std::vector<harrier::ref<server>> all;

  void set_up(harrier::self& self) {
    for (std::int64_t i = 0; i < servers; ++i) all.push_back(self.create<server>(counts_late_votes));
    auto round = all;  // each sees the others in the order of the circle, so that all are alike
    for (const auto one : all) {
      std::rotate(round.begin(), round.begin() + 1, round.end());
      self.send<&server::meet>(one, std::vector(round.begin(), round.end() - 1));
    }
  }

  void test(harrier::self& self) {
    std::vector<int> times(all.size());
    for (std::int64_t i = 0; i < timeouts; ++i) ++times[self.choose(all.size())];
    for (std::size_t i = 0; i < all.size(); ++i)
      if (times[i] > 0) self.send<&server::time_out>(all[i], times[i] - 1);
    all.clear();  // the driver no longer tells one from another
  }

  void finally(harrier::final_states& end) const {
    std::set<int> led;
    for (const server& one : end.all<server>())
      for (const auto term : one.led) end.check(led.insert(term).second, "a term has one leader at most");
  }
};

int main(int argc, char** argv) {
  return harrier::main(
      argc, argv,
      {{"election",
        "servers elect a leader by votes",
        {{.name = "variant",
          .value = "buggy",
          .about = "late votes count (buggy), or do not",
          .words = {"buggy", "fixed"}},
         {.name = "servers", .value = 3, .about = "how many servers", .least = 1, .greatest = 9},
         {.name = "timeouts", .value = 3, .about = "how often a server times out, all in all", .greatest = 100}},
        [](const harrier::arguments& given) {
          return harrier::make_program(
              election{given.number("servers"), given.number("timeouts"), given.word("variant") == "buggy", {}});
        }}});
}
