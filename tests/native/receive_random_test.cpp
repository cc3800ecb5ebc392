// Random straight-line programs, beside a brute force over the definition of receive, and beside the same programs
// written with guards.
#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../litmus/so_many.hpp"
#include "explore_all.hpp"

namespace harrier {
namespace {

using testing::Eq;

/// What an actor does next. Of kinds there are three; `kinds` is a set of them.
struct op {
  enum class what { send, receive, poll } kind = what::send;
  int to = 0;          ///< of send: whom
  unsigned kinds = 0;  ///< of send: the one that it sends; of the others: those that match
  bool skips = false;  ///< if what came last was no message, or one of kind 1: the next one is left out
  bool operator==(const op&) const = default;
};
using script = std::vector<op>;
using scripts = std::vector<script>;

constexpr int nothing = -1;

/// What came, actor by actor: the number of each message, or `nothing`.
using outcome = std::vector<std::vector<int>>;

struct item {
  int kind = 0;
  int number = 0;
};
constexpr int number_of(int actor, int position) { return actor * 100 + position; }
constexpr int kind_number(unsigned kinds) { return kinds == 1 ? 0 : kinds == 2 ? 1 : 2; }

scripts make_scripts(std::uint64_t seed, bool polls) {
  std::minstd_rand draw(static_cast<std::minstd_rand::result_type>(seed * 7919 + 1));
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(draw); };
  scripts all(static_cast<std::size_t>(2 + below(3)));
  for (auto& s : all)
    for (int i = 3 + below(5); i > 0; --i) {
      op next;
      const auto d = below(polls ? 10 : 8);
      next.kind = d < 4 ? op::what::send : d < 8 ? op::what::receive : op::what::poll;
      next.to = below(static_cast<int>(all.size()));
      next.kinds = next.kind == op::what::send ? 1U << below(3)
                   : below(2) == 0             ? 7U
                                               : static_cast<unsigned>(1 + below(7));
      next.skips = below(4) == 0;
      s.push_back(next);
    }
  return all;
}

// ==== By definition: each order of what actors do: they send one message, or take one, or see that there is none

class by_definition {
public:
  by_definition(const scripts& all, bool in_order) : all_(all), in_order_(in_order) {
    state s;
    s.at.assign(all.size(), -1);
    s.log.resize(all.size());
    s.to_send.resize(all.size());
    visit(s);
  }
  std::set<outcome> outcomes;
  bool is_too_large = false;

private:
  struct sent {
    int from, to;
    item what;
    // Of a type that is said: Clang has not looked into the body when `state` is compared.
    std::strong_ordering operator<=>(const sent& other) const { return key() <=> other.key(); }
    bool operator==(const sent& other) const { return key() == other.key(); }
    [[nodiscard]] std::tuple<int, int, int> key() const { return {from, to, what.number}; }
  };
  struct state {
    std::vector<int> at;  // where each actor is: -1: not begun
    outcome log;
    std::vector<sent> under_way;             // in the order sent
    std::vector<std::vector<sent>> to_send;  // by each actor, before it receives again
    auto operator<=>(const state&) const = default;
  };

