// What engine stateful is made of: the set of states seen, what stands for a state, and where states come from.
#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/fingerprint.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/native/program.hpp>
#include <src/engine/alone.hpp>
#include <src/engine/states/recent_states.hpp>
#include <src/engine/states/state_fingerprint.hpp>
#include <src/engine/states/visited_set.hpp>

#include "compare.hpp"

namespace harrier::differential {
namespace {

using testing::HasSubstr;

/// splitmix64.
std::uint64_t mixed(std::uint64_t x) {
  auto z = (x + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

fingerprint numbered(std::uint64_t i) { return {mixed(2 * i), mixed(2 * i + 1)}; }

TEST(RecentStates, HaveWhatWasAddedUntilAnotherTakesItsPlace) {
  recent_states recent;
  const fingerprint first{1, 2};
  const fingerprint like_first{1, 3};
  EXPECT_FALSE(recent.has(first));
  recent.add(first);
  EXPECT_TRUE(recent.has(first));
  EXPECT_FALSE(recent.has(like_first));
  recent.add(like_first);
  EXPECT_TRUE(recent.has(like_first));
  EXPECT_FALSE(recent.has(first));
}

TEST(RecentStates, AreNoneAtFirst) { EXPECT_FALSE(recent_states().has(fingerprint{})); }

TEST(VisitedSet, FindsWhatWasPutIn) {
  constexpr std::uint64_t many = 300'000;
  visited_set set;
  for (std::uint64_t i = 0; i < many; ++i) {
    const auto entry = set.insert(numbered(i));
    ASSERT_TRUE(entry.is_new) << i;
    ASSERT_EQ(*entry.word, 0U) << i;
    *entry.word = static_cast<std::uint32_t>(i + 1);
  }

  for (std::uint64_t i = 0; i < many; ++i) {
    const auto entry = set.insert(numbered(i));
    ASSERT_FALSE(entry.is_new) << i;
    ASSERT_EQ(*entry.word, i + 1);
  }
  EXPECT_EQ(set.size(), many);
}

TEST(VisitedSet, TakesAtMost24BytesAState) {
  visited_set set;
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    set.insert(numbered(i));
    if (set.size() >= 10'000) {
      ASSERT_LE(set.bytes(), 24 * set.size()) << set.size();
    }
  }
}

TEST(VisitedSet, KeepsTheZeroFingerprint) {
  visited_set set;

  EXPECT_TRUE(set.insert({0, 0}).is_new);
  EXPECT_FALSE(set.insert({0, 0}).is_new);
  EXPECT_EQ(set.size(), 1U);
}

TEST(VisitedSet, TellsApartWhatDiffersInOneHalfOnly) {
  visited_set set;
  constexpr auto one = std::uint64_t{1} << 40;

  EXPECT_TRUE(set.insert({7, one}).is_new);
  EXPECT_TRUE(set.insert({7, 2 * one}).is_new);
  EXPECT_TRUE(set.insert({8, one}).is_new);
  EXPECT_FALSE(set.insert({7, one}).is_new);
  EXPECT_FALSE(set.insert({7, 2 * one}).is_new);
}

TEST(VisitedSet, KeepsFingerprintsThatCrowdTogether) {
  visited_set set;
  for (std::uint64_t i = 0; i < 5'000; ++i) ASSERT_TRUE(set.insert({~std::uint64_t{0} - i, 0}).is_new);

  for (std::uint64_t i = 0; i < 5'000; ++i) ASSERT_FALSE(set.insert({~std::uint64_t{0} - i, 0}).is_new);
}

TEST(VisitedSet, ExpectsFewMisses) {
  visited_set set;
  for (std::uint64_t i = 0; i < 100'000; ++i) set.insert(numbered(i));

  EXPECT_GT(set.expected_misses(), 0.0);
  EXPECT_LT(set.expected_misses(), 1e-18);
}

class nobody final : public observer {
public:
  void step_flagged(system&) override {}
  void poll(system&) override {}
  void execution_ended(system&) override {}
  void execution_blocked(system&) override {}
};

/// Walks at random, forth and back, and looks at the fingerprint after each move.
void walk(system& s, execution::pending_order kept, std::uint64_t seed) {
  state_fingerprint followed(s, kept);
  std::vector<fingerprint> before;
  for (std::uint64_t i = 0; i < 150; ++i) {
    std::vector<message_slot> deliverable;
    for (auto m = s.first_deliverable(); m != no_message; m = s.next_deliverable(m)) deliverable.push_back(m);
    const auto drawn = mixed(seed * 1000 + i);
    const bool back = deliverable.empty() || drawn % 3 == 0;
    if (back && before.empty()) continue;
    if (back) {
      s.undo();
      followed.pop();
      ASSERT_EQ(followed.value(), before.back()) << "back in seed " << seed;
      before.pop_back();
    } else {
      before.push_back(followed.value());
      s.deliver(deliverable[drawn / 3 % deliverable.size()]);
      followed.push();
    }
    ASSERT_EQ(followed.value(), state_fingerprint(s, kept).value()) << "from scratch in seed " << seed;
  }
}

TEST(StateFingerprint, FollowsWhatItWouldBeFromScratch) {
  for (const auto kept :
       {execution::pending_order::none, execution::pending_order::of_receiver, execution::pending_order::of_channel})
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
      const auto tables = litmus::make_random(seed);
      try {
        const auto s = litmus::interpret(tables).start();
        nobody watcher;
        s->watch().observe(&watcher);
        walk(*s, kept, seed);
      } catch (const untestable_program&) {
        continue;
      }
    }
}

struct keeper {
  std::vector<int> log;
  int last = 0;
  bool any = false;

  void note(int what) {
    log.push_back(what);
    last = what;
    any = true;
  }
};

void keep_a_log(self& self) {
  const auto to = self.create<keeper>();
  for (int i = 0; i < 6; ++i) self.send<&keeper::note>(to, i);
}

TEST(Growth, NamesTheFieldThatGrows) {
  stateful_report report;
  nobody watcher;
  const auto s = make_program(keep_a_log).start();
  s->watch().observe(&watcher);

  search_context states{*s, watcher};
  EXPECT_TRUE(explore_stateful(states, {}, report));

  ASSERT_FALSE(report.growing.empty());
  EXPECT_EQ(report.growing.front().name, "keeper.log");
  EXPECT_GT(report.growing.front().different_values, 10U);
  EXPECT_LE(report.growing.front().different_values, report.sampled_states);
  EXPECT_GT(report.sampled_states, 0U);
}

TEST(Growth, IsToldWhenTheSearchIsCut) {
  options how;
  how.search.engine = "stateful";
  how.limits.max_executions = 100;

  const auto result = explore(make_program(keep_a_log), how);

  EXPECT_FALSE(result.exhausted);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_THAT(result.notes.front(), HasSubstr("keeper.log takes"));
}

}  // namespace
}  // namespace harrier::differential
