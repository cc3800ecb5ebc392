// Servers elect a leader by votes, as in Raft. Read README.md beside this file.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

enum class role { follower, candidate, leader };

/// The rules: a term has at most one leader, a server has one vote a term, and a majority wins.
struct server {
  /// Nothing depends on which server is which: used by `--state-comparison canonical`.
  static constexpr bool interchangeable = true;

  /// The bug: a vote counts whenever it comes, be it of a term that is over.
  bool counts_late_votes = false;
  /// No server begins a later one. It is 0 for one that only votes.
  int last_term = 0;
  std::vector<harrier::ref<server>> others;
  role now = role::follower;
  int term = 0;
  std::optional<harrier::ref<server>> voted_for;
  std::size_t votes = 0;
  std::set<int> led;

  void meet(harrier::self& self, const std::vector<harrier::ref<server>>& all_others) {
    others = all_others;
    wait_for_a_leader(self);
  }

  /// No leader was heard of for too long.
  void time_out(harrier::self& self) {
    if (now == role::candidate) self.note("a candidate tries again");
    begin_term(self, term + 1);
    now = role::candidate;
    voted_for = self.me<server>();
    votes = 1;
    for (const auto other : others) self.send<&server::ask_for_vote>(other, term, self.me<server>());
  }

  void ask_for_vote(harrier::self& self, int in_term, harrier::ref<server> candidate) {
    if (in_term > term) begin_term(self, in_term);
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
    self.cancel<&server::time_out>();
    self.note("a leader is elected");
  }

private:
  void begin_term(harrier::self& self, int next) {
    term = next;
    now = role::follower;
    voted_for.reset();
    votes = 0;
    wait_for_a_leader(self);
  }
  void wait_for_a_leader(harrier::self& self) {
    self.cancel<&server::time_out>();
    if (term < last_term) self.after<&server::time_out>(150ms);
  }
};

struct election {
  std::int64_t servers;
  std::int64_t candidates;
  std::int64_t terms;
  bool counts_late_votes;

  void set_up(harrier::self& self) const {
    std::vector<harrier::ref<server>> round;
    for (std::int64_t i = 0; i < servers; ++i)
      round.push_back(self.create<server>(counts_late_votes, i < candidates ? static_cast<int>(terms) : 0));
    // Each sees the others in the order of the circle, so that all are alike.
    for (std::int64_t i = 0; i < servers; ++i) {
      const auto one = round.front();
      std::rotate(round.begin(), round.begin() + 1, round.end());
      self.send<&server::meet>(one, std::vector(round.begin(), round.end() - 1));
    }
  }

  void test(harrier::self&) {}

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
         {.name = "candidates", .value = 3, .about = "how many of them can time out", .greatest = 9},
         {.name = "terms", .value = 2, .about = "how many terms there are at most", .greatest = 100}},
        [](const harrier::arguments& given) {
          const auto terms = given.number("terms");
          auto tested = harrier::make_program(
              election{given.number("servers"), given.number("candidates"), terms, given.word("variant") == "buggy"});
          // Terms end it, not the budget of timers: each of a server's begins another.
          return harrier::with_faults(std::move(tested), {.timeouts = static_cast<std::uint64_t>(terms)});
        }}});
}