  /// Runs actor `a` until it receives again, from `at`.
  void go_on(state& s, std::size_t a, int at) const {
    const auto& mine = all_[a];
    for (;; ++at) {
      if (at > 0 && at <= static_cast<int>(mine.size()) && is_skipped(s, a, at)) continue;
      if (at >= static_cast<int>(mine.size())) break;
      const auto& next = mine[static_cast<std::size_t>(at)];
      if (next.kind != op::what::send) break;
      s.to_send[a].push_back(
          {static_cast<int>(a), next.to, {kind_number(next.kinds), number_of(static_cast<int>(a), at)}});
    }
    s.at[a] = at;
  }
  [[nodiscard]] bool is_skipped(const state& s, std::size_t a, int at) const {
    if (at >= static_cast<int>(all_[a].size()) || !all_[a][static_cast<std::size_t>(at) - 1].skips) return false;
    return s.log[a].empty() || s.log[a].back() == nothing || s.log[a].back() % 2 == 1;
  }
  void visit(const state& s) {
    if (is_too_large || !seen_.insert(s).second) return;
    if (seen_.size() > 4'000) {
      is_too_large = true;
      return;
    }
    bool is_end = true;
    for (std::size_t a = 0; a < all_.size(); ++a) {
      if (s.at[a] == -1) {
        is_end = false;
        auto next = s;
        go_on(next, a, 0);
        visit(next);
        continue;
      }
      if (!s.to_send[a].empty()) {
        is_end = false;
        auto next = s;
        next.under_way.push_back(next.to_send[a].front());
        next.to_send[a].erase(next.to_send[a].begin());
        visit(next);
        continue;
      }
      if (s.at[a] >= static_cast<int>(all_[a].size())) continue;
      const auto& waits = all_[a][static_cast<std::size_t>(s.at[a])];
      bool is_any = false;
      for (std::size_t i = 0; i < s.under_way.size(); ++i) {
        const auto& m = s.under_way[i];
        const auto matches = [&](const sent& x) {
          return x.to == static_cast<int>(a) && (waits.kinds & 1U << x.what.kind) != 0;
        };
        if (!matches(m)) continue;
        const auto here = s.under_way.begin() + static_cast<std::ptrdiff_t>(i);
        if (in_order_ &&
            std::any_of(s.under_way.begin(), here, [&](const sent& x) { return matches(x) && x.from == m.from; }))
          continue;
        is_any = true;
        auto next = s;
        next.under_way.erase(next.under_way.begin() + static_cast<std::ptrdiff_t>(i));
        next.log[a].push_back(m.what.number);
        go_on(next, a, s.at[a] + 1);
        visit(next);
      }
      is_end = is_end && !is_any && waits.kind != op::what::poll;
      if (is_any || waits.kind != op::what::poll) continue;
      auto next = s;
      next.log[a].push_back(nothing);
      go_on(next, a, s.at[a] + 1);
      visit(next);
    }
    if (is_end) outcomes.insert(s.log);
  }

  const scripts& all_;
  bool in_order_;
  std::set<state> seen_;
};

// ==== As a straight-line actor

struct straight {
  std::vector<int> log = {};
  task run(self& me, script mine, int number, std::vector<ref<straight>> all) {
    for (std::size_t at = 0; at < mine.size(); ++at) {
      if (at > 0 && mine[at - 1].skips && (log.empty() || log.back() == nothing || log.back() % 2 == 1)) continue;
      const auto next = mine[at];
      if (next.kind == op::what::send) {
        me.send(all[static_cast<std::size_t>(next.to)],
                item{kind_number(next.kinds), number_of(number, static_cast<int>(at))});
        continue;
      }
      const auto matches = [kinds = next.kinds](const item& i) { return (kinds & 1U << i.kind) != 0; };
      if (next.kind == op::what::receive) {
        const auto came = co_await me.receive<item>(matches);
        log.push_back(came.number);
      } else {
        const auto came = co_await me.receive<item>(matches).or_none();
        log.push_back(came ? came->number : nothing);
      }
    }
  }
};

// ==== As a state machine with a guard

struct guarded {
  script mine = {};
  int number = 0;
  int at = -1;
  std::vector<ref<guarded>> all = {};
  std::vector<int> log = {};
  void begin(self& me, std::vector<ref<guarded>> everybody) {
    all = std::move(everybody);
    go_on(me, 0);
  }
  bool accepts(handler<&guarded::begin>) const { return at == -1; }
  void take(self& me, item what) {
    log.push_back(what.number);
    go_on(me, at + 1);
  }
  bool accepts(handler<&guarded::take>, item what) const {
    return at >= 0 && at < static_cast<int>(mine.size()) &&
           (mine[static_cast<std::size_t>(at)].kinds & 1U << what.kind) != 0;
  }
  void go_on(self& me, int from) {
    for (at = from;; ++at) {
      if (at >= static_cast<int>(mine.size())) return;
      const auto before = static_cast<std::size_t>(at) - 1;
      if (at > 0 && mine[before].skips && (log.empty() || log.back() % 2 == 1)) continue;
      const auto& next = mine[static_cast<std::size_t>(at)];
      if (next.kind != op::what::send) return;
      me.send<&guarded::take>(all[static_cast<std::size_t>(next.to)],
                              item{kind_number(next.kinds), number_of(number, at)});
    }
  }
};

template <class Actor>
outcome logs_of(final_states& end) {
  outcome all;
  for (const Actor& a : end.all<Actor>()) all.push_back(a.log);
  return all;
}

program written_straight(const scripts& of, std::set<outcome>& seen) {
  auto tested = make_program([of](self& me) {
    std::vector<ref<straight>> all;
    for (std::size_t i = 0; i < of.size(); ++i) all.push_back(me.create<straight>());
    for (std::size_t i = 0; i < of.size(); ++i) me.send<&straight::run>(all[i], of[i], static_cast<int>(i), all);
  });
  tested.finally = [&seen](final_states& end) { seen.insert(logs_of<straight>(end)); };
  return tested;
}
program written_with_guards(const scripts& of, std::set<outcome>& seen) {
  auto tested = make_program([of](self& me) {
    std::vector<ref<guarded>> all;
    for (std::size_t i = 0; i < of.size(); ++i) all.push_back(me.create<guarded>(of[i], static_cast<int>(i)));
    for (const auto a : all) me.send<&guarded::begin>(a, all);
  });
  tested.finally = [&seen](final_states& end) { seen.insert(logs_of<guarded>(end)); };
  return tested;
}

constexpr std::uint64_t most_executions = 1500;

exploration explored(const program& tested, const std::string& engine, delivery model, const faults& may_happen = {}) {
  options how;
  how.search.faults = may_happen;
  how.search.engine = engine;
  how.search.delivery = model;
  how.judging.keep_going = true;
  how.judging.undelivered = undelivered::ignore;
  how.limits.max_executions = most_executions;
  return explore(tested, how);
}

TEST(RandomReceives, GiveWhatTheDefinitionSays) {
  std::uint64_t compared = 0, outcomes = 0;
  for (std::uint64_t seed = 1; seed <= litmus::so_many(20); ++seed) {
    const auto of = make_scripts(seed, true);
    for (const auto model : {delivery::unordered, delivery::fifo}) {
      const by_definition expected(of, model == delivery::fifo);
      if (expected.is_too_large || expected.outcomes.size() > 200) continue;
      for (const std::string engine :
           {"optimal", "exhaustive", "source", "persistent", "transdpor", "dcute", "trust"}) {
        std::set<outcome> seen;
        const auto result = explored(written_straight(of, seen), engine, model);
        if (engine != "optimal" && engine != "source" && !result.exhausted) continue;
        ASSERT_TRUE(result.exhausted) << seed;
        EXPECT_EQ(seen, expected.outcomes) << "seed " << seed << " by " << engine << " under " << to_string(model);
        if (engine == "optimal" || engine == "source" || engine == "trust") {
          EXPECT_EQ(result.executions, seen.size()) << "seed " << seed << " by " << engine;
        }
        if (engine == "optimal") {
          EXPECT_EQ(result.blocked, 0U) << "seed " << seed;
        }
        ++compared;
        outcomes += seen.size();
      }
    }
  }
  EXPECT_GT(compared, 30U);
  EXPECT_GT(outcomes, 2 * compared);
}

TEST(RandomReceives, AreThoseOfTheSameProgramWithGuards) {
  for (std::uint64_t seed = 1; seed <= litmus::so_many(6); ++seed) {
    const auto of = make_scripts(seed, false);
    for (const auto model : {delivery::unordered, delivery::fifo, delivery::causal, delivery::mailbox}) {
      for (const std::string engine : {"optimal", "source", "persistent", "transdpor", "dcute", "trust", "stateful"}) {
        std::set<outcome> straightly, guardedly;
        const auto one = explored(written_straight(of, straightly), engine, model);
        if (!one.exhausted || one.executions > 300) break;
        const auto other = explored(written_with_guards(of, guardedly), engine, model);
        const auto where = "seed " + std::to_string(seed) + " by " + engine + " under " + std::string(to_string(model));
        EXPECT_EQ(straightly, guardedly) << where;
        if (engine != "stateful") {
          EXPECT_EQ(one.executions, other.executions) << where;
          EXPECT_EQ(one.blocked, other.blocked) << where;
        }
      }
    }
  }
}

TEST(RandomReceives, MeetTheSameFaultsAsGuards) {
  faults losses, copies;
  losses.lose = 1;
  copies.duplicate = 1;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= litmus::so_many(20); ++seed) {
    const auto of = make_scripts(seed, false);
    for (const auto& may_happen : {losses, copies})
      for (const auto model : {delivery::unordered, delivery::fifo}) {
        std::set<outcome> straightly, guardedly;
        const auto one = explored(written_straight(of, straightly), "optimal", model, may_happen);
        if (!one.exhausted) continue;
        const auto other = explored(written_with_guards(of, guardedly), "optimal", model, may_happen);
        EXPECT_EQ(straightly, guardedly) << "seed " << seed;
        EXPECT_EQ(one.executions, other.executions) << "seed " << seed;
        ++compared;
      }
  }
  EXPECT_GT(compared, 20U);
}

}  // namespace
}  // namespace harrier
